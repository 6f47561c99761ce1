/**
 * The doctor's checks. A check returns its message, or throws a fault with its remedy, or `Skip`.
 */
import { installationName, readSettings, type Settings, SettingsError } from '../../config.ts';
import { LOST_SITE, loadSite, OWN_SITE, showWarning, siteFolder } from '../../site/site.ts';
import { isOfDisk, messageOf, pathOf, toFileError, toStoreError } from '../../store/errors.ts';
import { findServer, type Holder, wayToRestart } from '../../store/holders.ts';
import { inviteReader } from '../../store/invites.ts';
import { withDatabase } from '../../store/sqlite.ts';
import { requireStore, storeFile } from '../../store/store-file.ts';
import { examineFiles } from '../file-checks/examine-files.ts'; // extra: file-checks
import { checkPublic, NO_ORIGIN } from './check-public.ts';
import { checkSnapshot, checkStore } from './check-store.ts';

export type Finding = {
  readonly check: string;
  readonly status: 'ok' | 'skip' | 'fault';
  readonly message: string;
};

/** How long the server may take to answer, in ms. */
const ANSWER_LIMIT = 5000;

/** Why a check does not apply here. */
class Skip extends Error {}

/** Runs all checks, in development without those of production. @param env has the settings */
export async function examineInstallation(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  // The command `guestlist` runs an installation, and its settings should be those of production.
  const isInstalled = Boolean(env.GUESTLIST_COMMAND);
  const isDevelopment = !isInstalled && !env.PUBLIC_ORIGIN && env.NODE_ENV !== 'production';
  function requireProduction(): void {
    if (isDevelopment) throw new Skip('neither PUBLIC_ORIGIN nor NODE_ENV=production is set');
  }
  return [
    await examine('settings', () => {
      const settings = readSettings(env);
      requireProduction();
      return checkSettings(settings, env);
    }),
    await examine('site', () => checkSite(isDevelopment)),
    await examine('store', () => checkStore(isDevelopment)),
    await examine('snapshot', () => {
      requireProduction();
      return checkSnapshot();
    }),
    await examine('public', () => {
      requireProduction();
      return checkPublic(readSettings(env), env);
    }),
  ];
}

/** Returns what the check found. @throws a fault with its remedy, or a `Skip` */
type Check = () => string | Promise<string>;

async function examine(check: string, look: Check): Promise<Finding> {
  try {
    return { check, status: 'ok', message: await look() };
  } catch (error) {
    // Invalid settings are one fault. The other checks cannot run without settings.
    const isOfSettings = error instanceof SettingsError && check !== 'settings';
    const status = error instanceof Skip || isOfSettings ? 'skip' : 'fault';
    const known = isOfDisk(error)
      ? toFileError(pathOf(error, storeFile), error)
      : toStoreError(error);
    return { check, status, message: messageOf(known) };
  }
}

/** Checks that the settings fit a site under TLS. */
async function checkSettings(settings: Settings, env: NodeJS.ProcessEnv): Promise<string> {
  const { port, publicOrigin, production } = settings;
  if (!env.NODE_ENV && !env.PUBLIC_ORIGIN)
    throw new Error(
      `neither NODE_ENV nor PUBLIC_ORIGIN is set; write both into /etc/${installationName()}.env, ` +
        'or into the environment of the container',
    );
  if (!production) {
    // The message quotes the value: in a file of systemd, a comment may have become part of it.
    const given = env.NODE_ENV ? `NODE_ENV is ${JSON.stringify(env.NODE_ENV)}, so ` : '';
    throw new Error(`${given}cookies are not Secure; set NODE_ENV=production`);
  }
  if (!env.PUBLIC_ORIGIN) throw new Error(NO_ORIGIN);
  if (!publicOrigin.startsWith('https:'))
    throw new Error(`PUBLIC_ORIGIN is ${publicOrigin}; set it to the https address of the site`);
  await refuseFormerSettings(settings);
  return `PORT=${port} PUBLIC_ORIGIN=${publicOrigin} NODE_ENV=production`;
}

/**
 * Asks the server on its port, as a page of the public address would. The environment of the server
 * cannot be read: under systemd it has its own user namespace.
 *
 * @throws an error if the running server was started with other settings
 */
async function refuseFormerSettings({ port, publicOrigin }: Settings): Promise<void> {
  const server = findServer(storeFile);
  const logout = `http://127.0.0.1:${port}/auth/logout`;
  const headers = { origin: publicOrigin };
  const signal = AbortSignal.timeout(ANSWER_LIMIT);
  const ask = fetch(logout, { method: 'POST', headers, signal });
  const reply = await ask.catch((error) => {
    const isRefused = error.cause?.code === 'ECONNREFUSED';
    if (isRefused && server !== undefined) throw new Error(describeOtherPort(port, server));
  });
  // If no server runs, or if it hangs, the check of the public address reports it.
  if (reply === undefined) return;
  const former: string[] = [];
  if (reply.status === 403) former.push('PUBLIC_ORIGIN');
  if (!reply.headers.has('strict-transport-security')) former.push('NODE_ENV');
  if (former.length === 0) return;
  const restart = server === undefined ? '' : wayToRestart(server);
  throw new Error(
    `the server on port ${port} was started with another ${former.join(' and another ')}; ` +
      `restart it${restart}; if that does not help, another program has this port: ss -ltnp`,
  );
}

/** Under systemd, the socket decides the port. */
function describeOtherPort(port: number, { pid, unit }: Holder): string {
  const found = `PORT is ${port}, where nothing listens, but process ${pid} (the server) runs`;
  if (unit === undefined) return `${found}; restart it`;
  return (
    `${found}; give PORT, ${unit}.socket and the proxy the same port, then: ` +
    `systemctl daemon-reload && systemctl restart ${unit}.socket ${unit}`
  );
}

/** Checks the site as a start does. @returns its warnings, one a line */
function checkSite(isDevelopment: boolean): string {
  const { folder, isSample, warnings } = loadSite(
    siteFolder(),
    '',
    'start',
    examineFiles, // extra: file-checks
  );
  if (!isDevelopment && isSample && hasGuests()) throw new Error(LOST_SITE);
  if (warnings.length === 0) return `no mistakes found in ${folder}`;
  return warnings.map(showWarning).join('\n');
}

/** @throws an error if the store cannot be read */
function hasGuests(): boolean {
  const unknown = `there is no ${OWN_SITE}, so guests may see the sample`;
  try {
    requireStore(storeFile);
    return withDatabase(storeFile, { readonly: true }, (db) => inviteReader(db).hasGuests());
  } catch {
    throw new Error(`${unknown}; see the line store`);
  }
}
