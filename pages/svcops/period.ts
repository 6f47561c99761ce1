/** The numbers, the chart and the devices of a period, without administrators. */
import type { NamedCount, Statistics } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { shownDays } from './address.ts';
import { read } from './api.ts';
import { showChart } from './chart.ts';
import { countOf, element, formatCount, LOCALE, nameDevice } from './elements.ts';

const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent' });

/** @throws {Failure} if the service does not answer */
export async function refreshPeriod(): Promise<void> {
  const days = shownDays();
  for (const link of document.querySelectorAll('#period nav a'))
    link.ariaCurrent = String(link.getAttribute('href') === `?days=${days}`);
  const stats = await read<Statistics>('/api/svcops/stats', { days });
  // Another period may have been chosen since.
  if (days !== shownDays()) return;
  const first = DATE.format(Date.parse(stats.daily[0]?.day ?? ''));
  const name = days === 'all' ? `Since ${first}` : `Last ${days} days`;
  find('#period-name', HTMLElement).textContent = name;
  find('#people', HTMLElement).textContent = describePeople(stats.people);
  showChart(stats);
  showDevices(stats.devices);
}

function describePeople({ loggedIn, viewed, joined }: Statistics['people']): string {
  if (loggedIn + viewed + joined === 0) return 'No visits.';
  const came = countOf(loggedIn, 'person', 'people');
  return `${came} logged in, ${formatCount(viewed)} viewed, ${formatCount(joined)} joined.`;
}

function showDevices(devices: readonly NamedCount[]): void {
  let all = 0;
  for (const { count } of devices) all += count;
  const bars = devices.map(({ name, count }) => deviceBar(nameDevice(name), count / all));
  find('#devices', HTMLElement).replaceChildren(...bars);
}

function deviceBar(name: string, share: number): HTMLElement {
  const bar = element('li', '', `${name} `, element('span', 'quiet', PERCENT.format(share)));
  bar.style.setProperty('--share', String(share));
  return bar;
}
