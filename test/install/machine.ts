/** Clean Debians 12 with their own systemd, made by debootstrap and booted by systemd-nspawn. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type Machine = {
  readonly folder: string;
  /** Runs commands in one shell, up to the first failure. @throws if one fails */
  run(commands: string): void;
  /** Runs commands. @returns their output */
  read(commands: string): string;
  /** Copies a file or folder of this machine to a path there. */
  copy(from: string, to: string): void;
  remove(): Promise<void>;
};

/** Why no machine can be made here, or `undefined`. */
export function obstacle(ports: readonly number[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can boot a Debian';
  for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter'])
    if (spawnSync(program, ['--version']).error) return `${program} is not installed`;
  if (spawnSync('unshare', ['--mount', '--pid', '--cgroup', '--fork', 'true']).status !== 0)
    return 'root may not make namespaces here';
  const listening = spawnSync('ss', ['-Hltn'], { encoding: 'utf8' }).stdout ?? '';
  const busy = ports.find((port) => listening.includes(`:${port} `));
  return busy === undefined ? undefined : `port ${busy} is in use, and the machine shares them`;
}

/** Makes the root folder of a Debian, which `bootDebian` copies. */
export async function makeDebian(): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-base-'));
  // A copy becomes the root folder of a machine.
  fs.chmodSync(folder, 0o755);
  const packages = 'systemd,systemd-sysv,dbus,ca-certificates,curl';
  const made = spawnSync(
    'debootstrap',
    ['--variant=minbase', `--include=${packages}`, 'bookworm', folder],
    { encoding: 'utf8', maxBuffer: 1e8 },
  );
  if (made.status !== 0) {
    fs.rmSync(folder, { recursive: true });
    throw new Error(`debootstrap: ${(made.stdout + made.stderr).trim().split('\n').at(-1)}`);
  }
  fs.writeFileSync(path.join(folder, 'etc/apt/apt.conf.d/80test'), 'Acquire::Retries "5";\n');
  return folder;
}

/** Boots a copy of a Debian, with the network of this machine to load packages. */
export async function bootDebian(base: string): Promise<Machine> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-debian-'));
  check(spawnSync('cp', ['-a', '--reflink=auto', `${base}/.`, folder], { encoding: 'utf8' }));
  const log = fs.openSync(path.join(folder, 'console'), 'w');
  const boot = ['--directory', folder, '--register=no', '--keep-unit', '--boot'];
  const cgroups = cgroupRoots().map((mount) => path.join(mount, path.basename(folder)));
  const nspawn = spawn(
    'sh',
    ['-euc', START, cgroups.join(' '), ...boot, '--resolv-conf=copy-host'],
    { stdio: ['ignore', log, log] },
  );
  const stop = async () => {
    const exited = once(nspawn, 'exit');
    if (nspawn.exitCode === null && nspawn.kill('SIGTERM')) await exited;
    fs.rmSync(folder, { recursive: true, force: true });
    spawnSync('find', [...cgroups, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
  };
  try {
    const leader = await booted(nspawn);
    const enter = (commands: string, stdio: 'inherit' | 'pipe') =>
      check(insideOf(leader, commands, stdio));
    return {
      folder,
      run: (commands) => void enter(commands, 'inherit'),
      read: (commands) => enter(commands, 'pipe').stdout,
      copy(from, to) {
        fs.cpSync(from, path.join(folder, to), { recursive: true, verbatimSymlinks: true });
      },
      remove: stop,
    };
  } catch (error) {
    const said = fs.readFileSync(path.join(folder, 'console'), 'utf8').trim().split('\n').at(-1);
    await stop();
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
function insideOf(pid: string, commands: string, stdio: 'inherit' | 'pipe') {
  const namespaces = ['--mount', '--uts', '--ipc', '--pid', '--cgroup'];
  const shell = ['env', '-i', ...environment(), 'bash', '-euo', 'pipefail', '-c', commands];
  return spawnSync('nsenter', ['--target', pid, ...namespaces, ...shell], {
    stdio: ['ignore', stdio, 'inherit'],
    encoding: 'utf8',
  });
}

/** The environment of a login shell of root, and that for the package registry. */
function environment(): readonly string[] {
  const registry = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_registry|https?_proxy|no_proxy)$/i.test(name),
  );
  return [
    'HOME=/root',
    'LANG=C.UTF-8',
    'DEBIAN_FRONTEND=noninteractive',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...registry.map(([name, value]) => `${name}=${value}`),
  ];
}

function check<T extends { status: number | null; stderr: unknown; error?: Error | undefined }>(
  result: T,
): T {
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`exit status ${result.status}: ${result.stderr ?? ''}`);
  return result;
}

/** Waits at most five minutes for the machine. @returns the pid of its init */
async function booted(nspawn: ChildProcess): Promise<string> {
  const children = `/proc/${nspawn.pid}/task/${nspawn.pid}/children`;
  for (let tries = 0; tries < 600; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (nspawn.exitCode !== null || nspawn.signalCode !== null) break;
    const [init] = fs.readFileSync(children, 'utf8').trim().split(' ');
    if (!init || !fs.readFileSync(`/proc/${init}/comm`, 'utf8').startsWith('systemd')) continue;
    const { stdout } = insideOf(init, 'systemctl is-system-running 2>&1', 'pipe');
    // Degraded is fine: some units of Debian fail in a container.
    if (/^(running|degraded)/.test(stdout)) return init;
  }
  throw new Error('systemd-nspawn boots no Debian here');
}
