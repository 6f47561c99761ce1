/** UTC days, as `YYYY-MM-DD`, their names, and their grouping for the chart. */
import type { Day } from '../../lib/records.ts';

const DAY = 86_400_000;

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The day so many days after a day, or before it if negative. */
export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY);

/** Number of days from one to another, both included; 0 or less if they are in the wrong order. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / DAY + 1;

export type Dates = Readonly<Record<'from' | 'to', string>>;

/** The last whole week, Monday to Sunday, or the last whole month before a day. */
export function lastWhole(unit: 'week' | 'month', today: string): Dates {
  const to = addDays(startOf(today, unit), -1);
  return { from: startOf(to, unit), to };
}

/** A point of the chart: the sums of the days from `day` to `last`. */
export type Group = Day & { readonly last: string };

export type Unit = 'day' | 'week' | 'month';

/** How a number of days is drawn. */
export const unitFor = (days: number): Unit => (days > 730 ? 'month' : days > 120 ? 'week' : 'day');

/** Groups days by weeks from Monday or by months. Those at both ends may be incomplete. */
export function groupDays(days: readonly Day[], unit: Unit): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const day of days) {
    const key = startOf(day.day, unit);
    const sum = groups.get(key);
    groups.set(key, {
      day: sum?.day ?? day.day,
      last: day.day,
      logins: (sum?.logins ?? 0) + day.logins,
      timelineViews: (sum?.timelineViews ?? 0) + day.timelineViews,
      joinClicks: (sum?.joinClicks ?? 0) + day.joinClicks,
    });
  }
  return [...groups.values()];
}

/** Whether a day, week or month has today in it. */
export const isSoFar = (group?: Group): boolean => group?.last === dayOf(Date.now());

/** For the chart: times in epoch seconds, then numbers. Those to an unfinished point are apart. */
export function columnsOf(groups: readonly Group[]): [number[], ...(number | null)[][]] {
  const over = isSoFar(groups.at(-1)) ? groups.length - 1 : Infinity;
  return [
    groups.map(({ day }) => Date.parse(day) / 1000),
    ...(['timelineViews', 'logins'] as const).flatMap((name) => [
      groups.map(({ [name]: count }, i) => (i < over ? count : null)),
      groups.map(({ [name]: count }, i) => (i < over - 1 ? null : count)),
    ]),
    groups.map(({ joinClicks }) => joinClicks),
  ];
}

function startOf(day: string, unit: Unit): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  // Sunday is day 0.
  return unit === 'week' ? addDays(day, -((new Date(day).getUTCDay() + 6) % 7)) : day;
}

/** Dates and numbers are English, as the words are: the viewer's English if they have one. */
export const LOCALE =
  [...(globalThis.navigator?.languages ?? [])].find((tag) => /^en(-|$)/.test(tag)) ?? 'en-GB';

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });

const LONG_DAY = utc({ dateStyle: 'full' });
const SHORT_DAY = utc({ day: 'numeric', month: 'short' });
const MONTH = utc({ month: 'long', year: 'numeric' });
const RANGE = utc({ dateStyle: 'medium' });

/** @param time epoch ms */
export const shortDay = (time: number): string => SHORT_DAY.format(time);

export const nameRange = (from: string, to: string): string =>
  RANGE.formatRange(Date.parse(from), Date.parse(to));

/** The name of a day, week or month. One that has today in it is not over. */
export function nameGroup(group: Group, unit: Unit): string {
  const { day, last } = group;
  const format = unit === 'month' ? MONTH : LONG_DAY;
  const dates = unit === 'week' ? nameRange(day, last) : format.format(Date.parse(day));
  return isSoFar(group) ? `${dates}, so far` : dates;
}
