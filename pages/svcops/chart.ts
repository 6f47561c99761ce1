/**
 * The chart of a period: for each day a wide bar of views, on it a narrower one of logins, on that
 * one of joins. The pointer and the arrow keys choose a day, whose numbers are then above the chart.
 */
import type { Counts, Day } from '../../lib/records.ts';
import { countOf, element, find, formatCount, LOCALE } from './elements.ts';

const chart = find('#chart', HTMLElement);
const svg = find('#chart svg', SVGSVGElement);
const chosen = find('#chosen', SVGElement);
const slider = find('#day', HTMLInputElement);
const scale = find('#scale', HTMLElement);
const dates = find('#dates', HTMLElement);

/** More days than this are drawn as weeks. */
const MOST_DAYS = 120;

/** Fewer bars than this do not fill the width of their days, or they would be blocks. */
const FULL_BARS = 24;

/** How many dates stand below the chart. */
const MOST_DATES = 7;

/** The height of the drawing, in its own unit. Its width is the number of bars. */
const HEIGHT = 100;

/** The days from `day` to `lastDay`, which may be the same. */
type Bar = Day & { readonly lastDay: string };

/** What draws a number of the days, where it is written, and its part of a day's width. */
const SERIES = [
  { field: 'timelineViews', path: '#view-bars', text: '#views', width: 0.7 },
  { field: 'logins', path: '#login-bars', text: '#logins', width: 0.42 },
  { field: 'joinClicks', path: '#join-bars', text: '#join-clicks', width: 0.2 },
] as const;

let bars: readonly Bar[] = [];
let isByWeek = false;

export function showChart(daily: readonly Day[]): void {
  isByWeek = daily.length > MOST_DAYS;
  bars = toBars(daily, isByWeek ? 7 : 1);
  slider.max = String(bars.length - 1);
  slider.value = slider.max;
  draw();
  tell(undefined);
}

/** Weeks end with the last day, so the first one may be shorter. @param length in days */
function toBars(days: readonly Day[], length: number): readonly Bar[] {
  const made: Bar[] = [];
  for (let end = days.length; end > 0; end -= length) {
    const part = days.slice(Math.max(0, end - length), end);
    const first = part[0]?.day ?? '';
    made.push({ ...sumOf(part), day: first, lastDay: part.at(-1)?.day ?? first });
  }
  return made.reverse();
}

function sumOf(days: readonly Counts[]): Counts {
  let timelineViews = 0;
  let logins = 0;
  let joinClicks = 0;
  for (const day of days) {
    timelineViews += day.timelineViews;
    logins += day.logins;
    joinClicks += day.joinClicks;
  }
  return { timelineViews, logins, joinClicks };
}

function draw(): void {
  const most = Math.max(0, ...bars.flatMap((bar) => SERIES.map(({ field }) => bar[field])));
  const step = stepFor(most);
  const top = step * Math.max(1, Math.ceil(most / step));
  const fullness = Math.min(1, bars.length / FULL_BARS);
  svg.setAttribute('viewBox', `0 0 ${bars.length} ${HEIGHT}`);
  for (const { field, path, width } of SERIES) {
    const shapes = bars.map((bar, index) => {
      const height = (bar[field] / top) * HEIGHT;
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
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power]) if (step * 4 >= most) return step;
}

function drawScale(step: number, top: number): void {
  const labels: HTMLElement[] = [];
  let lines = '';
  for (let value = 0; value <= top; value += step) {
    const label = element('span', '', formatCount(value));
    label.style.bottom = `${(value / top) * 100}%`;
    labels.push(label);
    lines += `M0 ${HEIGHT - (value / top) * HEIGHT}h${bars.length}`;
  }
  scale.replaceChildren(...labels);
  find('#grid', SVGElement).setAttribute('d', lines);
}

function drawDates(): void {
  const step = Math.ceil(bars.length / MOST_DATES);
  const labels: HTMLElement[] = [];
  for (let index = Math.floor(step / 2); index < bars.length; index += step) {
    const label = element('span', '', SHORT.format(timeOf(bars[index]?.day)));
    label.style.left = `${((index + 0.5) / bars.length) * 100}%`;
    labels.push(label);
  }
  dates.replaceChildren(...labels);
}

const SHORT = utcFormat({ day: 'numeric', month: 'short' });
const LONG = utcFormat({ weekday: 'long', day: 'numeric', month: 'long' });
const RANGE = utcFormat({ dateStyle: 'medium' });

function utcFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });
}

function timeOf(day = ''): number {
  return Date.parse(day);
}

function nameBar({ day, lastDay }: Bar): string {
  if (day === lastDay) return LONG.format(timeOf(day));
  return RANGE.formatRange(timeOf(day), timeOf(lastDay));
}

/** Writes the numbers of a bar, or the sums of the period. */
function tell(index: number | undefined): void {
  const bar = index === undefined ? undefined : bars[index];
  const numbers = bar ?? sumOf(bars);
  const unit = isByWeek ? 'by week' : 'by day';
  const name = bar ? nameBar(bar) : unit;
  find('#when', HTMLElement).textContent = name;
  for (const { field, text } of SERIES)
    find(text, HTMLElement).textContent = formatCount(numbers[field]);
  chosen.setAttribute('x', String(bar ? index : -1));
  slider.ariaValueText = `${name}: ${describe(numbers)}`;
}

function describe({ timelineViews, logins, joinClicks }: Counts): string {
  return [
    countOf(timelineViews, 'view'),
    countOf(logins, 'login'),
    countOf(joinClicks, 'join'),
  ].join(', ');
}

function follow({ clientX }: PointerEvent): void {
  const { left, width } = svg.getBoundingClientRect();
  const index = Math.floor(((clientX - left) / width) * bars.length);
  const inside = Math.min(Math.max(0, index), bars.length - 1);
  slider.value = String(inside);
  tell(inside);
}

export function startChart(): void {
  svg.addEventListener('pointermove', follow);
  svg.addEventListener('pointerdown', follow);
  chart.addEventListener('pointerleave', ({ pointerType }) => {
    // A finger that was lifted leaves its day.
    if (pointerType === 'mouse') tell(undefined);
  });
  slider.addEventListener('input', () => tell(slider.valueAsNumber));
  slider.addEventListener('blur', () => tell(undefined));
}
