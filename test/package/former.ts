/** The archive of 1.1.0, made from its commit. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../../lib/config.ts';

const COMMIT = '4a5bd31';

/** @returns the file */
export function makeFormerArchive(folder: string): string {
  const clone = path.join(folder, 'former');
  const commands = `git clone -q '${root}' '${clone}'
    cd '${clone}'
    git checkout -q ${COMMIT}
    ln -s '${root}/node_modules' node_modules
    '${process.execPath}' --import tsx scripts/release.ts`;
  execFileSync('sh', ['-euc', commands], { stdio: ['ignore', 'ignore', 'inherit'] });
  return path.join(clone, 'dist/guestlist-1.1.0-linux-x64.tar.gz');
}
