/** A tool as data: its commands define the arguments and the help. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inspect, type ParseArgsConfig, parseArgs } from 'node:util';
import { asUnavailable, StoreError, StoreUnavailable } from '../store/errors.ts';
import { OutputError, ReaderLeft, type Shell } from './shell.ts';

/** Exit status 1: the request is refused. Without a message, the output says why. */
export class Refusal extends Error {}

/** Exit status 2: the arguments are wrong. */
export class UsageError extends Error {}

/** An option, for `parseArgs` and the help. */
export type Option = {
  readonly type: 'boolean' | 'string';
  /** The value in the help: `<day>`. */
  readonly value?: string;
  readonly required?: true;
};

export type Command = {
  /** Its words, as `admin add`; empty if the tool has no other command. */
  readonly name: string;
  /** The words after it: `<required>`, `[optional]`, `[any number…]`. */
  readonly words?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  readonly help: string;
  run(call: Call): void | Promise<void>;
};

/** A call of a command: its arguments, and the shell that it came from. */
export type Call = Shell & {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly json: boolean;
  flag(name: string): boolean;
  option(name: string): string | undefined;
};

/** Errors that are printed without a stack. */
const EXPECTED_ERRORS = [Refusal, OutputError, StoreError, StoreUnavailable];

/** The options of every command. */
const COMMON_OPTIONS = { help: { type: 'boolean' }, json: { type: 'boolean' } } as const;

/**
 * Makes a tool of its commands. Of two with one name, the first with all required options runs.
 *
 * @returns runs it with arguments, and returns its exit status
 */
export const tool =
  (name: string, commands: readonly Command[]) =>
  async (argv: readonly string[], shell: Shell): Promise<number> => {
    const names = new Set(commands.map((command) => command.name));
    let usage = `usage: ${name} ${[...names].join('|')}`;
    try {
      const { values, positionals } = parse(commands, argv);
      if (values.help === true) {
        shell.write(`${usage.trimEnd()}\n\n${describe(name, commands)}\n`);
        return 0;
      }
      const command = commands.find((each) => isCalled(each, positionals, values));
      if (!command) {
        const given = positionals.join(' ');
        throw new UsageError(
          given ? `${name} does not know "${given}"` : `${name} needs a command`,
        );
      }
      usage = `usage: ${form(name, command)}`;
      refuseRoot(shell.storeFile);
      const words = positionals.slice(wordsOf(command).length);
      check(command, `${name} ${command.name}`.trimEnd(), words, Object.keys(values));
      const flag = (option: string) => values[option] === true;
      const option = (option: string) => (flag(option) ? undefined : values[option]?.toString());
      await command.run({ ...shell, words, json: flag('json'), flag, option });
      return 0;
    } catch (error) {
      return report(asUnavailable(error), usage.trimEnd(), shell);
    }
  };

const wordsOf = ({ name }: Command): readonly string[] => name.split(' ').filter(Boolean);

function parse(commands: readonly Command[], args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = { ...COMMON_OPTIONS };
  for (const command of commands) Object.assign(options, command.options);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isCalled(command: Command, positionals: readonly string[], values: object): boolean {
  const options = Object.entries(command.options ?? {});
  return (
    wordsOf(command).every((word, i) => positionals[i] === word) &&
    options.every(([option, { required }]) => !required || option in values)
  );
}

/** @throws {UsageError} if a command does not take these words and options */
function check(
  command: Command,
  called: string,
  given: readonly string[],
  options: readonly string[],
): void {
  const { words = [] } = command;
  const known = { ...COMMON_OPTIONS, ...command.options };
  const unknown = options.find((option) => !(option in known));
  if (unknown !== undefined) throw new UsageError(`${called} does not take --${unknown}`);
  if (options.includes('csv') && options.includes('json'))
    throw new UsageError('--csv and --json exclude each other');
  const missing = words[given.length];
  if (missing?.startsWith('<')) throw new UsageError(`${called} needs ${missing}`);
  const surplus = words.at(-1)?.endsWith('…]') ? [] : given.slice(words.length);
  if (surplus.length > 0) throw new UsageError(`${called} does not take "${surplus.join(' ')}"`);
}

/** Files that root creates could not be used by the service. @throws {Refusal} */
function refuseRoot(storeFile: string): void {
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

/** A call in the help: `joins for <email> [--csv]`. */
function form(tool: string, { name, words = [], options = {} }: Command): string {
  const shown = Object.entries(options).map(([option, { value, required }]) => {
    const text = value ? `--${option} ${value}` : `--${option}`;
    return required ? text : `[${text}]`;
  });
  return [tool, name, ...words, ...shown].filter(Boolean).join(' ');
}

function describe(tool: string, commands: readonly Command[]): string {
  const forms = commands.map((command) => form(tool, command));
  const width = Math.max(...forms.map((text) => text.length));
  const lines = commands.map(({ help }, i) => {
    const indented = help.replaceAll('\n', `\n${''.padEnd(width + 4)}`);
    return `  ${forms[i]?.padEnd(width)}  ${indented}`;
  });
  return [...lines, '', '  --json  print for programs     --help  print this'].join('\n');
}

/** @returns the exit status */
function report(error: unknown, usage: string, { warn }: Shell): number {
  if (error instanceof ReaderLeft) return 0;
  if (error instanceof UsageError) {
    warn(`${error.message}\n${usage} (--help tells more)`);
    return 2;
  }
  // System errors, such as EACCES, have a syscall.
  const isExpected =
    error instanceof Error &&
    ('syscall' in error || EXPECTED_ERRORS.some((kind) => error instanceof kind));
  const message = isExpected ? error.message : inspect(error);
  if (message !== '') warn(message);
  return 1;
}
