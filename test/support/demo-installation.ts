/** An installation with the data of the demonstration, for pictures and examples of the README. */
import { openStore } from '../../lib/store/open.ts';
import { fillDemoStore } from '../../scripts/demo-store.ts';
import { type Installation, install } from './installation.ts';

/** When the year ends, in epoch ms. */
export const DEMO_NOW = Date.UTC(2026, 10, 20, 20);

export function installDemo(): Installation {
  const installation = install();
  const store = openStore(installation.store);
  fillDemoStore(store, DEMO_NOW);
  store.close();
  return installation;
}
