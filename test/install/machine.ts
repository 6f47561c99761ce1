/** A clean Debian 12 with a systemd of its own: debootstrap fills a folder, systemd-nspawn boots it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type Machine = {
  readonly folder: string;
  /** Runs commands in one shell, as an operator who stops at the first that fails. @throws where one does */
  run(commands: string): void;
  /** Runs commands, and gives what they print. */
  read(commands: string): string;
  /** Copies a file or folder of this machine to a path there. */
  copy(from: string, to: string): void;
  remove(): Promise<void>;
};

/** Why there can be no such machine here, or `undefined`. */
export function obstacle(ports: readonly number[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can boot a Debian';
  for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter'])
    if (spawnSync(program, ['--version']).error) return `${program} is not installed`;
  const listening = spawnSync('ss', ['-Hltn'], { encoding: 'utf8' }).stdout ?? '';
  const busy = ports.find((port) => listening.includes(`:${port} `));
  return busy === undefined ? undefined : `port ${busy} is in use, and the machine shares them`;
}

/** Makes and boots one; it shares the network of this machine, so that it can load packages. */
export async function bootDebian(): Promise<Machine> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-debian-'));
  const packages = 'systemd,systemd-sysv,dbus,ca-certificates,curl';
  check(
    spawnSync('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', folder], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    }),
  );
  const log = fs.openSync(path.join(folder, 'console'), 'w');
  const boot = ['--directory', folder, '--register=no', '--keep-unit', '--boot'];
  const nspawn = spawn('systemd-nspawn', [...boot, '--resolv-conf=copy-host'], {
    stdio: ['ignore', log, log],
  });
  const leader = await firstChild(nspawn);
  const enter = (commands: string, stdio: 'inherit' | 'pipe') =>
    spawnSync(
      'nsenter',
      [
        ...['--target', leader, '--mount', '--uts', '--ipc', '--pid', '--cgroup'],
        ...['env', '-i', ...environment(), 'bash', '-euo', 'pipefail', '-c', commands],
      ],
      { stdio: ['ignore', stdio, 'inherit'], encoding: 'utf8' },
    );
  await started(() => enter('systemctl is-system-running', 'pipe').stdout.trim(), nspawn);
  return {
    folder,
    run: (commands) => void check(enter(commands, 'inherit')),
    read: (commands) => check(enter(commands, 'pipe')).stdout,
    copy(from, to) {
      fs.cpSync(from, path.join(folder, to), { recursive: true, verbatimSymlinks: true });
    },
    async remove() {
      const exited = once(nspawn, 'exit');
      nspawn.kill('SIGTERM');
      await exited;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a login shell of root has, and what this machine needs to reach its package registry. */
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

/** The pid of the container's init, which is the child of systemd-nspawn. */
async function firstChild({ pid }: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const file = `/proc/${pid}/task/${pid}/children`;
    const [child] = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split(' ') : [];
    if (child) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('systemd-nspawn has not started a machine');
}

async function started(state: () => string, { exitCode }: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 120 && exitCode === null; tries += 1) {
    // Degraded is fine: a container has no use for some of Debian's units.
    if (/^(running|degraded)$/.test(state())) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the machine has not booted');
}
