/** The chart of a period by day, week or month, read by pointer or as a table. */
import uPlot from 'uplot';
import type { Day } from '../../lib/records.ts';
import {
  columnsOf,
  type Group,
  groupDays,
  nameGroup,
  nameRange,
  shortDay,
  type Unit,
  unitFor,
} from './days.ts';
import { element, find } from './elements.ts';
import { grid, showFew } from './list.ts';
import { formatCount } from './parts.ts';
import { showDays } from './period.ts';

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

const table = grid<Group>(find('#days', HTMLElement), [
  ['Date (UTC)', groupLink],
  ['Views', (day) => formatCount(day.timelineViews), 'number'],
  ['Logins', (day) => formatCount(day.logins), 'number'],
  ['Joins', (day) => formatCount(day.joinClicks), 'number'],
]);

const HEIGHT = 240;

/** Seconds from the middle to the end of a point. */
const HALF: Readonly<Record<Unit, number>> = { day: 43_200, week: 302_400, month: 1_296_000 };

/** Distances between the numbers of an axis: 1, 2, 5, 10, … */
const STEPS = Array.from({ length: 10 }, (_, i) => [1, 2, 5].map((n) => n * 10 ** i)).flat();

let daily: readonly Day[] = [];
let unit: Unit = 'day';
let days: readonly Group[] = [];
let plot: uPlot | undefined;
/** The point that was tapped: a finger leaves the chart at once, a mouse stays. */
let tapped: number | null | undefined;

/** @param first the first day with data; days before it are left out if later ones are there */
export function showChart(period: readonly Day[], first: string | null): void {
  const withData = period.filter(({ day }) => day >= (first ?? ''));
  const shown = withData.length > 0 ? withData : period;
  if (JSON.stringify(shown) === JSON.stringify(daily)) return;
  daily = shown;
  unit = unitFor(daily.length);
  days = groupDays(daily, unit);
  const [from, to] = [days[0], days.at(-1)];
  title.textContent = `By ${unit}`;
  span.textContent = from && to ? `${nameRange(from.day, to.last)} (UTC)` : '';
  // Few points are drawn in another way.
  if (plot && Math.min(plot.data[0].length, days.length) > 2) plot.setData(columnsOf(days));
  else draw();
  tapped = undefined;
  tell(plot?.cursor.idx);
  showFew(
    table.body,
    all,
    days.toReversed().map((day) => table.row(day)),
  );
}

/** A link to the page with a day, week or month as its period. */
function groupLink(group: Group): HTMLElement {
  const link = element('a', 'person', nameGroup(group, unit));
  link.href = `?from=${group.day}&to=${group.last}`;
  return link;
}

/** Draws the chart again, with the current colours. */
function draw(): void {
  plot?.destroy();
  const style = getComputedStyle(chart);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `13px ${style.fontFamily}`;
  // A line needs more points: in fewer, three bars stand side by side.
  const isFew = days.length <= 2;
  const width = HALF[unit] / 6;
  const bars = (place: number) => {
    const times = (u: uPlot) => [...u.data[0]];
    const disp: uPlot.Series.BarsPathBuilderOpts['disp'] = {
      x0: { unit: 1, values: (u) => times(u).map((time) => time + (place - 1.5) * width) },
      size: { unit: 1, values: (u) => times(u).map(() => width) },
    };
    const paths = uPlot.paths.bars?.(isFew ? { disp } : { size: [0.6, 12] });
    return paths ? { paths } : {};
  };
  const joins = color('joins');
  const hidden = { show: false };
  const views = {
    stroke: color('views'),
    fill: color(isFew ? 'views' : 'views-fill'),
    width: 2,
    points: hidden,
    ...(isFew && bars(0)),
  };
  const logins = {
    stroke: color('logins'),
    ...(isFew && { fill: color('logins') }),
    width: 1.25,
    points: hidden,
    ...(isFew && bars(1)),
  };
  const axis = { stroke: color('quiet'), font, ticks: hidden };
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
        x: { range: ({ data: [[...x]] }, min) => [min - HALF[unit], (x.at(-1) ?? 0) + HALF[unit]] },
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
        views,
        { ...views, dash: [4, 4] },
        logins,
        { ...logins, dash: [4, 4] },
        { stroke: joins, fill: joins, width: 0, points: hidden, ...bars(2) },
      ],
      hooks: { setCursor: [({ cursor }) => tell(cursor.idx ?? tapped)] },
    },
    columnsOf(days),
    chart,
  );
}

/** Shows the numbers of a day, or of all days if none is chosen. */
function tell(index: number | null | undefined): void {
  const day = days[index ?? -1];
  const when = day ? nameGroup(day, unit) : `${formatCount(daily.length)}-day total:`;
  const numbers = SERIES.map(([series, word]) => {
    const count = (day ? [day] : days).reduce((total, each) => total + each[series], 0);
    return formatCount(count, word);
  }).join(', ');
  readout.replaceChildren(element('strong', '', when), ` ${numbers}`);
}

/** Makes a day, week or month the period. */
function choose(): void {
  const group = days[plot?.cursor.idx ?? -1];
  if (group) showDays(group.day, group.last);
}

chart.addEventListener('click', ({ clientX }) => {
  // A pointer that has not moved since the page scrolled below it has shown no day yet.
  const left = clientX - (plot?.over.getBoundingClientRect().left ?? 0);
  plot?.setCursor({ left, top: 0 });
  const isShown = matchMedia('(hover: hover)').matches || plot?.cursor.idx === tapped;
  tapped = plot?.cursor.idx;
  if (isShown) choose();
});

new ResizeObserver(() => {
  if (plot && plot.width !== chart.clientWidth)
    plot.setSize({ width: chart.clientWidth, height: HEIGHT });
}).observe(chart);

for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print'])
  matchMedia(query).addEventListener('change', () => plot && draw());
