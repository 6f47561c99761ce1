/** Reads the query of an administrator's list. */
import { readEmail } from '../addresses.ts';
import type { LogFilter } from '../records.ts';
import { EVENT_TYPES } from '../store/events.ts';

/** Ten years. */
const MAX_DAYS = 3660;

export type Query = Pick<LogFilter, 'email' | 'type' | 'before'> & {
  readonly days: number | 'all' | undefined;
};

/** @returns `undefined` if a parameter is unknown, repeated or wrong */
export function readQuery(text: string, known: readonly (keyof Query)[]): Query | undefined {
  const sent = new URLSearchParams(text);
  const textOf = (name: keyof Query): string => (known.includes(name) && sent.get(name)) || '';
  const query: Query = {
    email: readEmail(textOf('email')),
    type: EVENT_TYPES.find((type) => type === textOf('type')),
    before: readCount(textOf('before')),
    days: textOf('days') === 'all' ? 'all' : readCount(textOf('days'), MAX_DAYS),
  };
  // A wrong one is `undefined`, a repeated one is read once, an unknown one not at all.
  const read = Object.values(query).filter((value) => value !== undefined);
  return read.length === sent.size ? query : undefined;
}

/** `1` and `500`, but not `0`, `007` and `1e3`. */
function readCount(text: string, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (!/^[1-9]\d{0,14}$/.test(text) || Number(text) > most) return undefined;
  return Number(text);
}
