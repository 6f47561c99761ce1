/**
 * A demonstration: the built service on a store with 300 people and a year of activity, in a
 * temporary folder that is removed at the end. The installation's own data is not used. Run it by
 * `npm run demo`.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { commandFor } from '../lib/config.ts';
import { openStore } from '../lib/store/open.ts';
import { copyService } from './copy-service.ts';
import { DEMO_ADMINISTRATOR, DEMO_VISITOR, fillDemoStore } from './demo-store.ts';

/** In ms. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The time of day when the year ends, in UTC. So the numbers do not depend on the hour. */
const EVENING = 20 * HOUR;

const lastEvening = Math.floor((Date.now() - EVENING) / DAY) * DAY + EVENING;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-demo-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
// These handlers run before the service's own. The folder is removed, so the store stays open.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit());

copyService(folder);
const store = openStore(path.join(folder, 'data', 'guestlist.db'));
fillDemoStore(store, lastEvening);
store.close();

const { PUBLIC_ORIGIN } = process.env;
if (process.env.PORT === '0') process.env.PORT = String(await findFreePort());
const PORT = process.env.PORT || '3000';
// The host of the invitations, because a cookie belongs to one host.
const address = PUBLIC_ORIGIN || `http://localhost:${PORT}`;
console.log(`The demonstration runs at ${address}
  as a visitor:         log in with ${DEMO_VISITOR}
  as an administrator:  log in with ${DEMO_ADMINISTRATOR}, then open ${address}/svcops
  as an operator:       cd "${folder}", then for example: ${commandFor('joins summary')}
Ctrl-C stops it and removes its store. It allows 30 logins an hour; a restart allows 30 more.`);
delete process.env.NODE_ENV;
await import(path.join(folder, 'server.js'));

/** A port that is free now. The address is printed before the server listens. */
async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
}
