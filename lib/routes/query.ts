/** Reads the query of an administrator's list. */
import { readEmail } from '../addresses.ts';
import type { EventType } from '../records.ts';
import { EVENT_TYPES } from '../store/events.ts';

/** Ten years. */
const MAX_DAYS = 3660;

type Parameters = {
  email?: string | undefined;
  type?: EventType | undefined;
  /** Only rows with a smaller id. */
  before?: number | undefined;
  days?: number | 'all' | undefined;
};

export type Query = Readonly<Parameters>;

/** @returns `undefined` if a parameter is unknown, repeated or wrong */
export function readQuery(query: string, known: readonly (keyof Query)[]): Query | undefined {
  const parameters: Parameters = {};
  for (const [sent, text] of new URLSearchParams(query)) {
    const name = known.find((each) => each === sent);
    if (name === undefined || name in parameters) return undefined;
    readParameter(parameters, name, text);
    if (parameters[name] === undefined) return undefined;
  }
  return parameters;
}

function readParameter(parameters: Parameters, name: keyof Query, text: string): void {
  switch (name) {
    case 'email':
      parameters.email = readEmail(text);
      break;
    case 'type':
      parameters.type = EVENT_TYPES.find((type) => type === text);
      break;
    case 'before':
      parameters.before = readCount(text);
      break;
    case 'days':
      parameters.days = text === 'all' ? text : readDays(text);
      break;
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
