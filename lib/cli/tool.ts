/** Runs a tool from the table of its commands, which also checks arguments and makes the help. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { asUnavailable, StoreError, StoreUnavailable } from '../store/errors.ts';
import { OutputError, print, ReaderLeft } from './terminal.ts';

/** The request cannot be done (not invited, already there, …): exit status 1. */
export class Refusal extends Error {}

/** The arguments make no sense: exit status 2. */
export class UsageError extends Error {}

export type Command = {
  /**
   * How it is called: its name, then `<word>`, `[word]` or `[words…]`, then `--option <value>` or
   * `--flag`, in brackets where it is optional: `list [--limit <n>]`. Of two with one name, the
   * first whose required options are given is run.
   */
  readonly form: string;
  /** What it does; may have several lines. */
  readonly help: string;
  run(args: Arguments): void | Promise<void>;
};

export type Arguments = {
  /** The words after the command's name. */
  readonly words: readonly string[];
  /** Whether to print JSON. */
  readonly json: boolean;
  flag(name: string): boolean;
  option(name: string): string | undefined;
};

type Options = NonNullable<ParseArgsConfig['options']>;

/** A command with its parsed form. */
type Entry = Command & {
  readonly name: readonly string[];
  readonly words: readonly string[];
  readonly options: Options;
  readonly required: readonly string[];
};

/** Errors whose message says enough. */
const EXPECTED = [Refusal, OutputError, StoreError, StoreUnavailable];

/** The options of every command. */
const COMMON: Options = { help: { type: 'boolean' }, json: { type: 'boolean' } };

/** An option in a form. */
const OPTION = /(\[?)--([\w-]+)( <[^>]+>)?\]?/g;

/**
 * Runs the command that the arguments name. Errors become one line on stderr and an exit status.
 *
 * @param notes a further paragraph of the help
 */
export async function runTool(
  tool: string,
  commands: readonly Command[],
  notes?: string,
): Promise<void> {
  // Each write to it reports its own error.
  process.stdout.on('error', () => {});
  const table = commands.map(readForm);
  const names = new Set(table.map(({ name }) => name.join(' ')));
  let usage = `usage: ${tool} ${[...names].join('|')}`.trimEnd();
  try {
    const { values, positionals } = parse(table);
    if (values.help === true) {
      await print(`${[usage, describe(tool, commands), notes].filter(Boolean).join('\n\n')}\n`);
      return;
    }
    const entry = table.find(
      ({ name, required }) =>
        name.every((word, i) => positionals[i] === word) &&
        required.every((option) => option in values),
    );
    if (!entry) {
      const given = positionals.join(' ');
      throw new UsageError(given ? `${tool} does not know "${given}"` : `${tool} needs a command`);
    }
    usage = `usage: ${tool} ${entry.form}`.trimEnd();
    const words = positionals.slice(entry.name.length);
    check(entry, `${tool} ${entry.name.join(' ')}`.trimEnd(), words, Object.keys(values));
    const flag = (name: string) => values[name] === true;
    const option = (name: string) => (flag(name) ? undefined : values[name]?.toString());
    await entry.run({ words, json: flag('json'), flag, option });
  } catch (error) {
    process.exitCode = report(asUnavailable(error), usage);
  }
}

function readForm(command: Command): Entry {
  // The space makes an empty name of a form that begins with a word.
  const [name = '', ...words] = ` ${command.form.replace(OPTION, '').trim()}`.split(/ ?(?=[<[])/);
  const options = [...command.form.matchAll(OPTION)];
  return {
    ...command,
    name: name.split(' ').filter(Boolean),
    words,
    options: Object.fromEntries(
      options.map(([, , option, value]) => [option, { type: value ? 'string' : 'boolean' }]),
    ),
    required: options.flatMap(([, bracket, option = '']) => (bracket ? [] : [option])),
  };
}

function parse(table: readonly Entry[]) {
  const options: Options = Object.assign({}, COMMON, ...table.map((entry) => entry.options));
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws {UsageError} if a command does not take these words and options */
function check(
  entry: Entry,
  called: string,
  words: readonly string[],
  options: readonly string[],
): void {
  const unknown = options.find((name) => !(name in COMMON || name in entry.options));
  if (unknown !== undefined) throw new UsageError(`${called} does not take --${unknown}`);
  const missing = entry.words[words.length];
  if (missing?.startsWith('<')) throw new UsageError(`${called} needs ${missing}`);
  const surplus = entry.words.at(-1)?.endsWith('…]') ? [] : words.slice(entry.words.length);
  if (surplus.length > 0) throw new UsageError(`${called} does not take "${surplus.join(' ')}"`);
}

function describe(tool: string, commands: readonly Command[]): string {
  const calls = commands.map(({ form }) => `  ${tool} ${form}`.trimEnd());
  const width = Math.max(...calls.map((call) => call.length));
  const lines = commands.map(({ help }, i) => {
    const indented = help.replaceAll('\n', `\n${''.padEnd(width)}  `);
    return `${calls[i]?.padEnd(width)}  ${indented}`;
  });
  return [...lines, '', '  --json  print for programs     --help  print this'].join('\n');
}

/** @returns the exit status */
function report(error: unknown, usage: string): number {
  if (error instanceof ReaderLeft) return 0;
  if (error instanceof UsageError) {
    console.error(`${error.message}\n${usage} (--help tells more)`);
    return 2;
  }
  // System errors, such as EACCES, have a syscall.
  const isExpected =
    error instanceof Error &&
    ('syscall' in error || EXPECTED.some((kind) => error instanceof kind));
  console.error(isExpected ? error.message : error);
  return 1;
}
