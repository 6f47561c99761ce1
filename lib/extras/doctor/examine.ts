/** The doctor's checks. A check returns its message, or throws a fault with its remedy, or `Skip`. */
import fs from 'node:fs';
import path from 'node:path';
import {
  commandFor,
  installationName,
  readSettings,
  type Settings,
  SettingsError,
} from '../../config.ts';
import { securityHeaders } from '../../http/security-headers.ts';
import { LOST_SITE, loadSite, OWN_SITE, showWarning, siteFolder } from '../../site/site.ts';
import { messageOf, toStoreError } from '../../store/errors.ts';
import { inspectStoreFile, whyNoStore } from '../../store/inspection.ts';
import { inviteReader } from '../../store/invites.ts';
import { refuseNewerSchema } from '../../store/migrate.ts';
import { isOfFuture, listSnapshots, withReadableCopy } from '../../store/snapshots.ts';
import { withDatabase } from '../../store/sqlite.ts';
import { requireStore, storeFile } from '../../store/store-file.ts';

export type Finding = {
  readonly check: string;
  readonly status: 'ok' | 'skip' | 'fault';
  readonly message: string;
};

/** Why a check does not apply here. */
class Skip extends Error {}

/** Maximum age of the nightly snapshot, in hours. */
const FRESH = 26;

const data = path.dirname(storeFile);

const NO_ORIGIN = 'PUBLIC_ORIGIN is not set; set it to the https address of the site';

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
    return { check, status, message: messageOf(toStoreError(error)) };
  }
}

/** Checks that the settings fit a site under TLS. */
function checkSettings(settings: Settings, env: NodeJS.ProcessEnv): string {
  const { port, publicOrigin, production } = settings;
  if (!production) {
    // What systemd keeps behind a value is seen here.
    const given = env.NODE_ENV ? `NODE_ENV is ${JSON.stringify(env.NODE_ENV)}, so ` : '';
    throw new Error(`${given}cookies are not Secure; set NODE_ENV=production`);
  }
  if (!env.PUBLIC_ORIGIN) throw new Error(NO_ORIGIN);
  if (!publicOrigin.startsWith('https:'))
    throw new Error(`PUBLIC_ORIGIN is ${publicOrigin}; set it to the https address of the site`);
  return `PORT=${port} PUBLIC_ORIGIN=${publicOrigin} NODE_ENV=production`;
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

/** Checks that the store is there and undamaged, and that `data/` is this user's, and private. */
function checkStore(isDevelopment: boolean): string {
  requireStore(storeFile);
  if ((fs.statSync(data).mode & 0o077) !== 0)
    throw new Error(`other users can read ${data}; chmod go= ${data}`);
  for (const file of [data, ...fs.readdirSync(data).map((name) => path.join(data, name))]) {
    // SQLite may have removed the file since.
    const uid = fs.statSync(file, { throwIfNoEntry: false })?.uid;
    if (file !== OWN_SITE && uid !== undefined && uid !== process.getuid?.())
      throw new Error(`${file} belongs to user ${uid}; chown it to the service's user`);
  }
  const { version, fault } = inspectStoreFile(storeFile, 'quick_check');
  if (fault !== null)
    throw new Error(`${storeFile} fails the check: ${fault}; restore a snapshot from data/backups`);
  refuseNewerSchema(storeFile, version);
  // A check takes a file that lost its ids, because a restore does. The start refuses it.
  const foreign = withDatabase(storeFile, { readonly: true }, whyNoStore);
  if (foreign !== undefined) throw new Error(`${storeFile} ${foreign}`);
  if (!isDevelopment && isNobodyInvited())
    throw new Error(
      `nobody is invited, so nobody can log in: ${commandFor('invite add you@example.com')}; ` +
        'if there were guests, this is another store: see if the disk of data/ is mounted',
    );
  return `${storeFile} is undamaged, and only its owner can read it`;
}

const isNobodyInvited = (): boolean =>
  withDatabase(storeFile, { readonly: true }, (db) => inviteReader(db).isEmpty());

/** Checks that the newest nightly snapshot is recent and undamaged. */
function checkSnapshot(): string {
  const unit = `${installationName()}-backup`;
  const again = `see journalctl -u ${unit}, then: systemctl start ${unit}`;
  const nightly = listSnapshots(storeFile).filter(({ label }) => label === '');
  const future = nightly.filter(isOfFuture).map(({ file }) => path.basename(file));
  // A clock that was wrong is no fault of the others.
  const note =
    future.length === 0 ? '' : `; dated in the future, so delete it: ${future.join(', ')}`;
  const newest = nightly.find((snapshot) => !isOfFuture(snapshot));
  if (!newest) throw new Error(`there is no snapshot in ${data}/backups${note}; ${again}`);
  const age = (Date.now() - newest.takenAt) / 3_600_000;
  const shown = `${path.basename(newest.file)} is ${Math.max(0, Math.round(age))} h old`;
  if (age > FRESH) throw new Error(`the newest, ${shown}${note}; ${again}`);
  const { fault } = withReadableCopy(storeFile, newest.file, (file) => inspectStoreFile(file));
  if (fault !== null) throw new Error(`${shown}, and fails the check: ${fault}; ${again}`);
  return `${shown} and undamaged${note}`;
}

const CHECK_WAY =
  'check that the name leads to this machine (A and AAAA), the firewall opens ports 80 and 443, ' +
  'the proxy runs, and its certificate is for this name';

/** Node's codes for a certificate whose authority it does not know. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Node 20 knows the authorities that it brings with it alone. */
const TRUST_AUTHORITY =
  'the proxy sends a certificate whose authority this Node does not trust; if it is your own, run: ' +
  `NODE_EXTRA_CA_CERTS=<its certificate> ${commandFor('doctor')}; else see that the proxy sends ` +
  'the whole chain';

/** @param wanted names and values in turn */
function findLostHeader(wanted: readonly string[], headers: Headers): string | undefined {
  for (let i = 0; i < wanted.length; i += 2) {
    const name = wanted[i] ?? '';
    if (headers.get(name) !== wanted[i + 1]) return name;
  }
  return undefined;
}

/** Checks the public address: name, certificate, proxy and headers. */
async function checkPublic(settings: Settings, env: NodeJS.ProcessEnv): Promise<string> {
  const { publicOrigin, production } = settings;
  if (!env.PUBLIC_ORIGIN) throw new Error(NO_ORIGIN);
  const signal = AbortSignal.timeout(10_000);
  const ask = fetch(publicOrigin, { method: 'HEAD', redirect: 'manual', signal });
  const { status, headers } = await ask.catch((error) => {
    const { message, code } = error.cause ?? error;
    const why = `${publicOrigin} cannot be reached: ${message.trim() || code}`;
    throw new Error(`${why}; ${UNTRUSTED.has(code) ? TRUST_AUTHORITY : CHECK_WAY}`);
  });
  const lost = findLostHeader(securityHeaders(production), headers);
  if (lost !== undefined) {
    const answer = [status, headers.get('location')].join(' ').trim();
    const running = status >= 500 ? `see journalctl -u ${installationName()}, and ` : '';
    throw new Error(
      `${publicOrigin} answers ${answer}, without the service's ${lost}; ` +
        `${running}compare the proxy with deploy/: its port, domain and headers`,
    );
  }
  return `${publicOrigin} answers with the service's headers`;
}
