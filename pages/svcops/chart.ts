/** The chart of a period. It is read with the pointer, or as a table. */
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

type Series = 'timelineViews' | 'logins' | 'joinClicks';

/** The numbers that the chart draws, of a day or a week. */
type Drawn = { readonly [Name in Series]: number };

/** The numbers of a day in the order of chart and table, each with its singular. */
const SERIES: readonly (readonly [series: Series, word: string])[] = [
  ['timelineViews', 'view'],
  ['logins', 'login'],
  ['joinClicks', 'join'],
];

const table = grid<Day>(find('#days', HTMLElement), [
  ['Date (UTC)', dayLink],
  ['Views', (day) => formatCount(day.timelineViews), 'number'],
  ['Logins', (day) => formatCount(day.logins), 'number'],
  ['Joins', (day) => formatCount(day.joinClicks), 'number'],
]);

/** In px. If the card beside the chart is higher, the chart is as high as the card. */
const MIN_HEIGHT = 240;

/** Seconds of a day. */
const DAY = 86_400;

/** Above this number of days, the narrow chart of a phone shows weeks. */
const MOST_DAYS = 45;
const phone = matchMedia('(max-width: 44.99rem)');

/** A point of the chart: the sums of one day, or of the days from `day` to `lastDay`. */
type Point = Drawn & { readonly day: string; readonly lastDay: string };

/** Possible steps of an axis: 1, 2, 5, 10, … */
const STEPS: number[] = [];
for (let power = 1; power <= 1e9; power *= 10) STEPS.push(power, 2 * power, 5 * power);

let days: readonly Day[] = [];
/** A point for each day, or for each week. */
let points: readonly Point[] = [];
let plot: uPlot | undefined;
/**
 * The index of the pressed point. Its numbers stay when the finger leaves the chart.
 */
let pressed: number | null | undefined;

/** @param first the first day with data. Earlier days are left out if there is a later one */
export function showChart(period: readonly Day[], first: string | null): void {
  const withData = period.filter(({ day }) => day >= (first ?? ''));
  const shown = withData.length > 0 ? withData : period;
  if (JSON.stringify(shown) === JSON.stringify(days)) return;
  days = shown;
  showPoints();
  showFew(table.body, all, days.toReversed(), (day) => table.row(day), 'day');
}

function showPoints(): void {
  const isByWeek = phone.matches && days.length > MOST_DAYS;
  points = isByWeek ? weeksOf(days) : days.map((day) => ({ ...day, lastDay: day.day }));
  pressed = undefined;
  const from = days[0];
  const to = days.at(-1);
  const range = from && to ? nameRange(from.day, to.day) : '';
  title.textContent = isByWeek ? 'Activity by week' : 'Activity by day';
  span.textContent = range === '' ? '' : `${range} (UTC)`;
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
    const first = week[0];
    const last = week.at(-1);
    if (first && last)
      weeks.unshift({
        day: first.day,
        lastDay: last.day,
        timelineViews: sumOf(week, 'timelineViews'),
        logins: sumOf(week, 'logins'),
        joinClicks: sumOf(week, 'joinClicks'),
      });
  }
  return weeks;
}

function sumOf(all: readonly Drawn[], series: Series): number {
  let sum = 0;
  for (const day of all) sum += day[series];
  return sum;
}

/** A text such as `692 views, 379 logins, 62 joins`. */
const describe = (all: readonly Drawn[]): string =>
  SERIES.map(([series, word]) => formatCount(sumOf(all, series), word)).join(', ');

/** A link to the page whose period is one day. */
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
  // uPlot shows these dots for a few days. A single day makes no line.
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
        x: { range: timesOfAxis },
        y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
      },
      axes: [
        {
          ...axis,
          grid: hidden,
          // For a few days, uPlot also has ticks for hours. They get no name.
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

/**
 * The first and the last time of the axis. There is half a step before and after the points.
 */
function timesOfAxis(): [from: number, to: number] {
  // For a single point, uPlot itself would set a maximum that is years later.
  const [times] = columns();
  const daysOfPoint = points.length < days.length ? 7 : 1;
  const half = (daysOfPoint / 2) * DAY;
  return [(times[0] ?? 0) - half, (times.at(-1) ?? 0) + half];
}

const sizeOfChart = () => ({
  width: chart.clientWidth,
  height: Math.max(MIN_HEIGHT, chart.clientHeight),
});

/** Shows the numbers of a point, or of all days if no point is chosen. */
function tell(index: number | null | undefined): void {
  const onlyPoint = days.length === 1 ? points[0] : undefined;
  const point = points[index ?? -1] ?? onlyPoint;
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

phone.addEventListener('change', () => {
  if (days.length > 0) showPoints();
});

for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print'])
  matchMedia(query).addEventListener('change', () => {
    if (plot) draw();
  });
