/** Periods: ranges of UTC days. */

/** Days since 1970-01-01, both included; infinite for an open end. */
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
  // `2026-03-01`, but not `2026-3-1` or `2026-03-01T12:00`
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = Date.parse(text) / DAY;
  if (!Number.isInteger(day)) return undefined;
  // Date.parse reads the 31st of February as a day of March.
  return formatDay(day) === text ? day : undefined;
}

/** The period of equal length before it: for days 8 to 10, days 5 to 7. */
export const precedingPeriod = ({ from, to }: Period): Period => ({
  from: from - (to - from + 1),
  to: from - 1,
});

/**
 * Makes a period that has both days. Without a first day, it begins with the first day with data,
 * and ends today at the latest. The period until day 20, with data since day 3, becomes days 3 to
 * 20.
 *
 * @param first the first day with data; `undefined` without data
 * @param most the longest period, in days; earlier days are left out
 */
export function closePeriod(
  { from, to }: Period,
  first: number | undefined,
  today: number,
  most: number,
): Period {
  if (from !== -Infinity) return { from, to };
  const last = Math.min(to, today);
  const begin = Math.min(first ?? last, last);
  return { from: Math.max(begin, last - most + 1), to: last };
}

/** A condition in SQL: a time is in the period from `@from` to `@to`, which may be infinite. */
export const periodSql = (column: string): string =>
  `${column} between @from * ${DAY} and @to * ${DAY} + ${DAY - 1}`;

/** The first or the last id among the events of the period's days, which are counted. */
const ofCountedDays = (value: 'min(first_event)' | 'max(last_event)'): string =>
  `(select ${value} from day_totals where day between @from and @to)`;

/**
 * A condition in SQL: an event is in the period. No index has the times of events, so their ids
 * limit the search.
 */
export const EVENT_IN_PERIOD = `id between ${ofCountedDays('min(first_event)')}
  and ${ofCountedDays('max(last_event)')} and ${periodSql('occurred_at')}`;
