/** Programs that some tests take and not every machine has. */
import { spawnSync } from 'node:child_process';

const ARGUMENTS = {
  strace: '-V',
  caddy: 'version',
  buildah: '--version',
  debootstrap: '--version',
  podman: '--version',
  'podman-compose': '--version',
  prlimit: '--version',
  runc: '--version',
  'systemd-analyze': '--version',
};

/** Why a test that takes a program is skipped, `false` where the program is installed. */
export const lacks = (program: keyof typeof ARGUMENTS): string | false =>
  spawnSync(program, [ARGUMENTS[program]]).error !== undefined && `takes ${program}`;

/** Why a test that changes users or owners is skipped, `false` for root. */
export const lacksRoot: string | false = process.getuid?.() !== 0 && 'takes root';
