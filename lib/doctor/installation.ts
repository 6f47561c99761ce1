/** Looks at what was installed: Node, SQLite, the build, the settings, and who may read `data/`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COMPILED, readSettings, root, type Settings, SettingsError } from '../config.ts';
import { REBUILD, whyNotLoaded } from '../store/errors.ts';
import Database from '../store/file/sqlite.ts';
import { storeFile } from '../store/open.ts';
import { about, type Finding, reason } from './finding.ts';

/** A copied installation has the times of copying; source and build may differ by this, in ms. */
const SAME_TIME = 5000;

/** Node's version against `engines` in package.json. */
export function checkNode(): Finding {
  const { well, fault } = about('node');
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const own = process.versions.node;
  const enough = own.localeCompare(engines.node.slice('>='.length), 'en', { numeric: true }) >= 0;
  return enough
    ? well(`Node ${own}`)
    : fault(
        `this is Node ${own}, but ${engines.node} is needed`,
        'install a newer Node, then: npm ci --omit=dev',
      );
}

/** Whether the native module of better-sqlite3 is there, and fits this Node. */
export function checkSqlite(): Finding {
  const { well, fault } = about('sqlite');
  try {
    const db = new Database(':memory:');
    const version = db.prepare('select sqlite_version()').pluck().get();
    db.close();
    return well(`SQLite ${version}`);
  } catch (error) {
    const message = whyNotLoaded(error) ?? reason(error);
    return fault(message, `${REBUILD}, then restart the service`);
  }
}

/** Whether every source has a build that is no older. */
export function checkBuild(): Finding {
  const { well, fault } = about('build');
  const remedy = `in ${root}: npm ci && npm run build && npm ci --omit=dev, then restart the service`;
  const sources = ['server.ts', ...COMPILED.flatMap(sourcesIn)].filter((name) =>
    fs.existsSync(path.join(root, name)),
  );
  for (const name of sources) {
    const source = path.join(root, name);
    const built = fs.statSync(source.replace(/ts$/, 'js'), { throwIfNoEntry: false });
    if (!built) return fault(`${name} is not built`, remedy);
    if (fs.statSync(source).mtimeMs > built.mtimeMs + SAME_TIME)
      return fault(`${name} is newer than its build`, remedy);
  }
  return well('the build is as new as its source');
}

const sourcesIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => path.join(folder, name));

/** The settings, as the service would read them from the same environment. */
export function checkSettings(): { finding: Finding; settings: Settings | undefined } {
  try {
    const settings = readSettings(process.env);
    return { finding: judge(settings), settings };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = 'correct it in the environment of the service (/etc/guestlist.env)';
    return { finding: about('settings').fault(error.message, remedy), settings: undefined };
  }
}

function judge({ port, publicOrigin, production }: Settings): Finding {
  const { well, fault } = about('settings');
  const mend = (message: string, wanted: string) =>
    fault(message, `set ${wanted}; is the doctor run with the service's environment?`);
  if (!production)
    return mend('NODE_ENV is not production: cookies go without Secure', 'NODE_ENV=production');
  if (!publicOrigin.startsWith('https:'))
    return mend(
      `PUBLIC_ORIGIN is ${publicOrigin}: browsers keep no Secure cookie without https`,
      'PUBLIC_ORIGIN to the https address of the site',
    );
  if (port === 0) return mend('PORT is 0: the proxy cannot know the port', 'PORT=3000');
  return well(`PORT=${port} PUBLIC_ORIGIN=${publicOrigin} NODE_ENV=production`);
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
  const { well, fault } = about('data');
  const { uid, gid, username } = os.userInfo();
  if (!fs.existsSync(dataFolder))
    return fault(
      `there is no ${dataFolder}`,
      `install -d -m 0700 -o guestlist -g guestlist ${dataFolder}`,
    );
  const owner = fs.statSync(dataFolder).uid;
  if (uid !== 0 && owner !== uid)
    return fault(
      `${dataFolder} belongs to user ${owner}, not to ${username}`,
      `run the doctor as the service's own user, or: chown -R ${uid}:${gid} ${dataFolder}`,
    );
  for (const file of [dataFolder, ...entriesOf(dataFolder)]) {
    const state = fs.statSync(file, { throwIfNoEntry: false });
    if (!state) continue;
    if (state.uid !== owner)
      return fault(
        `${file} belongs to user ${state.uid}, its folder to ${owner}`,
        `chown -R --reference=${dataFolder} ${dataFolder}`,
      );
    if ((state.mode & 0o077) !== 0)
      return fault(
        `${file} can be read by others (mode ${(state.mode & 0o777).toString(8)})`,
        `chmod -R go= ${dataFolder}`,
      );
  }
  return well(`${dataFolder} is its owner's alone`);
}

const entriesOf = (folder: string): readonly string[] =>
  fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name)));
