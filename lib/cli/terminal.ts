/** What the tools share: arguments, help, errors and exit statuses, tables for people and JSON for programs. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { asUnavailable, StoreError, StoreUnavailable } from '../store/errors.ts';

/** What was asked cannot be done (not invited, already there, …): exit status 1. */
export class Refusal extends Error {}

/** What was asked makes no sense: exit status 2. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

export type Arguments = {
  /** The words that are no options. */
  readonly words: readonly string[];
  flag(name: string): boolean;
  option(name: string): string | undefined;
};

/**
 * Runs a tool: parses the arguments, answers `--help`, and turns errors into one line on stderr and an exit status.
 *
 * @param usage the help text; its first line is what a wrong call is reminded of
 * @param options beside `--help` and `--json`, which every tool has
 */
export async function runTool(
  usage: string,
  options: Options,
  main: (args: Arguments) => void | Promise<void>,
): Promise<void> {
  // Whoever reads our output may stop early, as head does.
  process.stdout.on('error', () => process.exit(0));
  try {
    const args = readArguments(options);
    if (args.flag('help')) console.log(usage);
    else await main(args);
  } catch (error) {
    process.exitCode = report(asUnavailable(error), usage);
  }
}

function readArguments(options: Options): Arguments {
  const { values, positionals } = parse({
    help: { type: 'boolean' },
    json: { type: 'boolean' },
    ...options,
  });
  return {
    words: positionals,
    flag: (name) => values[name] === true,
    option: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
  };
}

function parse(options: Options) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @returns the exit status */
function report(error: unknown, usage: string): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n${usage.split('\n', 1)[0]} (--help tells more)`);
    return 2;
  }
  // The system's own word (no space left, permission denied) has a syscall, and says enough.
  const expected =
    [Refusal, StoreError, StoreUnavailable].some((kind) => error instanceof kind) ||
    (error instanceof Error && 'syscall' in error);
  console.error(expected && error instanceof Error ? error.message : error);
  return 1;
}

/** A column of a table: its heading, and what it shows of a row. */
export type Column<T> = readonly [
  heading: string,
  show: (row: T) => string | number | boolean | null,
];

/**
 * Prints rows as they are read: a table, or a JSON array of the rows as they are.
 *
 * Columns are as wide as the first rows need, so that a list of millions is not held in memory.
 */
export function printRows<T>(
  rows: Iterable<T>,
  columns: readonly Column<T>[],
  asJson: boolean,
): void {
  if (asJson) {
    printJson(rows);
    console.log();
  } else printTable(rows, columns);
}

/** Rows that are looked at for the widths of the columns. */
const SAMPLE = 500;

function printTable<T>(rows: Iterable<T>, columns: readonly Column<T>[]): void {
  let widths: number[] | undefined;
  let lines: string[][] = [columns.map(([heading]) => heading)];
  const flush = () => {
    widths ??= columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
    const text = lines.map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths?.[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    process.stdout.write(`${text.join('\n')}\n`);
    lines = [];
  };
  for (const row of rows) {
    lines.push(columns.map(([, show]) => String(show(row) ?? '')));
    if (lines.length > SAMPLE) flush();
  }
  if (widths === undefined && lines.length === 1) console.log('none yet');
  else if (lines.length > 0) flush();
}

function printJson(rows: Iterable<unknown>, indent = ''): void {
  let separator = '[\n';
  for (const row of rows) {
    process.stdout.write(`${separator}${indent}  ${JSON.stringify(row)}`);
    separator = ',\n';
  }
  process.stdout.write(separator === '[\n' ? '[]' : `\n${indent}]`);
}

/** Prints one object as JSON; lists in it are printed as they are read. */
export function printObject(fields: Readonly<Record<string, unknown>>): void {
  let separator = '{\n';
  for (const [name, value] of Object.entries(fields)) {
    process.stdout.write(`${separator}  ${JSON.stringify(name)}: `);
    if (isIterator(value)) printJson(value, '  ');
    else process.stdout.write(JSON.stringify(value));
    separator = ',\n';
  }
  process.stdout.write('\n}\n');
}

const isIterator = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** Prints one object: its fields line by line, or as JSON. */
export function printFields(
  fields: Readonly<Record<string, string | number>>,
  asJson: boolean,
): void {
  if (asJson) console.log(JSON.stringify(fields));
  else for (const [name, value] of Object.entries(fields)) console.log(`${name}: ${value}`);
}

/** A number with what it counts: `1 session`, `2 sessions`. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Epoch ms as `2026-03-02 14:05:09Z`; empty where there is none. */
export function utc(ms: number | null): string {
  return ms === null ? '' : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** A line on a terminal's stderr that says how far long work is; nothing elsewhere. */
export function showProgress(what: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const width = 30;
  const filled = Math.round((width * done) / Math.max(total, 1));
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
  process.stderr.write(`\r${what} ${bar} ${done}/${total}${done >= total ? '\n' : ''}`);
}
