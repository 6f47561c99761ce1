/**
 * A demonstration: the built service on a store with 300 people and a year of activity, in a
 * temporary folder that is removed at the end. The installation's own data is not used. Run it by
 * `npm run demo`.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../lib/store/open.ts';
import { copyService } from './copy-service.ts';
import { DEMO_ADMINISTRATOR, DEMO_VISITOR, fillDemoStore } from './demo-store.ts';

/** The year ends at the last 20:00 UTC: the invented days are always the same distance apart. */
const [EVENING, DAY] = [20 * 3_600_000, 24 * 3_600_000];
const end = Math.floor((Date.now() - EVENING) / DAY) * DAY + EVENING;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-demo-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
let stop = (): void => process.exit(1);
// Each time, because npm passes on a signal that a group has got already.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop());

copyService(folder);
const store = openStore(path.join(folder, 'data', 'guestlist.db'));
fillDemoStore(store, end);
store.close();

const { NODE_ENV, ...env } = process.env;
const server = spawn(process.execPath, [path.join(folder, 'server.js')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
  // Otherwise the server would get Ctrl-C and also SIGTERM. A second signal ends it at once.
  detached: true,
});
createInterface(server.stdout).on('line', (line) => {
  const port = /^listening on .*:(\d+)$/.exec(line)?.[1];
  // The same host as in invitations, because a cookie belongs to one host.
  console.log(port ? welcome(env.PUBLIC_ORIGIN || `http://localhost:${port}`) : line);
});
server.once('exit', (status) => process.exit(status ?? 1));
stop = () => void server.kill('SIGTERM');

function welcome(address: string): string {
  return `The demonstration runs at ${address}
  as a visitor:         log in with ${DEMO_VISITOR}
  as an administrator:  log in with ${DEMO_ADMINISTRATOR}, then open ${address}/svcops
  as an operator:       cd "${folder}", then for example: node tools/joins.js summary
Ctrl-C stops it and removes its store. It allows 30 logins an hour; a restart allows 30 more.`;
}
