/** Reads the tools' arguments. */
import { normalizeEmail } from '../addresses/address.ts';
import { emailMistake, normalizeInvitedEmail } from '../addresses/normalize.ts';
import { ALL_TIME, dayOf, type Period, parseDay } from '../store/period.ts';
import { UsageError } from './shell.ts';
import type { Call } from './tool.ts';

/** The options that `readPeriod` reads, in a usage. */
export const PERIOD = '[--from <day>] [--to <day>]';

/** The option of every list, in a usage. `defineTool` adds the formats of the tool to it. */
export const LIST = '[--limit <n>]';

/** The filters and the length of a list. */
export type Filter = {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Normalized. */
  readonly email: string | undefined;
  readonly period: Period | undefined;
};

/** No list has so many rows. */
const ALL_ROWS = 2 ** 31 - 2;

/** @throws {UsageError} if the text is no email address */
export function readEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email === undefined) throw new UsageError(`${JSON.stringify(text)} is not an email address`);
  return email;
}

/** An address to invite, in the form of new invites. @throws {UsageError} if nobody can type it */
export function readInvitedEmail(text: string): string {
  const email = normalizeInvitedEmail(text);
  if (email !== undefined) return email;
  if (emailMistake(text) === 'mixed_alphabets')
    throw new UsageError(`${JSON.stringify(text)} has letters of two alphabets`);
  throw new UsageError(`${JSON.stringify(text)} is not an email address`);
}

/** @throws {UsageError} if the option is not one of the allowed values */
export function readChoice<T extends string>(
  call: Call,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const expected = `one of ${allowed.join(', ')}`;
  return readOption(call, name, expected, (text) => allowed.find((each) => each === text));
}

/** The days from `--from` to `--to`, or to today. @throws {UsageError} */
export function readPeriod(call: Call): Period | undefined {
  const from = readOption(call, 'from', 'a day, like 2026-03-01', parseDay);
  const to = readOption(call, 'to', 'a day, like 2026-03-01', parseDay);
  if (from === undefined && to === undefined) return undefined;
  const first = from ?? ALL_TIME.from;
  const period = { from: first, to: to ?? Math.max(first, dayOf(Date.now())) };
  if (period.from > period.to) throw new UsageError('--from is after --to');
  return period;
}

/** @throws {UsageError} */
export function readFilter(call: Call): Filter {
  const [email] = call.words;
  return {
    limit: readLimit(call),
    email: email === undefined ? undefined : readEmail(email),
    period: readPeriod(call),
  };
}

/** The value of `--limit`; without it, all rows. @throws {UsageError} */
export function readLimit(call: Call): number {
  return readOption(call, 'limit', 'a whole number above 0', parseLimit) ?? ALL_ROWS;
}

function parseLimit(text: string): number | undefined {
  // `25`, not `0` or `2.5`
  if (!/^[1-9]\d{0,8}$/.test(text)) return undefined;
  return Number(text);
}

/** @param parse returns `undefined` for a text that is not `expected` */
function readOption<T>(
  { option }: Call,
  name: string,
  expected: string,
  parse: (text: string) => T | undefined,
): T | undefined {
  const text = option(name);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value !== undefined) return value;
  throw new UsageError(`--${name} is ${JSON.stringify(text)}; it must be ${expected}`);
}
