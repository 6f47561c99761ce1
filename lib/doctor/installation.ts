/** Checks the installation: Node, SQLite, build, settings, site, and the permissions of `data/`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COMPILED, readSettings, root, type Settings, SettingsError } from '../config.ts';
import { loadSite, siteFolder } from '../site/site.ts';
import { REBUILD, whyNotLoaded } from '../store/errors.ts';
import { withDatabase } from '../store/file/sqlite.ts';
import { storeFile } from '../store/open.ts';
import { fault, type Result, reason } from './finding.ts';

/** A copy has new times, so a source may be newer than its build by this, in ms. */
const SAME_TIME = 5000;

/** Node's version against `engines` in package.json. */
export function checkNode(): Result {
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const own = process.versions.node;
  if (own.localeCompare(engines.node.slice('>='.length), 'en', { numeric: true }) >= 0)
    return `Node ${own}`;
  return fault(
    `this is Node ${own}, but ${engines.node} is needed`,
    'install a newer Node, then: npm ci --omit=dev',
  );
}

/** Whether the native module of better-sqlite3 can be loaded. */
export function checkSqlite(): Result {
  try {
    const select = 'select sqlite_version()';
    return `SQLite ${withDatabase(':memory:', {}, (db) => db.prepare(select).pluck().get())}`;
  } catch (error) {
    return fault(whyNotLoaded(error) ?? reason(error), `${REBUILD}, then restart the service`);
  }
}

/** Whether every source has a build that is not older. */
export function checkBuild(): Result {
  const remedy = `in ${root}: npm ci && npm run build && npm ci --omit=dev, then restart the service`;
  for (const name of ['server.ts', ...COMPILED.flatMap(sourcesIn)]) {
    const [source = 0, build] = [name, name.replace(/ts$/, 'js')].map(
      (file) => fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs,
    );
    if (build === undefined) return fault(`${name} is not built`, remedy);
    if (source > build + SAME_TIME) return fault(`${name} is newer than its build`, remedy);
  }
  return 'the build is as new as its source';
}

const sourcesIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => path.join(folder, name));

/** The settings, as the service would read them from the same environment. */
export function checkSettings(env: NodeJS.ProcessEnv) {
  try {
    const settings = readSettings(env);
    return { result: judge(settings), settings };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = 'correct it in the environment of the service (/etc/guestlist.env)';
    return { result: fault(error.message, remedy), settings: undefined };
  }
}

function judge({ port, publicOrigin, production }: Settings): Result {
  const wanted = (message: string, setting: string) =>
    fault(message, `set ${setting}; run the doctor with the service's environment`);
  if (!production)
    return wanted('NODE_ENV is not production: cookies are not Secure', 'NODE_ENV=production');
  if (!publicOrigin.startsWith('https:'))
    return wanted(
      `PUBLIC_ORIGIN is ${publicOrigin}: browsers store no Secure cookie without https`,
      'PUBLIC_ORIGIN to the https address of the site',
    );
  if (port === 0) return wanted('PORT is 0: the proxy cannot know the port', 'PORT=3000');
  return `PORT=${port} PUBLIC_ORIGIN=${publicOrigin} NODE_ENV=production`;
}

/** Checks the site as a start does. `site` is `undefined` if a start would fail. */
export function checkContent(publicOrigin: string) {
  try {
    const site = loadSite(siteFolder(), publicOrigin);
    const { warnings } = site;
    return { results: warnings.length > 0 ? warnings : [`${site.folder} has no mistakes`], site };
  } catch (error) {
    const remedy = 'correct it, or the next start of the service fails: see docs/content.md';
    const mistakes = reason(error).split('\n');
    return { results: mistakes.map((mistake) => fault(mistake, remedy)), site: undefined };
  }
}

const data = path.dirname(storeFile);

/** Whether this user may list `data/`. */
export function mayReadData(): boolean {
  try {
    fs.accessSync(data, fs.constants.R_OK | fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether `data/` and its contents belong to the service's user, and no other can read them. The
 * site in it may be another user's: the check of the content reports what the service cannot read.
 */
export function checkData(): Result {
  const { uid, gid, username } = os.userInfo();
  const owner = fs.statSync(data, { throwIfNoEntry: false })?.uid;
  if (owner === undefined)
    return fault(`there is no ${data}`, `install -d -m 0700 -o guestlist -g guestlist ${data}`);
  if (uid !== 0 && owner !== uid)
    return fault(
      `${data} belongs to user ${owner}, not to ${username}`,
      `run the doctor as the service's user, or: chown -R ${uid}:${gid} ${data}`,
    );
  const names = fs.readdirSync(data, { recursive: true, encoding: 'utf8' });
  for (const name of ['', ...names.filter((each) => !/^site(\/|$)/.test(each))]) {
    const file = path.join(data, name);
    const state = fs.statSync(file, { throwIfNoEntry: false });
    if (state && state.uid !== owner)
      return fault(
        `${file} belongs to user ${state.uid}, its folder to ${owner}`,
        `chown -R --reference=${data} ${data}`,
      );
    if (state && (state.mode & 0o077) !== 0)
      return fault(
        `other users can read ${file} (mode ${(state.mode & 0o777).toString(8)})`,
        `chmod -R go= ${data}`,
      );
  }
  return `only its owner can read ${data}`;
}
