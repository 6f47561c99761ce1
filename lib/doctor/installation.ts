/** Looks at what was installed: Node, SQLite, the build, the settings, and who may read `data/`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readSettings, type Settings, SettingsError } from '../config.ts';
import { root } from '../root.ts';
import { REBUILD, whyNotLoaded } from '../store/errors.ts';
import { storeFile } from '../store/open.ts';
import Database from '../store/sqlite.ts';
import { type Finding, fault, reason, well } from './finding.ts';

/** Folders in which the build writes a `.js` beside each `.ts`. */
const COMPILED = ['.', 'lib', 'pages', 'tools'];

/** A copy of the installation gives source and build the time of copying; this far apart is the same, in ms. */
const SAME_TIME = 5000;

/** Node's version against `engines` in package.json. */
export function checkNode(): Finding {
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [major = 0, minor = 0] = numbers(engines.node);
  const [ownMajor = 0, ownMinor = 0] = numbers(process.versions.node);
  const enough = ownMajor > major || (ownMajor === major && ownMinor >= minor);
  return enough
    ? well('node', `Node ${process.versions.node}`)
    : fault(
        'node',
        `this is Node ${process.versions.node}, but ${engines.node} is needed`,
        'install a newer Node, then: npm ci --omit=dev',
      );
}

const numbers = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);

/** Whether the native module of better-sqlite3 is there, and fits this Node. */
export function checkSqlite(): Finding {
  try {
    const db = new Database(':memory:');
    const version = db.prepare('select sqlite_version()').pluck().get();
    db.close();
    return well('sqlite', `SQLite ${version}`);
  } catch (error) {
    const message = whyNotLoaded(error) ?? reason(error);
    return fault('sqlite', message, `${REBUILD}, then restart the service`);
  }
}

/** Whether every source has a build that is no older. */
export function checkBuild(): Finding {
  const remedy = `in ${root}: npm ci && npm run build && npm ci --omit=dev, then restart the service`;
  const sources = COMPILED.flatMap((folder) => sourcesIn(path.join(root, folder), folder !== '.'));
  for (const source of sources) {
    const name = path.relative(root, source);
    const built = fs.statSync(source.replace(/ts$/, 'js'), { throwIfNoEntry: false });
    if (!built) return fault('build', `${name} is not built`, remedy);
    if (fs.statSync(source).mtimeMs > built.mtimeMs + SAME_TIME)
      return fault('build', `${name} is newer than its build`, remedy);
  }
  return well('build', 'the build is as new as its source');
}

function sourcesIn(folder: string, deep: boolean): readonly string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return deep ? sourcesIn(file, deep) : [];
    return /(?<!\.d)\.ts$/.test(entry.name) ? [file] : [];
  });
}

/** The settings, as the service would read them from the same environment. */
export function checkSettings(): { finding: Finding; settings: Settings | undefined } {
  try {
    const settings = readSettings(process.env);
    return { finding: judge(settings), settings };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = 'correct it in the environment of the service (/etc/guestlist.env)';
    return { finding: fault('settings', error.message, remedy), settings: undefined };
  }
}

function judge({ port, publicOrigin, production }: Settings): Finding {
  const mend = (message: string, wanted: string) =>
    fault('settings', message, `set ${wanted}; is the doctor run with the service's environment?`);
  if (!production)
    return mend('NODE_ENV is not production: cookies go without Secure', 'NODE_ENV=production');
  if (!publicOrigin.startsWith('https:'))
    return mend(
      `PUBLIC_ORIGIN is ${publicOrigin}: browsers keep no Secure cookie without https`,
      'PUBLIC_ORIGIN to the https address of the site',
    );
  if (port === 0) return mend('PORT is 0: the proxy cannot know the port', 'PORT=3000');
  return well('settings', `PORT=${port} PUBLIC_ORIGIN=${publicOrigin} NODE_ENV=production`);
}

const dataFolder = path.dirname(storeFile);

/** Whether this user may look into `data/` at all. */
export function mayReadData(): boolean {
  try {
    fs.accessSync(dataFolder, fs.constants.R_OK | fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether `data/` and all that is in it belongs to the service alone. */
export function checkData(): Finding {
  const folder = dataFolder;
  const { uid, gid, username } = os.userInfo();
  if (!fs.existsSync(folder)) {
    return fault(
      'data',
      `there is no ${folder}`,
      `install -d -m 0700 -o guestlist -g guestlist ${folder}`,
    );
  }
  const owner = fs.statSync(folder).uid;
  if (uid !== 0 && owner !== uid) {
    return fault(
      'data',
      `${folder} belongs to user ${owner}, not to ${username}`,
      `run the doctor as the service's own user, or: chown -R ${uid}:${gid} ${folder}`,
    );
  }
  for (const file of [folder, ...entriesOf(folder)]) {
    const state = fs.statSync(file, { throwIfNoEntry: false });
    if (!state) continue;
    if (state.uid !== owner) {
      return fault(
        'data',
        `${file} belongs to user ${state.uid}, its folder to ${owner}`,
        `chown -R --reference=${folder} ${folder}`,
      );
    }
    if ((state.mode & 0o077) !== 0) {
      return fault(
        'data',
        `${file} can be read by others (mode ${(state.mode & 0o777).toString(8)})`,
        `chmod -R go= ${folder}`,
      );
    }
  }
  return well('data', `${folder} is its owner's alone`);
}

const entriesOf = (folder: string): readonly string[] =>
  fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name)));
