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
  const values: Record<string, string | number> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    const parameter = known.find((each) => each === name);
    const value = parameter && readParameter(parameter, text);
    if (value === undefined || name in values) return undefined;
    values[name] = value;
  }
  return values;
}

function readParameter(name: keyof Query, text: string): string | number | undefined {
  switch (name) {
    case 'email':
      return readEmail(text);
    case 'type':
      return EVENT_TYPES.find((type) => type === text);
    case 'before':
      return readCount(text);
    case 'days':
      return text === 'all' ? text : readDays(text);
  }
}

function readDays(text: string): number | undefined {
  const days = readCount(text);
  return days !== undefined && days <= MAX_DAYS ? days : undefined;
}

/** `1` and `500`, but not `0`, `007` and `1e3`. */
function readCount(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
