/**
 * The numbers, the chart and the devices of a period, without administrators. The chart has a bar a
 * day of the number that is chosen above it. The pointer and the arrow keys choose a day, whose
 * numbers are then above the chart.
 */
import type { Counts, Day, NamedCount, Statistics } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { read, report } from './api.ts';
import { countOf, element, formatCount, LOCALE, nameDevice } from './elements.ts';

const period = find('#days', HTMLSelectElement);
const series = find('#series', HTMLFormElement);
const chart = find('#chart', HTMLElement);
const svg = find('#chart svg', SVGSVGElement);
const chosen = find('#chosen', SVGElement);
const slider = find('#day', HTMLInputElement);

/** The ids of the radio buttons, which have their numbers beside them. */
const SERIES = ['timelineViews', 'logins', 'joinClicks'] as const;

/** The bars of fewer days do not fill the width of a day, or they would be blocks. */
const FULL_DAYS = 24;

/** The height of the drawing, in its own unit. Its width is the number of days. */
const HEIGHT = 100;

let days: readonly Day[] = [];
let totals: Counts = { logins: 0, timelineViews: 0, joinClicks: 0 };

const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent' });

/** @throws {Failure} if the service does not answer */
export async function refreshPeriod(): Promise<void> {
  const asked = period.value;
  const stats = await read<Statistics>('/api/svcops/stats', { days: asked });
  // Another period may have been chosen since.
  if (asked !== period.value) return;
  days = stats.daily;
  totals = stats.totals;
  slider.max = String(days.length - 1);
  slider.value = slider.max;
  draw();
  tellTotals();
  find('#people', HTMLElement).textContent = describePeople(stats.people);
  find('#devices', HTMLElement).textContent = describeDevices(stats.devices);
}

function describePeople({ loggedIn, viewed, joined }: Statistics['people']): string {
  if (loggedIn + viewed + joined === 0) return 'No visits.';
  const came = countOf(loggedIn, 'person', 'people');
  return `${came} logged in, ${formatCount(viewed)} viewed, ${formatCount(joined)} joined.`;
}

/** `Desktop 60% · Phone 40%` */
function describeDevices(devices: readonly NamedCount[]): string {
  let all = 0;
  for (const { count } of devices) all += count;
  const shares = devices.map(
    ({ name, count }) => `${nameDevice(name)} ${PERCENT.format(count / all)}`,
  );
  return shares.join(' · ');
}

function draw(): void {
  const field = SERIES.find((id) => find(`#${id}`, HTMLInputElement).checked) ?? 'logins';
  const most = Math.max(1, ...days.map((day) => day[field]));
  const width = 0.8 * Math.min(1, days.length / FULL_DAYS);
  const bars = days.map((day, index) => {
    const height = (day[field] / most) * HEIGHT;
    const left = index + (1 - width) / 2;
    return `M${left} ${HEIGHT}v${-height}h${width}v${height}z`;
  });
  svg.setAttribute('viewBox', `0 0 ${days.length} ${HEIGHT}`);
  find('#bars', SVGElement).setAttribute('d', bars.join(''));
  find('#most', HTMLElement).textContent = `${formatCount(most)} per day`;
  const ends = new Set([days[0], days[Math.floor(days.length / 2)], days.at(-1)]);
  const dates = Array.from(ends, (day) => element('span', '', formatDay(day, SHORT)));
  find('#dates', HTMLElement).replaceChildren(...dates);
}

const SHORT = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });

function formatDay(day: Day | undefined, format: Intl.DateTimeFormat): string {
  return day ? format.format(Date.parse(day.day)) : '';
}

function tellTotals(): void {
  tell(totals, '', -1);
}

function tellDay(): void {
  const day = days[slider.valueAsNumber];
  if (day) tell(day, formatDay(day, LONG), slider.valueAsNumber);
}

/** Writes numbers above the chart. @param index of the day that is marked */
function tell(counts: Counts, name: string, index: number): void {
  find('#when', HTMLElement).textContent = name;
  for (const id of SERIES) find(`#${id} ~ b`, HTMLElement).textContent = formatCount(counts[id]);
  chosen.setAttribute('x', String(index));
  slider.ariaValueText = `${name} ${series.innerText}`;
}

function follow({ clientX }: PointerEvent): void {
  const { left, width } = svg.getBoundingClientRect();
  // The slider keeps to its days.
  slider.value = String(Math.floor(((clientX - left) / width) * days.length));
  tellDay();
}

period.addEventListener('change', () => refreshPeriod().catch(report));
series.addEventListener('change', draw);
svg.addEventListener('pointermove', follow);
svg.addEventListener('pointerdown', follow);
chart.addEventListener('pointerleave', ({ pointerType }) => {
  // A finger that was lifted leaves its day.
  if (pointerType === 'mouse') tellTotals();
});
slider.addEventListener('input', tellDay);
slider.addEventListener('blur', tellTotals);
