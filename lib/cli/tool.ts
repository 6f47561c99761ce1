/**
 * A tool as data: its commands define the arguments and the help. `lib/cli` has what tools share:
 * arguments, output, access to the store. What a single command does belongs in `tools/`.
 */
import { inspect, parseArgs } from 'node:util';
import { refuseRoot } from '../store/access.ts';
import { StoreError, StoreUnavailable, toStoreError } from '../store/errors.ts';
import { Refusal, type Shell, UsageError } from './shell.ts';

/** Names of options, and their values as in the help: `<day>`, or empty for a flag. */
type Options = Readonly<Record<string, string>>;

type Command = {
  /** Such as `admin add`; empty if the tool has only this command. */
  readonly name: string;
  /** The words after the name: `<required>`, `[optional]`, `[any number…]`. */
  readonly words?: readonly string[];
  readonly options?: Options;
  /** The indentation of its lines does not count. */
  readonly help: string;
  run(call: Call): void | Promise<void>;
};

/** A call of a command: its shell and arguments. */
export type Call = Shell & {
  /** The words after the command's name. */
  readonly words: readonly string[];
  readonly json: boolean;
  flag(name: string): boolean;
  option(name: string): string | undefined;
};

/** Makes a tool of its commands: a function that returns the exit status. */
export const defineTool =
  (tool: string, commands: readonly Command[]) =>
  async (argv: readonly string[], shell: Shell): Promise<number> => {
    let usage = fullName(tool, commands.map(({ name }) => name).join('|'));
    try {
      if (argv.includes('--help')) {
        const texts = commands.map((each) => `${form(tool, each)}\n${each.help}`);
        const indented = texts.map((text) => text.replace(/\n */g, '\n    '));
        const foot = '--json  print JSON     --help  print this help\n';
        shell.write([`usage: ${usage}`, ...indented, foot].join('\n\n'));
        return 0;
      }
      const command = commands.find(({ name }) =>
        wordsOf(name).every((word, i) => argv[i] === word),
      );
      if (!command) throw new UsageError(`${tool} needs a command, not "${argv.join(' ')}"`);
      usage = form(tool, command);
      refuseRoot(shell.storeFile);
      const { values, words } = parse(command, argv.slice(wordsOf(command.name).length));
      const flag = (name: string) => values[name] === true;
      const option = (name: string) => values[name]?.toString();
      await command.run({ ...shell, words, json: flag('json'), flag, option });
      return 0;
    } catch (error) {
      return report(toStoreError(error), usage, shell);
    }
  };

const fullName = (tool: string, name: string): string => `${tool} ${name}`.trimEnd();

const wordsOf = (name: string): readonly string[] => name.split(' ').filter(Boolean);

/** @throws {UsageError} or an error of `parseArgs` if a command does not take these arguments */
function parse({ words = [], options }: Command, args: readonly string[]) {
  const known = Object.entries({ ...options, json: '' }).map(
    ([name, value]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  const { values, positionals: given } = parseArgs({
    args,
    options: Object.fromEntries(known),
    allowPositionals: true,
  });
  const missing = words[given.length];
  if (missing?.startsWith('<')) throw new UsageError(`${missing} is missing`);
  const surplus = words.at(-1)?.endsWith('…]') ? undefined : given[words.length];
  if (surplus !== undefined) throw new UsageError(`there is a word too many: "${surplus}"`);
  return { values, words: given };
}

/** A call in the help: `joins for <email> [--csv]`. */
function form(tool: string, { name, words = [], options = {} }: Command): string {
  const shown = Object.entries(options).map(([option, value]) => `[--${option} ${value}`.trimEnd());
  return [fullName(tool, name), ...words, ...shown.map((option) => `${option}]`)].join(' ');
}

/** @returns the exit status */
function report(error: unknown, usage: string, { warn }: Shell): number {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')) {
    warn(`${message}\nusage: ${usage} (see --help)`);
    return 2;
  }
  // Print these without a stack. System errors, such as EACCES, have a syscall.
  const isExpected =
    syscall || [Refusal, StoreError, StoreUnavailable].some((kind) => error instanceof kind);
  const text = isExpected ? message : inspect(error);
  if (text !== '') warn(text);
  return 1;
}
