/** UTC days, as `YYYY-MM-DD`, and their names. */

const DAY = 86_400_000;

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The day that is a number of days after another; before it if the number is negative. */
export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY);

/**
 * Dates and numbers are English, like the words. If the viewer has a kind of English, it is used.
 */
export const LOCALE = navigator.languages.find((tag) => /^en(-|$)/.test(tag)) ?? 'en-GB';

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });

const LONG_DAY = utc({ dateStyle: 'full' });
const SHORT_DAY = utc({ day: 'numeric', month: 'short' });
const RANGE = utc({ dateStyle: 'medium' });

/** @param time epoch ms */
export const shortDay = (time: number): string => SHORT_DAY.format(time);

export const nameRange = (from: string, to: string): string =>
  RANGE.formatRange(Date.parse(from), Date.parse(to));

/** The name of a day. Today is not over. */
export const nameDay = (day: string): string =>
  `${LONG_DAY.format(Date.parse(day))}${day === dayOf(Date.now()) ? ', so far' : ''}`;
