/**
 * The chart of a period: for each day a wide bar of views, on it a narrower one of logins, on that
 * one of joins. The pointer and the arrow keys choose a day, whose numbers are then above the chart.
 */
import type { Counts, Day, Statistics } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { element, formatCount, LOCALE } from './elements.ts';

const chart = find('#chart', HTMLElement);
const svg = find('#chart svg', SVGSVGElement);
const chosen = find('#chosen', SVGElement);
const slider = find('#day', HTMLInputElement);
const readout = find('#readout', HTMLElement);
const scale = find('#scale', HTMLElement);
const dates = find('#dates', HTMLElement);

/** The bars of fewer days do not fill the width of a day, or they would be blocks. */
const FULL_DAYS = 24;

/** How many dates stand below the chart. */
const MOST_DATES = 7;

/** The height of the drawing, in its own unit. Its width is the number of days. */
const HEIGHT = 100;

/** What draws a number of the days, where it is written, and its part of a day's width. */
const SERIES = [
  { field: 'timelineViews', path: '#view-bars', text: '#views', width: 0.7 },
  { field: 'logins', path: '#login-bars', text: '#logins', width: 0.42 },
  { field: 'joinClicks', path: '#join-bars', text: '#join-clicks', width: 0.2 },
] as const;

let days: readonly Day[] = [];
let totals: Counts = { logins: 0, timelineViews: 0, joinClicks: 0 };

export function showChart(stats: Statistics): void {
  days = stats.daily;
  totals = stats.totals;
  slider.max = String(days.length - 1);
  slider.value = slider.max;
  draw();
  tellTotals();
}

function draw(): void {
  const most = Math.max(0, ...days.flatMap((day) => SERIES.map(({ field }) => day[field])));
  const step = stepFor(most);
  const top = step * Math.max(1, Math.ceil(most / step));
  const fullness = Math.min(1, days.length / FULL_DAYS);
  svg.setAttribute('viewBox', `0 0 ${days.length} ${HEIGHT}`);
  for (const { field, path, width } of SERIES) {
    const shapes = days.map((day, index) => {
      const height = (day[field] / top) * HEIGHT;
      const left = index + 0.5 - (width * fullness) / 2;
      return `M${left} ${HEIGHT}v${-height}h${width * fullness}v${height}z`;
    });
    find(path, SVGElement).setAttribute('d', shapes.join(''));
  }
  drawScale(step, top);
  drawDates();
}

/** 1, 2, 5, 10, …: at most four of them reach the highest bar. */
function stepFor(most: number): number {
  let power = 1;
  while (power * 5 * 4 < most) power *= 10;
  return [power, power * 2].find((step) => step * 4 >= most) ?? power * 5;
}

function drawScale(step: number, top: number): void {
  const labels: HTMLElement[] = [];
  let lines = '';
  for (let value = 0; value <= top; value += step) {
    const label = element('span', '', formatCount(value));
    label.style.bottom = `${(value / top) * 100}%`;
    labels.push(label);
    lines += `M0 ${HEIGHT - (value / top) * HEIGHT}h${days.length}`;
  }
  scale.replaceChildren(...labels);
  find('#grid', SVGElement).setAttribute('d', lines);
}

function drawDates(): void {
  const step = Math.ceil(days.length / MOST_DATES);
  const labels: HTMLElement[] = [];
  for (const [index, { day }] of days.entries()) {
    if (index % step !== Math.floor(step / 2)) continue;
    const label = element('span', '', formatDay(day, SHORT));
    label.style.left = `${((index + 0.5) / days.length) * 100}%`;
    labels.push(label);
  }
  dates.replaceChildren(...labels);
}

const SHORT = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });

function formatDay(day: string, format: Intl.DateTimeFormat): string {
  return format.format(Date.parse(day));
}

function tellTotals(): void {
  tell(totals, 'by day', -1);
}

function tellDay(index: number): void {
  const day = days[index];
  if (day) tell(day, formatDay(day.day, LONG), index);
}

/** Writes numbers above the chart. @param index of the day that is marked */
function tell(counts: Counts, name: string, index: number): void {
  find('#when', HTMLElement).textContent = name;
  for (const { field, text } of SERIES)
    find(text, HTMLElement).textContent = formatCount(counts[field]);
  chosen.setAttribute('x', String(index));
  slider.ariaValueText = readout.innerText;
}

function follow({ clientX }: PointerEvent): void {
  const { left, width } = svg.getBoundingClientRect();
  const index = Math.floor(((clientX - left) / width) * days.length);
  const inside = Math.min(Math.max(0, index), days.length - 1);
  slider.value = String(inside);
  tellDay(inside);
}

export function startChart(): void {
  svg.addEventListener('pointermove', follow);
  svg.addEventListener('pointerdown', follow);
  chart.addEventListener('pointerleave', ({ pointerType }) => {
    // A finger that was lifted leaves its day.
    if (pointerType === 'mouse') tellTotals();
  });
  slider.addEventListener('input', () => tellDay(slider.valueAsNumber));
  slider.addEventListener('blur', tellTotals);
}
