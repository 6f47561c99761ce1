/**
 * A tool as data: its commands define the arguments and the help. `lib/cli` has what tools share:
 * arguments, output, access to the store. What a single command does belongs in `tools/`.
 */
import { inspect, parseArgs } from 'node:util';
import { ExpectedError } from '../config.ts';
import type { Columns } from '../lists.ts';
import { refuseRoot } from '../store/access.ts';
import { toStoreError } from '../store/errors.ts';
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

/** Makes a tool of its commands: a function that returns the exit status. */
export function defineTool(tool: string, defined: readonly Command[], formats: Formats = {}) {
  const commands = defined.map((command) => withFormats(command, formats));
  return async (argv: readonly string[], shell: Shell): Promise<number> => {
    let usage = `${tool} ${commands.map(nameOf).join('|')}`.trimEnd();
    try {
      if (argv.includes('--help')) {
        const texts = commands.map((each) => `${tool} ${each.usage}\n${each.help}`);
        const indented = texts.map((text) => text.replace(/ *\n */g, '\n    '));
        const foot = '--json  print JSON     --help  print this help\n';
        shell.write([`usage: ${usage}`, ...indented, foot].join('\n\n'));
        return 0;
      }
      const command = commands.find((each) =>
        `${argv.join(' ')} `.startsWith(`${nameOf(each)} `.trimStart()),
      );
      if (!command) throw new UsageError(`${tool} needs a command, not "${argv.join(' ')}"`);
      usage = `${tool} ${command.usage}`;
      refuseRoot(shell.storeFile);
      await command.run({ ...shell, ...parse(command, argv, formats) });
      return 0;
    } catch (error) {
      return report(toStoreError(error), usage, shell);
    }
  };
}

/** Adds an option for each format to the usage of a list. */
function withFormats(command: Command, formats: Formats): Command {
  const options = Object.keys(formats).map((name) => ` [--${name}]`);
  return { ...command, usage: command.usage.replace(LIST, LIST + options.join('')) };
}

const OPTION = / ?\[--([\w-]+)( <\w+>)?\]/g;
const WORD = / ?(<[^>]+>|\[[^\]]+\])/g;

const nameOf = ({ usage }: Command): string => usage.replace(OPTION, '').replace(WORD, '');

/** @throws {UsageError} or an error of `parseArgs` if a command does not take these arguments */
function parse(command: Command, argv: readonly string[], formats: Formats) {
  const options = [...`${command.usage} [--json]`.matchAll(OPTION)].map(
    ([, name = '', value]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  const words = command.usage.replace(OPTION, '').match(WORD) ?? [];
  const args = argv.slice(nameOf(command).split(' ').filter(Boolean).length);
  const { values, positionals: given } = parseArgs({
    args,
    options: Object.fromEntries(options),
    allowPositionals: true,
  });
  const missing = words[given.length]?.trim();
  if (missing?.startsWith('<')) throw new UsageError(`${missing} is missing`);
  const surplus = words.at(-1)?.endsWith('…]') ? undefined : given[words.length];
  if (surplus !== undefined) throw new UsageError(`unexpected argument: "${surplus}"`);
  const flag = (name: string) => values[name] === true;
  return {
    words: given,
    json: flag('json'),
    format: Object.entries(formats).find(([name]) => flag(name))?.[1],
    flag,
    option: (name: string) => values[name]?.toString(),
  };
}

/** @returns the exit status */
function report(error: unknown, usage: string, { warn }: Shell): number {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')) {
    warn(`${message}\nusage: ${usage} (see --help)`);
    return 2;
  }
  // Print these without a stack. System errors, such as EACCES, have a syscall.
  const text = syscall || error instanceof ExpectedError ? message : inspect(error);
  if (text !== '') warn(text);
  return 1;
}
