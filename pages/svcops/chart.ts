/** The chart of a period, read by pointer or as a table. */
import uPlot from 'uplot';
import type { Day } from '../../lib/records.ts';
import { nameDay, nameRange, shortDay } from './days.ts';
import { element, find } from './elements.ts';
import { grid, showFew } from './list.ts';
import { formatCount } from './parts.ts';

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

const HEIGHT = 240;

/** Seconds of half a day. */
const HALF = 43_200;

/** Distances between the numbers of an axis: 1, 2, 5, 10, … */
const STEPS = Array.from({ length: 10 }, (_, i) => [1, 2, 5].map((n) => n * 10 ** i)).flat();

let days: readonly Day[] = [];
let plot: uPlot | undefined;
/** The point that was pressed: a finger leaves the chart at once. */
let pressed: number | null | undefined;

/** @param first the first day with data; days before it are left out if later ones are there */
export function showChart(period: readonly Day[], first: string | null): void {
  const withData = period.filter(({ day }) => day >= (first ?? ''));
  const shown = withData.length > 0 ? withData : period;
  if (JSON.stringify(shown) === JSON.stringify(days)) return;
  days = shown;
  pressed = undefined;
  const [from, to] = [days[0], days.at(-1)];
  span.textContent = from && to ? `${nameRange(from.day, to.day)} (UTC)` : '';
  if (plot) plot.setData(columns());
  else draw();
  tell(plot?.cursor.idx);
  showFew(table.body, all, days.toReversed(), (day) => table.row(day));
}

/** A link to the page with a day as its period. */
function dayLink({ day }: Day): HTMLElement {
  const link = element('a', 'person', nameDay(day));
  link.href = `?from=${day}&to=${day}`;
  return link;
}

/** Times in epoch seconds, then the numbers of each series. */
const columns = (): [number[], ...number[][]] => [
  days.map(({ day }) => Date.parse(day) / 1000),
  ...SERIES.map(([series]) => days.map((day) => day[series])),
];

/** Draws the chart again, with the current colours. */
function draw(): void {
  plot?.destroy();
  const style = getComputedStyle(chart);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const hidden = { show: false };
  // Those of few days are shown: a single day makes no line.
  const points = { fill: color('card') };
  const bars = uPlot.paths.bars?.({ size: [0.6, 12] });
  const axis = { stroke: color('quiet'), font: `13px ${style.fontFamily}`, ticks: hidden };
  plot = new uPlot(
    {
      width: chart.clientWidth,
      height: HEIGHT,
      padding: [8, 20, 0, 0],
      legend: hidden,
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        // The maximum that uPlot gives for a single point is years later.
        x: { range: ({ data: [[...x]] }, min) => [min - HALF, (x.at(-1) ?? 0) + HALF] },
        y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
      },
      axes: [
        {
          ...axis,
          grid: hidden,
          // In few days the hours have ticks too.
          values: (_, ticks) =>
            ticks.map((tick) => (tick % 86_400 === 0 ? shortDay(tick * 1000) : null)),
          space: 72,
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
        { stroke: color('views'), fill: color('views-fill'), width: 2, points },
        { stroke: color('logins'), width: 1.25, points },
        { fill: color('joins'), width: 0, points: hidden, ...(bars && { paths: bars }) },
      ],
      hooks: { setCursor: [({ cursor }) => tell(cursor.idx ?? pressed)] },
    },
    columns(),
    chart,
  );
}

/** Shows the numbers of a day, or of all days if none is chosen. */
function tell(index: number | null | undefined): void {
  const day = days[index ?? -1];
  const when = day ? nameDay(day.day) : `${formatCount(days.length)}-day total:`;
  const numbers = SERIES.map(([series, word]) => {
    const count = (day ? [day] : days).reduce((total, each) => total + each[series], 0);
    return formatCount(count, word);
  }).join(', ');
  readout.replaceChildren(element('strong', '', when), ` ${numbers}`);
}

chart.addEventListener('click', ({ clientX }) => {
  const left = clientX - (plot?.over.getBoundingClientRect().left ?? 0);
  plot?.setCursor({ left, top: 0 });
  pressed = plot?.cursor.idx;
});

new ResizeObserver(() => {
  if (plot && plot.width !== chart.clientWidth)
    plot.setSize({ width: chart.clientWidth, height: HEIGHT });
}).observe(chart);

for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print'])
  matchMedia(query).addEventListener('change', () => plot && draw());
