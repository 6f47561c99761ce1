/** Runs a tool of an installation to its end. */
import { type SpawnSyncOptions, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

/**
 * @param command `invite add ada@example.com`; words are separated by single spaces, and a word in
 *   double quotes may have spaces or be empty
 */
export function callTool(
  folder: string,
  command: string,
  { env, ...options }: SpawnSyncOptions = {},
): SpawnSyncReturns<string> {
  const words = command.match(/"[^"]*"|\S+/g) ?? [];
  const [tool, ...args] = words.map((word) => word.replaceAll('"', ''));
  return spawnSync(process.execPath, [path.join(folder, `tools/${tool}.js`), ...args], {
    cwd: os.tmpdir(),
    maxBuffer: 2 ** 29,
    env: { PATH: process.env.PATH, ...env },
    ...options,
    encoding: 'utf8',
  });
}
