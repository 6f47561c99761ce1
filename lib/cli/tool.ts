/**
 * A tool as data: its commands define the arguments and the help. `lib/cli` has what tools share:
 * arguments, output, access to the store. What a single command does belongs in `tools/`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { asUnavailable, StoreError, StoreUnavailable } from '../store/errors.ts';
import { OutputClosed, Refusal, type Shell, UsageError } from './shell.ts';

/** An option, for `parseArgs` and the help. */
export type Option = {
  readonly type: 'boolean' | 'string';
  /** The value in the help: `<day>`. */
  readonly value?: string;
  readonly required?: true;
};

type Command = {
  /** Such as `admin add`; empty if the tool has only this command. */
  readonly name: string;
  /** The words after the name: `<required>`, `[optional]`, `[any number…]`. */
  readonly words?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
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

const COMMON_OPTIONS = { help: { type: 'boolean' }, json: { type: 'boolean' } } as const;

/**
 * Makes a tool of its commands. If names are equal, the first with all required options runs.
 *
 * @returns a function that runs the tool and returns its exit status
 */
export const defineTool =
  (name: string, commands: readonly Command[]) =>
  async (argv: readonly string[], shell: Shell): Promise<number> => {
    const names = new Set(commands.map((command) => command.name));
    let usage = `usage: ${name} ${[...names].join('|')}`.trimEnd();
    try {
      const options: Record<string, Option> = Object.assign({}, ...commands.map(optionsOf));
      const { values, positionals } = parseArgs({
        args: [...argv],
        options,
        allowPositionals: true,
      });
      if (values.help === true) {
        shell.write([usage, ...commands.map((each) => describe(name, each)), FOOT].join('\n\n'));
        return 0;
      }
      const command = commands.find((each) => isCalled(each, positionals, values));
      const given = positionals.join(' ');
      if (!command)
        throw new UsageError(
          given ? `${name} does not know "${given}"` : `${name} needs a command`,
        );
      usage = `usage: ${form(name, command)}`;
      refuseRoot(shell.storeFile);
      const words = positionals.slice(wordsOf(command).length);
      check(command, `${name} ${command.name}`.trimEnd(), words, Object.keys(values));
      const flag = (option: string) => values[option] === true;
      const option = (option: string) => (flag(option) ? undefined : values[option]?.toString());
      await command.run({ ...shell, words, json: flag('json'), flag, option });
      return 0;
    } catch (error) {
      return report(asUnavailable(error), usage, shell);
    }
  };

const wordsOf = ({ name }: Command): readonly string[] => name.split(' ').filter(Boolean);

const optionsOf = ({ options }: Command) => ({ ...COMMON_OPTIONS, ...options });

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
  const unknown = options.find((option) => !(option in optionsOf(command)));
  if (unknown !== undefined) throw new UsageError(`${called} does not take --${unknown}`);
  if (options.includes('csv') && options.includes('json'))
    throw new UsageError('--csv and --json exclude each other');
  const missing = words[given.length];
  if (missing?.startsWith('<')) throw new UsageError(`${called} needs ${missing}`);
  const surplus = words.at(-1)?.endsWith('…]') ? [] : given.slice(words.length);
  if (surplus.length > 0) throw new UsageError(`${called} does not take "${surplus.join(' ')}"`);
}

/** @throws {Refusal} for root, because the service could not use files that root creates */
function refuseRoot(storeFile: string): void {
  const owner = fs.statSync(path.dirname(storeFile), { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  const quote = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  const command = [process.execPath, ...process.argv.slice(1)].map(quote).join(' ');
  throw new Refusal(`data/ belongs to another user: sudo -u '#${owner}' ${command}`);
}

/** A call in the help: `joins for <email> [--csv]`. */
function form(tool: string, { name, words = [], options = {} }: Command): string {
  const shown = Object.entries(options).map(([option, { value, required }]) => {
    const text = value ? `--${option} ${value}` : `--${option}`;
    return required ? text : `[${text}]`;
  });
  return [tool, name, ...words, ...shown].filter(Boolean).join(' ');
}

const describe = (tool: string, command: Command): string =>
  `${form(tool, command)}\n${command.help}`.replaceAll('\n', '\n    ');

const FOOT = '--json  print for programs     --help  print this\n';

/** @returns the exit status */
function report(error: unknown, usage: string, { warn }: Shell): number {
  if (error instanceof OutputClosed) return 0;
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')) {
    warn(`${message}\n${usage} (--help tells more)`);
    return 2;
  }
  // Print these without a stack. System errors, such as EACCES, have a syscall.
  const isExpected =
    syscall || [Refusal, StoreError, StoreUnavailable].some((kind) => error instanceof kind);
  const text = isExpected ? message : inspect(error);
  if (text !== '') warn(text);
  return 1;
}
