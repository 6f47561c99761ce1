/** How the chart names its points. Its days are in UTC. */
import { type Group, isSoFar, type Unit } from './days.ts';

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });

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
