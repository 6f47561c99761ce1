/**
 * Installs Guestlist from the folder in which an archive was unpacked, or from a built checkout: user,
 * folders, settings, systemd units, and the command `guestlist`. It changes nothing that is there.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { print } from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool, UsageError } from '../lib/cli/tool.ts';
import { isArchive, readSettings, root, SettingsError } from '../lib/config.ts';
import { ask } from '../lib/http/ask.ts';
import { hold, UPGRADE_LOCK } from './versions/folders.ts';

const VERSIONS = '/opt/guestlist';
const CURRENT = `${VERSIONS}/current`;
const DATA = '/var/lib/guestlist';
const SETTINGS = '/etc/guestlist.env';
const UNITS = '/etc/systemd/system';
const COMMAND = '/usr/local/bin/guestlist';
const USER = 'guestlist';
const PORT = '3000';

/** How long the service may take until it answers, in ms. */
const START_TIMEOUT = 60_000;

type Step = { readonly outcome: 'made' | 'found' | 'left'; readonly what: string };
type Say = (outcome: Step['outcome'], what: string) => Promise<void>;

await runTool('setup', [
  {
    form: '[--origin <url>] [--port <n>]',
    help:
      'install and start Guestlist as root, for the https address of the site, behind a\n' +
      'proxy that reaches it on a port of 127.0.0.1 (default 3000); it asks nothing, says\n' +
      'what it made, found or left, and changes nothing that is there',
    run: setUp,
  },
]);

async function setUp({ option, json }: Arguments): Promise<void> {
  if (process.getuid?.() !== 0) throw new Refusal('only root can set up Guestlist; use sudo');
  // The service's user reads the files.
  process.umask(0o022);
  const settings = newSettings(option('origin'), option('port'));
  fs.mkdirSync(VERSIONS, { recursive: true });
  const release = await hold(path.join(VERSIONS, UPGRADE_LOCK));
  if (!release) throw new Refusal('an upgrade or rollback is under way; wait until it is done');
  await install(settings, json).finally(release);
}

async function install(settings: string | undefined, json: boolean): Promise<void> {
  const code = installedFolder();
  const steps: Step[] = [];
  const say: Say = async (outcome, what) => {
    steps.push({ outcome, what });
    if (!json) print(`${outcome.padEnd(6)} ${what}\n`);
  };
  await makeUser(say);
  await makeFolders(code, say);
  if (settings === undefined) await say('found', SETTINGS);
  else await writeNew(SETTINGS, settings, say);
  await installUnits(say);
  await makeLink(COMMAND, `${CURRENT}/guestlist`, say);
  await startService(say);
  const next = 'next: a proxy, then guestlist invite add <email>, and guestlist doctor';
  print(json ? `${JSON.stringify(steps)}\n` : `${next}; see docs/install.md\n`);
}

/**
 * The text of the settings' file, or `undefined` where there is one and no option.
 *
 * @throws {UsageError} if an option is invalid or missing
 */
function newSettings(origin: string | undefined, port: string | undefined): string | undefined {
  if (origin === undefined) {
    if (port === undefined && fs.existsSync(SETTINGS)) return undefined;
    throw new UsageError('setup needs --origin <url>, the https address of the site');
  }
  try {
    const settings = readSettings({ PORT: port ?? PORT, PUBLIC_ORIGIN: origin });
    const { publicOrigin } = settings;
    if (settings.port === 0) throw new UsageError('--port is 0; the proxy needs a fixed one');
    if (!publicOrigin.startsWith('https:'))
      throw new UsageError(`--origin is ${origin}; sessions need an https address`);
    return `PORT=${settings.port}\nPUBLIC_ORIGIN=${publicOrigin}\nNODE_ENV=production\n`;
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message) : error;
  }
}

/** Where this version lies when it is installed. @throws {Refusal} if another version is installed */
function installedFolder(): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const code = isArchive ? path.join(VERSIONS, version) : path.dirname(path.join(root, 'x'));
  if (fs.lstatSync(CURRENT, { throwIfNoEntry: false }) && !fs.existsSync(`${CURRENT}/guestlist`))
    throw new Refusal(`${CURRENT} leads to no version; remove it, then run setup again`);
  const other = fs.existsSync(CURRENT) ? fs.realpathSync(CURRENT) : code;
  if (other !== code)
    throw new Refusal(`${other} is installed; to change the version: guestlist upgrade <archive>`);
  const data = fs.lstatSync(path.join(code, 'data'), { throwIfNoEntry: false });
  if (data && !data.isSymbolicLink())
    throw new Refusal(
      `${code}/data is a folder; stop the service and move it: mv ${code}/data ${DATA}`,
    );
  return code;
}

async function makeUser(say: Say): Promise<void> {
  const exists = (database: string) => spawnSync('getent', [database, USER]).status === 0;
  if (!exists('group')) run('groupadd', ['--system', USER]);
  if (exists('passwd')) return say('found', `user ${USER}`);
  const home = ['--home-dir', DATA, '--no-create-home', '--shell', '/usr/sbin/nologin'];
  run('useradd', ['--system', '--gid', USER, ...home, USER]);
  await say('made', `user ${USER}`);
}

async function makeFolders(code: string, say: Say): Promise<void> {
  if (fs.existsSync(code)) await say('found', code);
  else {
    const partial = path.join(VERSIONS, `.${path.basename(code)}.partial`);
    fs.rmSync(partial, { recursive: true, force: true });
    // Of `data/`, which a trial may have left, nothing is copied.
    const filter = (file: string) => path.relative(root, file) !== 'data';
    fs.cpSync(root, partial, { recursive: true, filter });
    // Node copies the owner too, and anyone may have unpacked the archive.
    run('chown', ['-R', '0:0', partial]);
    run('chmod', ['-R', 'u=rwX,go=rX', partial]);
    fs.renameSync(partial, code);
    await say('made', code);
  }
  if (fs.existsSync(DATA)) await say('found', DATA);
  else {
    run('install', ['-d', '-m', '0700', '-o', USER, '-g', USER, DATA]);
    await say('made', `${DATA}, for the store, its snapshots and the site`);
  }
  await makeLink(path.join(code, 'data'), DATA, say);
  await makeLink(CURRENT, path.relative(VERSIONS, code), say);
}

async function installUnits(say: Say): Promise<void> {
  const deploy = path.join(root, 'deploy');
  const units = fs
    .readdirSync(deploy)
    .filter((name) => /^guestlist.*\.(service|socket|timer)$/.test(name));
  // Links, so that an upgrade replaces the units with the version.
  for (const name of units)
    await makeLink(path.join(UNITS, name), `${CURRENT}/deploy/${name}`, say);
  const port = installedPort();
  if (port !== PORT && units.includes('guestlist.socket'))
    await writeNew(
      path.join(UNITS, 'guestlist.socket.d', 'port.conf'),
      `[Socket]\nListenStream=\nListenStream=127.0.0.1:${port}\n`,
      say,
    );
}

async function startService(say: Say): Promise<void> {
  if (!fs.existsSync('/run/systemd/system'))
    return say('left', 'the service: systemd does not run here; start it by: guestlist serve');
  const units = ['guestlist.socket', 'guestlist.service', 'guestlist-backup.timer'].filter((name) =>
    fs.existsSync(path.join(UNITS, name)),
  );
  const isActive = () => spawnSync('systemctl', ['is-active', ...units]).status === 0;
  const wasActive = isActive();
  run('systemctl', ['daemon-reload']);
  run('systemctl', ['enable', '--quiet', ...units]);
  // Only the answer counts. systemd may retry a failed start for a long time.
  run('systemctl', ['start', '--no-block', ...units]);
  const origin = `http://127.0.0.1:${installedPort()}`;
  const end = Date.now() + START_TIMEOUT;
  while ((await ask(new URL(origin)).catch(() => undefined))?.status !== 200) {
    if (Date.now() > end)
      throw new Refusal('the service does not answer; its log: journalctl -u guestlist -n 20');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await say(wasActive ? 'found' : 'made', `the service answers on ${origin}`);
}

function installedPort(): string {
  return /^PORT=(\d+)$/m.exec(fs.readFileSync(SETTINGS, 'utf8'))?.[1] ?? PORT;
}

/** Writes a file, unless there is one. */
async function writeNew(file: string, text: string, say: Say): Promise<void> {
  if (!fs.existsSync(file)) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o644 });
    return say('made', file);
  }
  if (fs.readFileSync(file, 'utf8') === text) return say('found', file);
  await say('left', `${file}, which differs from what setup would write`);
}

async function makeLink(link: string, target: string, say: Say): Promise<void> {
  const present = fs.lstatSync(link, { throwIfNoEntry: false });
  const shown = `${link} → ${target}`;
  if (!present) {
    fs.symlinkSync(target, link);
    return say('made', shown);
  }
  if (present.isSymbolicLink() && fs.readlinkSync(link) === target) return say('found', shown);
  await say('left', `${link}, which is not a link to ${target}`);
}

/** @throws {Refusal} if the program fails */
function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Refusal(`${program}: ${stderr.trim() || `exit status ${status}`}`);
}
