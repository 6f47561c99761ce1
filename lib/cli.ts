/** What the tools share: arguments, help, lists on stdout, errors on stderr, exit statuses. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readEmail } from './addresses.ts';
import { toolCommand } from './commands.ts';
import { failWith, storeFile, UsageError } from './config.ts';
import { formatValue, toCsv } from './csv.ts';
import { checkDataFolder } from './data-folder.ts';
import { explain, openStore } from './store/open.ts';
import type { Database } from './store/sqlite.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The arguments after the name of a command. */
export type Call = {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** The maximum number of rows to print, which `runTool` sees to; `undefined` for all. */
  readonly limit: number | undefined;
};

/** `run` does something and returns what to say; `list` returns a list. */
export type Command = {
  /** Its words and options, as the help shows them. */
  readonly usage?: string;
  readonly help: string;
  /** How many words it takes; none without it. */
  readonly words?: { readonly least: number; readonly most: number };
  readonly options?: Options;
} & ({ readonly run: (call: Call) => string } | { readonly list: (call: Call) => Listing });

/** The values of a row by column name. */
type Values = Readonly<Record<string, unknown>>;

export type Listing = {
  readonly columns: readonly string[];
  /** Columns that a terminal has no room for. */
  readonly csvOnly?: readonly string[];
  readonly rows: readonly Values[];
};

const LIST_OPTIONS: Options = {
  limit: { type: 'string' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
};

export const ONE_WORD = { least: 1, most: 1 };

/** Runs a tool with the arguments of this process. @param commands by their names: `admin add` */
export function runTool(tool: string, commands: Readonly<Record<string, Command>>): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `| head` is not an error.
    if (error.code === 'EPIPE') process.exit(0);
    failWith(error);
  });
  try {
    process.stdout.write(answer(tool, commands, process.argv.slice(2)));
  } catch (error) {
    failWith(error);
  }
}

function answer(tool: string, commands: Readonly<Record<string, Command>>, args: string[]): string {
  const [first] = args;
  const wantsHelp = first === 'help' || args.includes('--help') || args.includes('-h');
  if (wantsHelp) return helpOf(tool, commands);
  const typed = `${args.join(' ')} `;
  const found = Object.entries(commands).find(([name]) => typed.startsWith(`${name} `));
  if (found === undefined) throw new UsageError(helpOf(tool, commands));
  const [name, command] = found;
  const usage = `usage: ${toolCommand(tool)} ${describe(name, command)}`;
  const call = parse(command, args.slice(name.split(' ').length), usage);
  checkDataFolder();
  if ('run' in command) return `${command.run(call)}\n`;
  const list = command.list(call);
  return format({ ...list, rows: list.rows.slice(0, call.limit) }, call);
}

function parse(command: Command, args: string[], usage: string): Call {
  const options = { ...command.options, ...('list' in command ? LIST_OPTIONS : {}) };
  const { least, most } = command.words ?? { least: 0, most: 0 };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length < least) throw new Error('an argument is missing');
    if (positionals.length > most) throw new Error(`too many arguments: ${positionals[most]}`);
    return { words: positionals, options: values, limit: readLimit(values.limit) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message}\n${usage}`);
  }
}

function readLimit(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(String(value))) throw new Error('--limit must be a number above 0');
  return Number(value);
}

function helpOf(tool: string, commands: Readonly<Record<string, Command>>): string {
  const parts = [`usage: ${toolCommand(tool)} <command>\n`];
  for (const [name, command] of Object.entries(commands))
    parts.push(`${describe(name, command)}\n    ${command.help}\n`);
  return parts.join('\n');
}

/** `remove <email>` */
function describe(name: string, command: Command): string {
  const options = 'list' in command ? '[--limit N] [--json|--csv]' : '';
  return [name, command.usage ?? '', options].filter((part) => part !== '').join(' ');
}

function format({ columns, csvOnly = [], rows }: Listing, { options }: Call): string {
  if (options.json) return `${JSON.stringify(rows)}\n`;
  if (options.csv) return toCsv([...columns, ...csvOnly], rows);
  return formatTable(columns, rows);
}

export function formatTable(columns: readonly string[], rows: readonly Values[]): string {
  const lines = [columns];
  for (const row of rows) lines.push(columns.map((name) => formatValue(name, row[name])));
  const widths = columns.map((_, index) => widthOf(lines, index));
  return lines.map((cells) => formatLine(cells, widths)).join('');
}

function widthOf(lines: readonly (readonly string[])[], index: number): number {
  let width = 0;
  for (const cells of lines) width = Math.max(width, cells[index]?.length ?? 0);
  return width;
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  const line = cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  // Names come from pasted lists, which may have escape sequences.
  return `${line.trimEnd().replace(/\p{Cc}/gu, '\uFFFD')}\n`;
}

/** Opens the store for a job. @throws {ExpectedError} with SQLite's message */
export function withStore<T>(job: (db: Database) => T): T {
  const db = openStore();
  try {
    return job(db);
  } catch (error) {
    throw explain(error, storeFile);
  } finally {
    db.close();
  }
}

/** For a job that writes. */
export function withTransaction<T>(job: (db: Database) => T): T {
  return withStore((db) => db.transaction(job).immediate(db));
}

/** @throws {UsageError} if the text is no address */
export function requireEmail(text = ''): string {
  const email = readEmail(text);
  if (email === undefined) throw new UsageError(`${JSON.stringify(text)} is not an email address`);
  return email;
}
