/** Reads the query of an administrator's list. */
import { readEmail } from '../addresses.ts';
import type { EventType } from '../records.ts';
import { EVENT_TYPES } from '../store/events.ts';

/** Ten years. */
const MAX_DAYS = 3660;

export type Query = {
  readonly email?: string;
  readonly type?: EventType;
  /** Only rows with a smaller id. */
  readonly before?: number;
  readonly days?: number | 'all';
};

/** @returns `undefined` if a parameter is unknown, repeated or wrong */
export function readQuery(query: string, known: readonly (keyof Query)[]): Query | undefined {
  let found: Query = {};
  for (const [name, text] of new URLSearchParams(query)) {
    const parameter = known.find((each) => each === name && !Object.hasOwn(found, name));
    const value = parameter && readParameter(parameter, text);
    if (parameter === undefined || value === undefined) return undefined;
    found = { ...found, [parameter]: value };
  }
  return found;
}

function readParameter(name: keyof Query, text: string): string | number | undefined {
  if (name === 'email') return readEmail(text);
  if (name === 'type') return EVENT_TYPES.find((type) => type === text);
  if (name === 'days' && text === 'all') return text;
  // `1` and `500`, but not `0`, `007` and `1e3`
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const isTooMany = name === 'days' && Number(text) > MAX_DAYS;
  return isTooMany ? undefined : number;
}
