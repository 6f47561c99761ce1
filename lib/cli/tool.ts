/**
 * A tool as data: its commands define the arguments and the help. `lib/cli` has what tools share:
 * arguments, output, access to the store. What a single command does belongs in `tools/`.
 */
import { inspect, parseArgs } from 'node:util';
import { ExpectedError } from '../config.ts';
import type { Columns } from '../lists.ts';
import { refuseRoot } from '../store/access.ts';
import {
  isDamage,
  isOfDisk,
  isUnavailable,
  pathOf,
  toFileError,
  toStoreError,
} from '../store/errors.ts';
import { LIST } from './arguments.ts';
import { type Shell, UsageError } from './shell.ts';

export type Command = {
  /** Its name, words and options: `admin add <email>`, `log [email] [--limit <n>] [--csv]`. */
  readonly usage: string;
  /** The indentation of its lines does not count. */
  readonly help: string;
  run(call: Call): void | Promise<void>;
};

/** Writes a list in another form than a table or JSON. */
export type Format = <Row extends object>(columns: Columns<Row>, rows: readonly Row[]) => string;

/** The formats of a tool's lists, by their options: `{ csv: toCsv }` for `--csv`. */
export type Formats = Readonly<Record<string, Format>>;

/** A call of a command: its shell and arguments. */
export type Call = Shell & {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly json: boolean;
  /** The format that the call asks for; `undefined` for a table or JSON. */
  readonly format: Format | undefined;
  flag(name: string): boolean;
  option(name: string): string | undefined;
};

/** A tool: runs a command line, and returns the exit status. */
export type Tool = (argv: readonly string[], shell: Shell) => Promise<number>;

/** Makes a tool of its commands. */
export function defineTool(tool: string, defined: readonly Command[], formats: Formats = {}): Tool {
  const commands = defined.map((command) => withFormats(command, formats));
  const names = commands.map(nameOf).join('|');
  return async (argv, shell) => {
    let usage = `${tool} ${names}`.trimEnd();
    try {
      if (argv.includes('--help')) {
        shell.write(helpOf(tool, usage, commands));
        return 0;
      }
      const command = commands.find((each) => isCallOf(each, argv));
      if (!command) throw new UsageError(describeNoCommand(tool, commands.map(nameOf), argv));
      usage = `${tool} ${command.usage} [--json]`.replace('  ', ' ');
      refuseRoot(shell.storeFile);
      await command.run({ ...shell, ...parse(command, argv, formats) });
      return 0;
    } catch (error) {
      return report(toOperatorError(error, shell.storeFile), usage, shell);
    }
  };
}

/** `person needs a command: export or forget` */
function describeNoCommand(
  tool: string,
  names: readonly string[],
  argv: readonly string[],
): string {
  const others = names.slice(0, -1).join(', ');
  const choice = `${tool} needs a command: ${others} or ${names.at(-1)}`;
  return argv.length === 0 ? choice : `${choice}, not "${argv.join(' ')}"`;
}

function helpOf(tool: string, usage: string, commands: readonly Command[]): string {
  const parts = [`usage: ${usage}`];
  for (const command of commands) {
    const text = `${tool} ${command.usage}\n${command.help}`;
    parts.push(text.replace(/ *\n */g, '\n    '));
  }
  parts.push('--json  print JSON     --help  print this help\n');
  return parts.join('\n\n');
}

/** Adds an option for each format to the usage of a list. */
function withFormats(command: Command, formats: Formats): Command {
  const options = Object.keys(formats).map((name) => ` [--${name}]`);
  return { ...command, usage: command.usage.replace(LIST, LIST + options.join('')) };
}

// The usage defines what a command takes. These functions read the words and options from it.

/** `[--csv]` and `[--limit <n>]`, not `[first name…]` */
const OPTION = / ?\[--([\w-]+)( <\w+>)?\]/g;

/** `<email>` and `[first name…]`, not `add` */
const WORD = / ?(<[^>]+>|\[[^\]]+\])/g;

/** The words that call a command: `admin add`; empty for the only command of a tool. */
const nameOf = ({ usage }: Command): string => usage.replace(OPTION, '').replace(WORD, '');

function isCallOf(command: Command, argv: readonly string[]): boolean {
  const name = nameOf(command);
  return name === '' || `${argv.join(' ')} `.startsWith(`${name} `);
}

/** The words and options of a command line, after the name of the command. */
type Arguments = Omit<Call, keyof Shell>;

type Options = Record<string, { type: 'string' | 'boolean' }>;

/** @throws {UsageError} if a command does not take these arguments */
function parse(command: Command, argv: readonly string[], formats: Formats): Arguments {
  const options: Options = { json: { type: 'boolean' } };
  for (const [, name = '', value] of command.usage.matchAll(OPTION))
    options[name] = { type: value ? 'string' : 'boolean' };

  const name = nameOf(command);
  const args = argv.slice(name === '' ? 0 : name.split(' ').length);
  // Not strict, because Node's messages do not know the command.
  const parsed = parseArgs({ args, options, strict: false, tokens: true });
  const { values, positionals } = parsed;
  const given = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const mistake = findMistake(token, options, args[token.index] ?? '');
    if (mistake !== undefined) throw new UsageError(mistake);
    if (given.has(token.name)) throw new UsageError(`${token.rawName} is given twice`);
    given.add(token.name);
  }
  requireWords(command, positionals);

  const flag = (name: string): boolean => values[name] === true;
  const format = Object.keys(formats).find(flag);
  return {
    words: positionals,
    json: flag('json'),
    format: format === undefined ? undefined : formats[format],
    flag,
    option: (name) => values[name]?.toString(),
  };
}

/** What is wrong with an option. @param typed `--limit=5` */
function findMistake(
  { name, rawName, value }: { name: string; rawName: string; value?: string | undefined },
  options: Options,
  typed: string,
): string | undefined {
  const type = options[name]?.type;
  if (type === undefined || rawName !== `--${name}`) {
    const [unknown = ''] = typed.split('=');
    // `--limt` and `--limits` for `--limit`
    const near = Object.keys(options).find((each) => unknown.startsWith(`--${each.slice(0, 2)}`));
    const meant = near === undefined ? '' : `; do you mean --${near}?`;
    return `unknown option ${unknown}${meant}`;
  }
  if (type === 'boolean' && value !== undefined) return `${rawName} takes no value`;
  // Node takes the next option for the value.
  const hasValue = Boolean(value) && !value?.startsWith('--');
  if (type === 'string' && !hasValue) return `${rawName} needs a value`;
  return undefined;
}

/** @throws {UsageError} if a word is missing, or there is one too many */
function requireWords(command: Command, given: readonly string[]): void {
  const words = command.usage.replace(OPTION, '').match(WORD) ?? [];
  const missing = words[given.length]?.trim();
  if (missing?.startsWith('<')) throw new UsageError(`${missing} is missing`);
  const takesMore = words.at(-1)?.endsWith('…]');
  const surplus = given[words.length];
  if (surplus !== undefined && !takesMore)
    throw new UsageError(`unexpected argument: "${surplus}"`);
}

/**
 * A disk error or a lock concerns the store, so the message has the store's remedy. Damage may also
 * be in a snapshot.
 */
function toOperatorError(error: unknown, storeFile: string): unknown {
  const isOfMachine = isUnavailable(error) && !isDamage(error);
  if (isOfMachine) return toFileError(storeFile, error);
  if (isOfDisk(error)) return toFileError(pathOf(error, storeFile), error);
  return toStoreError(error);
}

/** @returns the exit status */
function report(error: unknown, usage: string, { warn }: Shell): number {
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError) {
    warn(`${message}\nusage: ${usage} (see --help)`);
    return 2;
  }
  // Print these without a stack. System errors, such as EACCES, have a syscall.
  const text = syscall || error instanceof ExpectedError ? message : inspect(error);
  if (text !== '') warn(text);
  return 1;
}
