/** The chart of a period, read by pointer or as a table. */
import uPlot from 'uplot';
import type { Day } from '../../lib/records.ts';
import { nameDay, nameRange, shortDay } from './days.ts';
import { element, find } from './elements.ts';
import { grid, showFew } from './list.ts';
import { formatCount } from './parts.ts';

const title = find('#chart-title', HTMLElement);
const span = find('#chart-span', HTMLElement);
const chart = find('#chart', HTMLElement);
const readout = find('#day', HTMLElement);
const all = find('#days-all', HTMLButtonElement);

/** The numbers of a day, in the order of the chart and of the table, with the word for one. */
const SERIES = [
  ['timelineViews', 'view'],
  ['logins', 'login'],
  ['joinClicks', 'join'],
] as const;

const table = grid<Day>(find('#days', HTMLElement), [
  ['Date (UTC)', dayLink],
  ['Views', (day) => formatCount(day.timelineViews), 'number'],
  ['Logins', (day) => formatCount(day.logins), 'number'],
  ['Joins', (day) => formatCount(day.joinClicks), 'number'],
]);

/** In px. Beside a higher card, the chart grows. */
const MIN_HEIGHT = 240;

/** Seconds of a day. */
const DAY = 86_400;

/** A phone shows more days than these by weeks: its chart is too narrow for them. */
const MOST_DAYS = 45;
const phone = matchMedia('(max-width: 44.99rem)');

/** The numbers of days that the chart shows as one point. */
type Point = Day & { readonly lastDay: string };

/** Distances between the numbers of an axis: 1, 2, 5, 10, … */
const STEPS = Array.from({ length: 10 }, (_, i) => [1, 2, 5].map((n) => n * 10 ** i)).flat();

let days: readonly Day[] = [];
/** A point for each day, or for each week. */
let points: readonly Point[] = [];
let plot: uPlot | undefined;
/** The point that was pressed: a finger leaves the chart at once. */
let pressed: number | null | undefined;

/** @param first the first day with data; days before it are left out if later ones are there */
export function showChart(period: readonly Day[], first: string | null): void {
  const withData = period.filter(({ day }) => day >= (first ?? ''));
  const shown = withData.length > 0 ? withData : period;
  if (JSON.stringify(shown) === JSON.stringify(days)) return;
  days = shown;
  showPoints();
  showFew(table.body, all, days.toReversed(), (day) => table.row(day));
}

function showPoints(): void {
  const isByWeek = phone.matches && days.length > MOST_DAYS;
  points = isByWeek ? weeksOf(days) : days.map((day) => ({ ...day, lastDay: day.day }));
  pressed = undefined;
  const [from, to] = [days[0], days.at(-1)];
  const range = from && to ? nameRange(from.day, to.day) : '';
  title.textContent = isByWeek ? 'Activity by week' : 'Activity by day';
  span.textContent = range && `${range} (UTC)`;
  chart.ariaLabel = `${title.textContent}, ${range}: ${describe(points)}`;
  if (plot) plot.setData(columns());
  else draw();
  tell(plot?.cursor.idx);
}

/** Weeks that end with the last day: of 10 days, the first 3 and the last 7. */
function weeksOf(all: readonly Day[]): readonly Point[] {
  const weeks: Point[] = [];
  for (let end = all.length; end > 0; end -= 7) {
    const week = all.slice(Math.max(0, end - 7), end);
    const [first, last] = [week[0], week.at(-1)];
    if (first && last) weeks.unshift({ ...sumsOf(week), day: first.day, lastDay: last.day });
  }
  return weeks;
}

const sumOf = (all: readonly Day[], series: (typeof SERIES)[number][0]): number =>
  all.reduce((total, each) => total + each[series], 0);

const sumsOf = (all: readonly Day[]) => ({
  timelineViews: sumOf(all, 'timelineViews'),
  logins: sumOf(all, 'logins'),
  joinClicks: sumOf(all, 'joinClicks'),
});

/** `692 views, 379 logins, 62 joins` */
const describe = (all: readonly Day[]): string =>
  SERIES.map(([series, word]) => formatCount(sumOf(all, series), word)).join(', ');

/** A link to the page with a day as its period. */
function dayLink({ day }: Day): HTMLElement {
  const link = element('a', 'person', nameDay(day));
  link.href = `?from=${day}&to=${day}`;
  return link;
}

/** Times in epoch seconds, then the numbers of each series. */
const columns = (): [number[], ...number[][]] => [
  points.map(({ day }) => Date.parse(day) / 1000),
  ...SERIES.map(([series]) => points.map((point) => point[series])),
];

/** Draws the chart again, with the current colours. */
function draw(): void {
  plot?.destroy();
  const style = getComputedStyle(chart);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const hidden = { show: false };
  // Those of few days are shown: a single day makes no line.
  const dots = { fill: color('card') };
  const bars = uPlot.paths.bars?.({ size: [0.6, 12] });
  const axis = { stroke: color('quiet'), font: `13px ${style.fontFamily}`, ticks: hidden };
  plot = new uPlot(
    {
      ...sizeOfChart(),
      padding: [8, 20, 0, 0],
      legend: hidden,
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        // The maximum that uPlot gives for a single point is years later.
        x: { range: ({ data: [[...x]] }, min) => [min - half(), (x.at(-1) ?? 0) + half()] },
        y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
      },
      axes: [
        {
          ...axis,
          grid: hidden,
          // In few days the hours have ticks too.
          values: (_, ticks) =>
            ticks.map((tick) => (tick % DAY === 0 ? shortDay(tick * 1000) : null)),
          space: 60,
          size: 28,
        },
        {
          ...axis,
          grid: { stroke: color('line'), width: 1 },
          size: 44,
          incrs: STEPS,
          values: (_, ticks) => ticks.map((tick) => formatCount(tick)),
        },
      ],
      series: [
        {},
        { stroke: color('views'), fill: color('views-fill'), width: 2, points: dots },
        { stroke: color('logins'), width: 1.25, points: dots },
        { fill: color('joins'), width: 0, points: hidden, ...(bars && { paths: bars }) },
      ],
      hooks: { setCursor: [({ cursor }) => tell(cursor.idx ?? pressed)] },
    },
    columns(),
    chart,
  );
}

/** Seconds from a point to the edge of its part of the axis. */
const half = (): number => (points.length < days.length ? 3.5 : 0.5) * DAY;

const sizeOfChart = () => ({
  width: chart.clientWidth,
  height: Math.max(MIN_HEIGHT, chart.clientHeight),
});

/** Shows the numbers of a point, or of all days if none is chosen. */
function tell(index: number | null | undefined): void {
  const point = points[index ?? -1] ?? (days.length === 1 ? points[0] : undefined);
  const when = point ? namePoint(point) : `${formatCount(days.length)}-day total:`;
  const numbers = describe(point ? [point] : points);
  readout.replaceChildren(element('strong', '', when), ` ${numbers}`);
}

const namePoint = ({ day, lastDay }: Point): string =>
  day === lastDay ? nameDay(day) : nameRange(day, lastDay);

chart.addEventListener('click', ({ clientX }) => {
  const left = clientX - (plot?.over.getBoundingClientRect().left ?? 0);
  plot?.setCursor({ left, top: 0 });
  pressed = plot?.cursor.idx;
});

new ResizeObserver(() => {
  const { width, height } = sizeOfChart();
  if (plot && (plot.width !== width || plot.height !== height)) plot.setSize({ width, height });
}).observe(chart);

phone.addEventListener('change', () => days.length > 0 && showPoints());

for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print'])
  matchMedia(query).addEventListener('change', () => plot && draw());
