/** Reads the tools' arguments. */

import { normalizeEmail } from '../addresses/normalize.ts';
import { EVENT_TYPES } from '../store/events.ts';
import { ALL_TIME, dayOf, type Period, parseDay } from '../store/period.ts';
import { UsageError } from './shell.ts';
import type { Call } from './tool.ts';

/** The options that `readPeriod` reads, in a usage. */
export const PERIOD = '[--from <day>] [--to <day>]';

/** The option of every list, in a usage. `defineTool` adds the formats of the tool to it. */
export const LIST = '[--limit <n>]';

/** @param word by default the first one of the call @throws {UsageError} if it is no address */
export function readEmail(
  { words: [first = ''] }: Call,
  word = first,
  normalize = normalizeEmail,
): string {
  const email = normalize(word);
  if (email === undefined) throw new UsageError(`${JSON.stringify(word)} is not an email address`);
  return email;
}

/** @throws {UsageError} if the option is not one of the allowed values */
export const readChoice = <T extends string>(call: Call, name: string, allowed: readonly T[]) =>
  readOption(call, name, `one of ${allowed.join(', ')}`, (text) =>
    allowed.find((each) => each === text),
  );

/** The days from `--from` to `--to`, or to today. @throws {UsageError} */
export function readPeriod(call: Call): Period | undefined {
  const from = readOption(call, 'from', 'a day, as 2026-03-01', parseDay);
  const to = readOption(call, 'to', 'a day, as 2026-03-01', parseDay);
  if (from === undefined && to === undefined) return undefined;
  const first = from ?? ALL_TIME.from;
  const period = { from: first, to: to ?? Math.max(first, dayOf(Date.now())) };
  if (period.from > period.to) throw new UsageError('--from is after --to');
  return period;
}

/** The filter and length of a list, as far as the call gives one. */
export type Filter = ReturnType<typeof readFilter>;

/** More rows than a list has. */
const ALL_ROWS = 2 ** 31 - 2;

/** @throws {UsageError} */
export const readFilter = (call: Call) => ({
  limit:
    readOption(call, 'limit', 'a whole number above 0', (text) =>
      /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined,
    ) ?? ALL_ROWS,
  type: readChoice(call, 'type', EVENT_TYPES),
  email: call.words.length > 0 ? readEmail(call) : undefined,
  period: readPeriod(call),
});

function readOption<T>(
  { option }: Call,
  name: string,
  expected: string,
  parse: (text: string) => T | undefined,
): T | undefined {
  const text = option(name);
  const value = text === undefined ? undefined : parse(text);
  if (text === undefined || value !== undefined) return value;
  throw new UsageError(`--${name} is ${JSON.stringify(text)}; it must be ${expected}`);
}
