/** The doctor's checks. A check returns its message, or throws a fault with its remedy, or `Skip`. */
import { readSettings, type Settings, SettingsError } from '../../config.ts';
import { LOST_SITE, loadSite, OWN_SITE, showWarning, siteFolder } from '../../site/site.ts';
import { isOfDisk, messageOf, pathOf, toFileError, toStoreError } from '../../store/errors.ts';
import { environmentOf, findServer, wayToRestart } from '../../store/holders.ts';
import { inviteReader } from '../../store/invites.ts';
import { withDatabase } from '../../store/sqlite.ts';
import { requireStore, storeFile } from '../../store/store-file.ts';
import { checkPublic, NO_ORIGIN } from './check-public.ts';
import { checkSnapshot, checkStore } from './check-store.ts';

export type Finding = {
  readonly check: string;
  readonly status: 'ok' | 'skip' | 'fault';
  readonly message: string;
};

/** Why a check does not apply here. */
class Skip extends Error {}

/** Runs all checks, in development without those of production. @param env has the settings */
export async function examineInstallation(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  // What the command `guestlist` runs is installed, and its settings should be those of production.
  const isInstalled = Boolean(env.GUESTLIST_COMMAND);
  const isDevelopment = !isInstalled && !env.PUBLIC_ORIGIN && env.NODE_ENV !== 'production';
  function inProduction(look: Check<Settings>): Check<void> {
    return () => {
      const settings = readSettings(env);
      if (isDevelopment) throw new Skip('neither PUBLIC_ORIGIN nor NODE_ENV=production is set');
      return look(settings);
    };
  }
  return [
    await examine(
      'settings',
      inProduction((settings) => checkSettings(settings, env)),
    ),
    await examine('site', () => checkSite(isDevelopment)),
    await examine('store', () => checkStore(isDevelopment)),
    await examine('snapshot', inProduction(checkSnapshot)),
    await examine(
      'public',
      inProduction((settings) => checkPublic(settings, env)),
    ),
  ];
}

/** Returns what it has seen. @throws a fault with its remedy, or a `Skip` */
type Check<Given> = (given: Given) => string | Promise<string>;

async function examine(check: string, look: Check<void>): Promise<Finding> {
  try {
    return { check, status: 'ok', message: await look() };
  } catch (error) {
    // Invalid settings are the fault of one line; the others cannot look.
    const isOfSettings = error instanceof SettingsError && check !== 'settings';
    const status = error instanceof Skip || isOfSettings ? 'skip' : 'fault';
    const known = isOfDisk(error)
      ? toFileError(pathOf(error, storeFile), error)
      : toStoreError(error);
    return { check, status, message: messageOf(known) };
  }
}

/** Checks that the settings fit a site under TLS. */
function checkSettings(settings: Settings, env: NodeJS.ProcessEnv): string {
  const { publicOrigin, production } = settings;
  if (!production) {
    // What systemd keeps behind a value is seen here.
    const given = env.NODE_ENV ? `NODE_ENV is ${JSON.stringify(env.NODE_ENV)}, so ` : '';
    throw new Error(`${given}cookies are not Secure; set NODE_ENV=production`);
  }
  if (!env.PUBLIC_ORIGIN) throw new Error(NO_ORIGIN);
  if (!publicOrigin.startsWith('https:'))
    throw new Error(`PUBLIC_ORIGIN is ${publicOrigin}; set it to the https address of the site`);
  refuseFormerSettings(settings);
  return describeSettings(settings);
}

const describeSettings = ({ port, publicOrigin, production }: Settings): string =>
  `PORT=${port} PUBLIC_ORIGIN=${publicOrigin} NODE_ENV=${production ? 'production' : ''}`;

/** @throws an error where the running server was started with other settings */
function refuseFormerSettings(settings: Settings): void {
  const server = findServer(storeFile);
  if (server === undefined) return;
  const env = environmentOf(server);
  if (env === undefined) return;
  const running = describeSettings(readSettings(env));
  if (running === describeSettings(settings)) return;
  throw new Error(
    `these are ${describeSettings(settings)}, but process ${server.pid} (the server) was started ` +
      `with ${running}; restart it${wayToRestart(server)}`,
  );
}

/** Checks the site as a start does. @returns its warnings, one a line */
function checkSite(isDevelopment: boolean): string {
  const { folder, isSample, warnings } = loadSite(siteFolder(), '');
  if (!isDevelopment && isSample && hasGuests()) throw new Error(LOST_SITE);
  if (warnings.length === 0) return `no mistakes found in ${folder}`;
  return warnings.map(showWarning).join('\n');
}

/** @throws if the store cannot tell */
function hasGuests(): boolean {
  const unknown = `there is no ${OWN_SITE}, and the store cannot tell if guests see the sample`;
  try {
    requireStore(storeFile);
    return withDatabase(storeFile, { readonly: true }, (db) => inviteReader(db).hasGuests());
  } catch {
    throw new Error(`${unknown}; see the line store`);
  }
}
