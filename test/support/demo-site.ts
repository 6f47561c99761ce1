/** An installation with the demonstration's people and visits, the same each time: for the README's pictures and its examples. */
import { openStore } from '../../lib/store/open.ts';
import { fillDemoStore } from '../../scripts/demo-store.ts';
import { type Installation, install } from './installation.ts';

/** When the sixty days end, in epoch ms. */
export const DEMO_NOW = Date.UTC(2026, 10, 20, 20);

export async function installDemo(): Promise<Installation> {
  const site = install();
  const store = openStore(site.store);
  await fillDemoStore(store, DEMO_NOW);
  store.close();
  return site;
}
