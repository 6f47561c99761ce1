/** What some tests need and not every machine has. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const ARGUMENTS = {
  bash: '--version',
  busybox: '--help',
  dash: '--help',
  caddy: 'version',
  nginx: '-v',
  buildah: '--version',
  debootstrap: '--version',
  'docker-compose': 'version',
  ffmpeg: '-version',
  rsync: '--version',
  prlimit: '--version',
  sqlite3: '--version',
  'systemd-analyze': '--version',
  'firefox-esr': '--version',
  Xvfb: '-help',
  script: '--version',
};

/** Why a test that needs a program is skipped, `false` if the program is installed. */
export const lacks = (program: keyof typeof ARGUMENTS): string | false =>
  spawnSync(program, [ARGUMENTS[program]]).error !== undefined && `needs ${program}`;

/** Why a test that traces programs is skipped: many containers have strace and forbid its work. */
export function lacksStrace(): string | false {
  const { error, status, stderr } = spawnSync('strace', ['-o', '/dev/null', 'true']);
  if (error) return 'needs strace';
  return status !== 0 && `needs to trace with strace: ${String(stderr).trim().split('\n', 1)[0]}`;
}

/** Why a test that looks at open files is skipped, `false` on Linux. */
export const lacksProc: string | false = !fs.existsSync('/proc/self/fd') && 'needs /proc';

/** Why a test that changes users or owners is skipped, `false` for root. */
export const lacksRoot: string | false = process.getuid?.() !== 0 && 'needs root';
