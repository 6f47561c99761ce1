/** The doctor's checks. A check returns its message, or throws a fault with its remedy, or `Skip`. */
import fs from 'node:fs';
import path from 'node:path';
import { readSettings, type Settings, SettingsError } from '../../config.ts';
import { securityHeaders } from '../../http/security-headers.ts';
import { LOST_SITE, loadSite, OWN_SITE, siteFolder } from '../../site/site.ts';
import { messageOf, toStoreError } from '../../store/errors.ts';
import { inspectStoreFile, whyNoStore } from '../../store/inspection.ts';
import { inviteReader } from '../../store/invites.ts';
import { refuseNewerSchema } from '../../store/migrate.ts';
import { listSnapshots } from '../../store/snapshots.ts';
import { withDatabase } from '../../store/sqlite.ts';
import { requireStore, storeFile } from '../../store/store-file.ts';
import { visible } from '../../visible.ts';

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
  const inProduction = (look: (settings: Settings) => string | Promise<string>) => () => {
    const settings = readSettings(env);
    if (isDevelopment) throw new Skip('neither PUBLIC_ORIGIN nor NODE_ENV=production is set');
    return look(settings);
  };
  const checks = {
    settings: inProduction((settings) => checkSettings(settings, env)),
    site: () => checkSite(isDevelopment),
    store: checkStore,
    snapshot: inProduction(checkSnapshot),
    public: inProduction((settings) => checkPublic(settings, env)),
  };
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(checks)) {
    try {
      findings.push({ check, status: 'ok', message: await look() });
    } catch (error) {
      const isSkipped =
        error instanceof Skip || (error instanceof SettingsError && check !== 'settings');
      const status = isSkipped ? 'skip' : 'fault';
      findings.push({ check, status, message: messageOf(toStoreError(error)) });
    }
  }
  return findings;
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
  return warnings.map(visible).join('\n') || `no mistakes found in ${folder}`;
}

const hasGuests = (): boolean =>
  withDatabase(
    storeFile,
    { readonly: true },
    (db) => inviteReader(db).hasGuests(),
    () => false,
  );

/** Checks that the store is there and undamaged, and that `data/` is this user's, and private. */
function checkStore(): string {
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
  return `${storeFile} is undamaged, and only its owner can read it`;
}

/** Checks that the newest nightly snapshot is recent and undamaged. */
function checkSnapshot(): string {
  const again = 'see journalctl -u guestlist-backup, then: systemctl start guestlist-backup';
  const newest = listSnapshots(storeFile).find(({ label }) => label === '');
  if (!newest) throw new Error(`there is no snapshot in ${data}/backups; ${again}`);
  const age = (Date.now() - newest.takenAt) / 3_600_000;
  const shown = `${path.basename(newest.file)} is ${Math.round(age)} h old`;
  if (age < 0 || age > FRESH) throw new Error(`the newest, ${shown}; ${again}`);
  const { fault } = inspectStoreFile(newest.file);
  if (fault !== null) throw new Error(`${shown}, and fails the check: ${fault}; ${again}`);
  return `${shown} and undamaged`;
}

/** Checks the public address: name, certificate, proxy and headers. */
async function checkPublic(settings: Settings, env: NodeJS.ProcessEnv): Promise<string> {
  const { publicOrigin, production } = settings;
  if (!env.PUBLIC_ORIGIN) throw new Error(NO_ORIGIN);
  const signal = AbortSignal.timeout(10_000);
  const ask = fetch(publicOrigin, { method: 'HEAD', redirect: 'manual', signal });
  const { status, headers } = await ask.catch((error) => {
    const { message, code } = error.cause ?? error;
    throw new Error(
      `${publicOrigin} cannot be reached: ${message.trim() || code}; check that the name leads to ` +
        'this machine (A and AAAA), the firewall opens ports 80 and 443, the proxy runs, and its ' +
        'certificate is for this name',
    );
  });
  const wanted = securityHeaders(production);
  const lost = wanted.find((name, i) => i % 2 === 0 && headers.get(name) !== wanted[i + 1]);
  if (lost !== undefined) {
    const answer = [status, headers.get('location')].join(' ').trim();
    const running = status >= 500 ? 'see journalctl -u guestlist, and ' : '';
    throw new Error(
      `${publicOrigin} answers ${answer}, without the service's ${lost}; ` +
        `${running}compare the proxy with deploy/: its port, domain and headers`,
    );
  }
  return `${publicOrigin} answers with the service's headers`;
}
