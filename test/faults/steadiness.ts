/** What the kernel says of a running server. */
import fs from 'node:fs';
import type { Server } from '../support/installation.ts';

/**
 * The environment of a server whose memory is watched. V8 must collect its small heap soon, so that
 * growth within seconds is memory that is still in use.
 */
export const SMALL_HEAP = { NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=32' };

/** The resident memory of a server, in MB. */
export function memoryOf({ process: { pid } }: Server): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
