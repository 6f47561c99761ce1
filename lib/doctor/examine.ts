/** The doctor's checks. A check returns its message, or throws a fault with its remedy, or `Skip`. */
import fs from 'node:fs';
import path from 'node:path';
import { commandFor, readSettings, type Settings, SettingsError } from '../config.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { LOST_SITE, loadSite, OWN_SITE, siteFolder } from '../site/site.ts';
import { explainErrors } from '../store/errors.ts';
import { hasGuests, inspectStoreFile, quickCheck } from '../store/inspection.ts';
import { storeExists, storeFile } from '../store/open.ts';
import { listSnapshots } from '../store/snapshots.ts';

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

/** Where the package and docs/install-from-git.md put the unit of the service. */
const UNITS = [
  '/usr/lib/systemd/system/guestlist.service',
  '/etc/systemd/system/guestlist.service',
];

/** Runs all checks, in development without those of production. @param env has the settings */
export async function examineInstallation(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const isDevelopment =
    !env.PUBLIC_ORIGIN &&
    env.NODE_ENV !== 'production' &&
    !UNITS.some((unit) => fs.existsSync(unit));
  const inProduction = (look: (settings: Settings) => string | Promise<string>) => () => {
    const settings = readSettings(env);
    if (isDevelopment) throw new Skip('neither PUBLIC_ORIGIN nor NODE_ENV=production is set');
    return look(settings);
  };
  const checks = {
    settings: inProduction(checkSettings),
    site: () => checkSite(isDevelopment),
    store: checkStore,
    snapshot: inProduction(checkSnapshot),
    public: inProduction(checkPublic),
  };
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(checks)) {
    try {
      findings.push({ check, status: 'ok', message: await look() });
    } catch (error) {
      const isSkipped =
        error instanceof Skip || (error instanceof SettingsError && check !== 'settings');
      const status = isSkipped ? 'skip' : 'fault';
      findings.push({ check, status, message: (error as Error).message });
    }
  }
  return findings;
}

/** Checks that the settings fit a site under TLS. */
function checkSettings({ port, publicOrigin, production }: Settings): string {
  if (!production) throw new Error('cookies are not Secure; set NODE_ENV=production');
  if (!publicOrigin.startsWith('https:'))
    throw new Error(`PUBLIC_ORIGIN is ${publicOrigin}; set it to the https address of the site`);
  return `PORT=${port} PUBLIC_ORIGIN=${publicOrigin} NODE_ENV=production`;
}

/** Checks the site as a start does. @returns its warnings, one a line */
function checkSite(isDevelopment: boolean): string {
  const { folder, isSample, warnings } = loadSite(siteFolder(), '');
  if (!isDevelopment && isSample && explainErrors(storeFile, () => hasGuests(storeFile)))
    throw new Error(LOST_SITE);
  return warnings.join('\n') || `no mistakes found in ${folder}`;
}

/** Checks that the store is there and undamaged, and that only this user can read `data/`. */
function checkStore(): string {
  if (!storeExists())
    throw new Error(
      `there is no ${storeFile}; the first invite creates it: ${commandFor('invite add <email>')}`,
    );
  checkPrivate(data);
  const fault = explainErrors(storeFile, () => quickCheck(storeFile));
  if (fault !== null)
    throw new Error(`${storeFile} fails the check: ${fault}; restore a snapshot from data/backups`);
  return `${storeFile} is undamaged, and only its owner can read it`;
}

/** Checks a file, or a folder and all in it except the site, which others may read. */
function checkPrivate(file: string): void {
  if (file === OWN_SITE) return;
  // SQLite may have removed the file since.
  const state = fs.statSync(file, { throwIfNoEntry: false });
  if (state && state.uid !== process.getuid?.())
    throw new Error(`${file} belongs to user ${state.uid}; chown it to the service's user`);
  if (state && (state.mode & 0o077) !== 0)
    throw new Error(`other users can read ${file}; chmod go= ${file}`);
  if (!state?.isDirectory()) return;
  for (const name of fs.readdirSync(file)) checkPrivate(path.join(file, name));
}

/** Checks that the newest nightly snapshot is recent and undamaged. */
function checkSnapshot(): string {
  const again = 'see journalctl -u guestlist-backup, then: systemctl start guestlist-backup';
  // Only nightly snapshots have no label.
  const newest = listSnapshots(storeFile).find(({ file }) => /Z\.db$/.test(file));
  if (!newest) throw new Error(`there is no snapshot in ${data}/backups; ${again}`);
  const age = (Date.now() - newest.takenAt) / 3_600_000;
  const shown = `${path.basename(newest.file)} is ${Math.round(age)} h old`;
  if (age < 0) throw new Error(`the newest, ${shown}: set the clock, or delete it; ${again}`);
  if (age > FRESH) throw new Error(`the newest, ${shown}; ${again}`);
  const { fault } = inspectStoreFile(newest.file);
  if (fault !== null) throw new Error(`${shown}, and fails the check: ${fault}; ${again}`);
  return `${shown} and undamaged`;
}

/** Checks the public address: name, certificate, proxy and headers. */
async function checkPublic({ publicOrigin, production }: Settings): Promise<string> {
  const { status, headers } = await ask(publicOrigin, (code) => {
    // 23 is that of AbortSignal.timeout.
    if (/^(ENOTFOUND|EAI_)/.test(code)) return 'point the name to this machine (A and AAAA)';
    if (/^(E(CONN|HOST|NET|TIMED)|UND_ERR|23$)/.test(code))
      return 'start the proxy; open ports 80 and 443 in the firewall';
    return 'give the proxy a valid certificate for this name';
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

/** Sends a GET. @throws with the remedy of the error */
async function ask(origin: string, remedy: (code: string) => string): Promise<Response> {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(origin, { redirect: 'manual', signal }).catch((error) => {
    const { message, code } = error.cause ?? error;
    const reason = message.trim() || code;
    throw new Error(`${origin} cannot be reached: ${reason}; ${remedy(String(code))}`);
  });
  await response.body?.cancel();
  return response;
}
