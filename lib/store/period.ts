/** Periods: ranges of UTC days. */

/** Days since 1970-01-01, both included; infinite where the period is open. */
export type Period = { readonly from: number; readonly to: number };

export type PeriodFilter = { readonly period?: Period | undefined };

/** In ms. */
const DAY = 86_400_000;

export const ALL_TIME: Period = { from: -Infinity, to: Infinity };

/** The day of a time in epoch ms. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY);

/** `YYYY-MM-DD` */
export const formatDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** The day of `YYYY-MM-DD`; `undefined` if there is no such day. */
export function parseDay(text: string): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) / DAY : Number.NaN;
  return Number.isInteger(day) && formatDay(day) === text ? day : undefined;
}

/** A condition in SQL: the time is in the period of `@from` and `@to`, which may be infinite. */
export const periodSql = (column: string): string =>
  `${column} between @from * ${DAY} and @to * ${DAY} + ${DAY - 1}`;

const daysSql = (value: string): string =>
  `(select ${value} from days where day between @from and @to)`;

/** The same for events, with the ids of the counted days, because no index has their times. */
export const EVENTS_OF_PERIOD = `id between ${daysSql('min(first_id)')}
  and ${daysSql('max(last_id)')} and ${periodSql('occurred_at')}`;
