/**
 * A tool as data: its commands define the arguments and the help. `lib/cli` has what tools share:
 * arguments, output, access to the store. What a single command does belongs in `tools/`.
 */
import { inspect, parseArgs } from 'node:util';
import { isOneSlip } from '../address.ts';
import { StoreError, StoreUnavailable, toStoreError } from '../store/errors.ts';
import { refuseRoot } from '../store/owner.ts';
import { OutputClosed, Refusal, type Shell, UsageError } from './shell.ts';

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
      const { values, positionals } = parse(argv, commands);
      if (values.help === true) {
        const texts = commands.map((each) => `${form(tool, each)}\n${each.help}`);
        const indented = texts.map((text) => text.replace(/\n */g, '\n    '));
        const foot = '--json  print JSON     --help  print this help\n';
        shell.write([`usage: ${usage}`, ...indented, foot].join('\n\n'));
        return 0;
      }
      const given = positionals.join(' ');
      const command = commands.find(({ name }) =>
        wordsOf(name).every((word, i) => positionals[i] === word),
      );
      if (!command)
        throw new UsageError(`${tool} ${given ? unknown(given, commands) : 'needs a command'}`);
      usage = form(tool, command);
      refuseRoot(shell.storeFile);
      const words = positionals.slice(wordsOf(command.name).length);
      check(command, fullName(tool, command.name), words, Object.keys(values));
      const flag = (name: string) => values[name] === true;
      const option = (name: string) => values[name]?.toString();
      await command.run({ ...shell, words, json: flag('json'), flag, option });
      return 0;
    } catch (error) {
      return report(toStoreError(error), usage, shell);
    }
  };

const fullName = (tool: string, name: string): string => `${tool} ${name}`.trimEnd();

function unknown(given: string, commands: readonly Command[]): string {
  // As many words as a command of two words has.
  const [first = '', second = ''] = given.split(' ');
  const meant = commands.find(({ name }) =>
    [first, `${first} ${second}`].some((words) => isOneSlip(words, name)),
  );
  return `does not know "${given}"${meant ? `; did you mean "${meant.name}"?` : ''}`;
}

const wordsOf = (name: string): readonly string[] => name.split(' ').filter(Boolean);

const optionsOf = ({ options }: Command): Options => ({ ...options, json: '', help: '' });

function parse(argv: readonly string[], commands: readonly Command[]) {
  const known = commands.flatMap((command) => Object.entries(optionsOf(command)));
  const types = known.map(
    ([name, value]) => [name, { type: value ? 'string' : 'boolean' }] as const,
  );
  return parseArgs({ args: argv, options: Object.fromEntries(types), allowPositionals: true });
}

/** A call in the help: `joins for <email> [--csv]`. */
function form(tool: string, { name, words = [], options = {} }: Command): string {
  const shown = Object.entries(options).map(([option, value]) => `[--${option} ${value}`.trimEnd());
  return [fullName(tool, name), ...words, ...shown.map((option) => `${option}]`)].join(' ');
}

/** @throws {UsageError} if a command does not take these words and options */
function check(
  command: Command,
  fullName: string,
  given: readonly string[],
  options: readonly string[],
): void {
  const { words = [] } = command;
  const unknown = options.find((option) => !(option in optionsOf(command)));
  if (unknown !== undefined) throw new UsageError(`${fullName} does not take --${unknown}`);
  if (options.includes('csv') && options.includes('json'))
    throw new UsageError('--csv and --json cannot be combined');
  const missing = words[given.length];
  if (missing?.startsWith('<')) throw new UsageError(`${fullName} needs ${missing}`);
  const surplus = words.at(-1)?.endsWith('…]') ? [] : given.slice(words.length);
  if (surplus.length > 0) throw new UsageError(`${fullName} does not take "${surplus.join(' ')}"`);
}

/** @returns the exit status */
function report(error: unknown, usage: string, { warn }: Shell): number {
  if (error instanceof OutputClosed) return 0;
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
