/** Reads the query of an administrator's list. Whatever is unknown, repeated or wrong is refused. */
import { readEmail } from '../addresses.ts';
import type { EventType } from '../records.ts';
import { EVENT_TYPES } from '../store/events.ts';

/** Ten years. */
const MAX_DAYS = 3660;

/** Without `days=`. */
const DEFAULT_DAYS = 90;

/** Which rows of a log to list. */
export type LogQuery = {
  readonly email?: string | undefined;
  readonly type?: EventType | undefined;
  /** Only rows with a smaller id. */
  readonly before?: number | undefined;
};

/** @returns `undefined` if a parameter is not among the known ones, or repeated */
export function readParameters(
  query: string,
  known: readonly string[],
): URLSearchParams | undefined {
  const parameters = new URLSearchParams(query);
  const names = Array.from(parameters.keys());
  const isRepeated = new Set(names).size < names.length;
  return !isRepeated && names.every((name) => known.includes(name)) ? parameters : undefined;
}

/** Reads `?days=`. @returns `undefined` if the query is wrong, like the next one */
export function readDays(query: string): number | 'all' | undefined {
  const parameters = readParameters(query, ['days']);
  const text = parameters?.get('days') ?? String(DEFAULT_DAYS);
  if (!parameters || text === 'all') return parameters && 'all';
  const days = readNumber(text);
  return days !== undefined && days <= MAX_DAYS ? days : undefined;
}

export function readLogQuery(query: string, known: readonly string[]): LogQuery | undefined {
  const parameters = readParameters(query, known);
  if (!parameters) return undefined;
  const { email, type, before } = Object.fromEntries(parameters);
  const found = {
    email: email === undefined ? undefined : readEmail(email),
    type: EVENT_TYPES.find((each) => each === type),
    before: before === undefined ? undefined : readNumber(before),
  };
  const isWrong =
    (email !== undefined && found.email === undefined) ||
    (type !== undefined && found.type === undefined) ||
    (before !== undefined && found.before === undefined);
  return isWrong ? undefined : found;
}

/** `1` and `500`, but not `0`, `007` and `1e3` */
function readNumber(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
