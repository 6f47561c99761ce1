/**
 * The folders of the application and of its data, the three settings, and the operator's command.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseUrl } from './url.ts';

/** Absolute path of the folder that holds `server.ts`, with a trailing slash. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Absolute path of `data/`. If it is a link, this is the path of its target. Messages name it too.
 */
export const dataFolder = realPath(path.join(root, 'data'));

/** A missing folder stays as it is: it is created on first use. */
function realPath(folder: string): string {
  return fs.existsSync(folder) ? fs.realpathSync(folder) : folder;
}

/** Describes a link to a folder that is missing; `undefined` for any other path. */
export function describeLostLink(folder: string): string | undefined {
  const isLink = fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || fs.statSync(folder, { throwIfNoEntry: false })) return undefined;
  const target = path.resolve(path.dirname(folder), fs.readlinkSync(folder));
  return `${folder} is a link to ${target}, which is missing (is its disk mounted?)`;
}

export type Settings = {
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /**
   * The origin in links to the site, without a trailing slash; by default, `localhost` with `port`.
   */
  readonly publicOrigin: string;
  /** Whether cookies are `Secure` and replies carry HSTS. */
  readonly production: boolean;
};

const DEFAULT_PORT = '3000';

/** What a tool says below links that it made without `PUBLIC_ORIGIN`. */
export const LOCAL_LINKS =
  'these links work only on this computer; set PUBLIC_ORIGIN to get links you can send';

/** An error that an operator can correct. Its message says how, and is printed without a stack. */
export class ExpectedError extends Error {}

/** An invalid setting. The message is one line with the remedy. */
export class SettingsError extends ExpectedError {}

/**
 * Reads the settings from the environment; an empty variable counts as unset.
 *
 * @throws {SettingsError} if `PORT` or `PUBLIC_ORIGIN` is invalid
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const port = readPort(env.PORT || DEFAULT_PORT);
  return {
    port,
    publicOrigin: readOrigin(env.PUBLIC_ORIGIN || `http://localhost:${port}`),
    production: env.NODE_ENV === 'production',
  };
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new SettingsError(
    `PORT is ${JSON.stringify(text)}; it must be a whole number from 0 to 65535`,
  );
}

function readOrigin(text: string): string {
  const url = parseUrl(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp)
    throw new SettingsError(
      `PUBLIC_ORIGIN is ${JSON.stringify(text)}; it must be an http or https address ` +
        'such as https://preview.example.com',
    );
  const surplus = describeSurplus(url);
  if (surplus === undefined) return url.origin;
  throw new SettingsError(
    `PUBLIC_ORIGIN has ${surplus}; Guestlist needs a host name of its own, ` +
      `such as https://preview.example.com`,
  );
}

/**
 * The part of an address after its origin; `undefined` if there is none. A password is hidden.
 */
function describeSurplus(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return 'a user';
  if (url.pathname !== '/') return `the path ${url.pathname}`;
  if (url.search !== '') return `the query ${url.search}`;
  if (url.hash !== '') return `the fragment ${url.hash}`;
  return undefined;
}

/** Loads a package. If it is not installed, the process ends with one line that says so. */
export function requirePackage<Exports>(name: string): Exports {
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    console.error(`the package ${name} is missing or incomplete; in ${root}: npm ci`);
    process.exit(1);
  }
}

/**
 * The name of this installation and of its systemd units: `guestlist`, or that of a second site.
 */
export function installationName(): string {
  const { GUESTLIST_COMMAND } = process.env;
  // `1` is the command that is on the path.
  if (!GUESTLIST_COMMAND || GUESTLIST_COMMAND === '1') return 'guestlist';
  return path.basename(path.dirname(GUESTLIST_COMMAND));
}

/** Characters that need no quotes in a shell: `/srv/guestlist`, but not `it's`. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** A word of a command line, in quotes if a shell needs them. */
export function quoteForShell(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * A call of a tool, for messages:
 * - `guestlist invite list` if the command `guestlist` has started this process,
 * - `/opt/guestlist-en/guestlist invite list` for the command of a second installation,
 * - `node tools/invite.js list` otherwise.
 *
 * @param call the tool and its arguments: `invite list`
 */
export function commandFor(call: string): string {
  const { GUESTLIST_COMMAND, PORT, PUBLIC_ORIGIN } = process.env;
  // The command on the path sets 1. The command of another installation sets its own path.
  if (GUESTLIST_COMMAND === '1') return `guestlist ${call}`;
  if (GUESTLIST_COMMAND) return `${quoteForShell(GUESTLIST_COMMAND)} ${call}`;
  const [tool = '', ...args] = call.split(' ');
  const command = ['node', `tools/${tool}.js`, ...args].join(' ');
  // With the server's port, the tool prints links to that server.
  const isDefaultPort = !PORT || PORT === '0' || PORT === DEFAULT_PORT;
  if (PUBLIC_ORIGIN || isDefaultPort) return command;
  return `PORT=${PORT} ${command}`;
}
