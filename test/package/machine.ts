/** Clean Debians 13 with their own systemd, made by debootstrap and booted by systemd-nspawn. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Machine = {
  readonly folder: string;
  /** Runs commands in one shell, up to the first failure. @returns their output; throws if one fails */
  run(commands: string): Promise<string>;
  /** Runs commands that must fail. @returns their output */
  fails(commands: string): Promise<string>;
  remove(): Promise<void>;
};

/** How long commands may take, in ms. */
const TIMEOUT = 600_000;

/** Why no machine can be made here, or `undefined`. */
export function obstacle(ports: readonly number[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can boot a Debian';
  for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter', 'openssl'])
    if (spawnSync(program, ['--version']).error) return `${program} is not installed`;
  if (spawnSync('unshare', ['--mount', '--pid', '--cgroup', '--fork', 'true']).status !== 0)
    return 'root may not make namespaces here';
  const listening = spawnSync('ss', ['-Hltn'], { encoding: 'utf8' }).stdout ?? '';
  const busy = ports.find((port) => listening.includes(`:${port} `));
  return busy === undefined ? undefined : `port ${busy} is in use, and the machine shares them`;
}

/** Makes the root folder of a Debian. */
export function makeDebian(folder: string): void {
  const packages = '--include=systemd,systemd-sysv,dbus,ca-certificates';
  const args = ['--variant=minbase', packages, 'trixie', folder];
  const made = spawnSync('debootstrap', args, { encoding: 'utf8', maxBuffer: 1e8 });
  if (made.status !== 0)
    throw new Error(`debootstrap: ${(made.stdout + made.stderr).trim().split('\n').at(-1)}`);
}

/** Boots a copy of a Debian, with the network of this machine. */
export async function bootDebian(base: string): Promise<Machine> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-debian-'));
  // It becomes the root folder of the machine.
  fs.chmodSync(folder, 0o755);
  spawnSync('cp', ['-a', '--reflink=auto', `${base}/.`, folder]);
  const log = fs.openSync(path.join(folder, 'console'), 'w');
  const cgroups = cgroupRoots().map((mount) => path.join(mount, path.basename(folder)));
  const boot = ['--directory', folder, '--register=no', '--keep-unit', '--boot'];
  const nspawn = spawn(
    'sh',
    ['-euc', START, cgroups.join(' '), ...boot, '--resolv-conf=copy-host'],
    { stdio: ['ignore', log, log] },
  );
  const remove = async () => {
    const exited = once(nspawn, 'exit');
    if (nspawn.exitCode === null && nspawn.kill('SIGTERM')) await exited;
    fs.rmSync(folder, { recursive: true, force: true });
    spawnSync('find', [...cgroups, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
  };
  try {
    const init = await booted(nspawn);
    const enter = async (commands: string, expected: boolean) => {
      const { status, output } = await insideOf(init, commands);
      if ((status === 0) === expected) return output;
      throw new Error(`exit status ${status} of:\n${commands}\n${output.slice(-4000)}`);
    };
    return {
      folder,
      run: (commands) => enter(commands, true),
      fails: (commands) => enter(commands, false),
      remove,
    };
  } catch (error) {
    const said = fs.readFileSync(path.join(folder, 'console'), 'utf8').trim().split('\n').at(-1);
    await remove();
    throw new Error(`${error instanceof Error ? error.message : error} (${said})`);
  }
}

/**
 * Starts systemd-nspawn in cgroups of its own. In a shared one, two machines have the same cgroups for
 * their units, and their systemds can end no processes. The machine ends with this process.
 */
const START = `for cgroup in $0; do
    mkdir "$cgroup"
    echo $$ > "$cgroup/cgroup.procs"
  done
  exec setpriv --pdeathsig=TERM systemd-nspawn "$@"`;

/** Where systemd keeps its cgroups: version 2, or version 1 with or without version 2 beside it. */
function cgroupRoots(): readonly string[] {
  return ['', 'systemd', 'unified']
    .map((name) => path.join('/sys/fs/cgroup', name))
    .filter((mount) => fs.existsSync(path.join(mount, 'cgroup.procs')));
}

/** Runs commands in the namespaces of a process. */
async function insideOf(pid: string, commands: string) {
  const namespaces = ['--mount', '--uts', '--ipc', '--pid', '--cgroup'];
  const shell = ['env', '-i', ...environment(), 'bash', '-euo', 'pipefail', '-c'];
  const args = ['--target', pid, ...namespaces, ...shell, `exec 2>&1; cd\n${commands}`];
  const child = spawn('nsenter', args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: TIMEOUT });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [status] = await once(child, 'close');
  // Maintainer scripts write to a terminal of apt.
  return { status, output: output.replaceAll('\r', '') };
}

/** The environment of a login shell of root, with the ways to Debian's packages and npm's. */
function environment(): readonly string[] {
  const proxies = Object.entries(process.env).filter(([name]) =>
    /^((https?|no)_proxy|npm_config_registry)$/i.test(name),
  );
  return [
    'HOME=/root',
    'LANG=C.UTF-8',
    'DEBIAN_FRONTEND=noninteractive',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...proxies.map(([name, value]) => `${name}=${value}`),
  ];
}

/** Waits at most five minutes for the machine. @returns the pid of its init */
async function booted(nspawn: ChildProcess): Promise<string> {
  const children = `/proc/${nspawn.pid}/task/${nspawn.pid}/children`;
  for (let tries = 0; tries < 600; tries += 1) {
    await sleep(500);
    if (nspawn.exitCode !== null || nspawn.signalCode !== null) break;
    const [init] = fs.readFileSync(children, 'utf8').trim().split(' ');
    if (!init || !fs.readFileSync(`/proc/${init}/comm`, 'utf8').startsWith('systemd')) continue;
    const { output } = await insideOf(init, 'systemctl is-system-running');
    // Degraded is fine: some units of Debian fail in a container.
    if (/^(running|degraded)/.test(output)) return init;
  }
  throw new Error('systemd-nspawn boots no Debian here');
}
