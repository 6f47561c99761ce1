/** Runs a tool by the table of its commands. The table also defines the arguments and the help. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { asUnavailable, StoreError, StoreUnavailable } from '../store/errors.ts';
import { storeFile } from '../store/open.ts';
import { OutputError, print, ReaderLeft } from './terminal.ts';

/** The request is refused, for example because nobody has this address: exit status 1. */
export class Refusal extends Error {}

/** The arguments are wrong: exit status 2. */
export class UsageError extends Error {}

type Command = {
  /**
   * Its name, then `<word>`, `[word]` or `[words…]`, then `--option <value>` or `--flag`. Brackets
   * mark what is optional: `list [--limit <n>]`. Of two commands with one name, the first with all
   * its required options runs.
   */
  readonly form: string;
  readonly help: string;
  run(args: Arguments): void | Promise<void>;
};

export type Arguments = {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly json: boolean;
  flag(name: string): boolean;
  option(name: string): string | undefined;
};

type Options = NonNullable<ParseArgsConfig['options']>;

type Entry = ReturnType<typeof readForm>;

/** Errors that are printed without a stack. */
const EXPECTED_ERRORS = [Refusal, OutputError, StoreError, StoreUnavailable];

/** The options of every command. */
const COMMON_OPTIONS: Options = { help: { type: 'boolean' }, json: { type: 'boolean' } };

/** An option in a form. */
const OPTION = /(\[?)--([\w-]+)( <[^>]+>)?\]?/g;

/** Runs the command in the arguments. Prints an error on stderr, and sets the exit status. */
export async function runTool(tool: string, commands: readonly Command[]): Promise<void> {
  const table = commands.map(readForm);
  const names = new Set(table.map(({ name }) => name.join(' ')));
  let usage = `usage: ${tool} ${[...names].join('|')}`.trimEnd();
  try {
    const { values, positionals } = parse(table);
    if (values.help === true) {
      return print(`${usage}\n\n${describe(tool, commands)}\n`);
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
    refuseRoot();
    const words = positionals.slice(entry.name.length);
    check(entry, `${tool} ${entry.name.join(' ')}`.trimEnd(), words, Object.keys(values));
    const flag = (name: string) => values[name] === true;
    const option = (name: string) => (flag(name) ? undefined : values[name]?.toString());
    await entry.run({ words, json: flag('json'), flag, option });
  } catch (error) {
    process.exitCode = report(asUnavailable(error), usage);
  }
}

/** Files that root creates could not be used by the service. @throws {Refusal} */
function refuseRoot(): void {
  const owner = fs.statSync(path.dirname(storeFile), { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  const { stdout } = spawnSync('id', ['-nu', String(owner)], { encoding: 'utf8' });
  const user = stdout?.trim() || `'#${owner}'`;
  const command = [process.execPath, ...process.argv.slice(1)].map(quote).join(' ');
  throw new Refusal(`data/ belongs to another user: sudo -u ${user} ${command}`);
}

/** A word for a shell. */
const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command with its parsed form. */
function readForm(command: Command) {
  // The space makes an empty name of a form that begins with a word.
  const [name = '', ...words] = ` ${command.form.replace(OPTION, '').trim()}`.split(/ ?(?=[<[])/);
  const found = [...command.form.matchAll(OPTION)];
  const options: Options = Object.fromEntries(
    found.map(([, , option, value]) => [option, { type: value ? 'string' : 'boolean' }]),
  );
  const required = found.flatMap(([, bracket, option = '']) => (bracket ? [] : [option]));
  return { ...command, name: name.split(' ').filter(Boolean), words, options, required };
}

function parse(table: readonly Entry[]) {
  const options: Options = Object.assign(
    {},
    COMMON_OPTIONS,
    ...table.map((entry) => entry.options),
  );
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
  const unknown = options.find((name) => !(name in COMMON_OPTIONS || name in entry.options));
  if (unknown !== undefined) throw new UsageError(`${called} does not take --${unknown}`);
  if (options.includes('csv') && options.includes('json'))
    throw new UsageError('--csv and --json exclude each other');
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
    ('syscall' in error || EXPECTED_ERRORS.some((kind) => error instanceof kind));
  console.error(isExpected ? error.message : error);
  return 1;
}
