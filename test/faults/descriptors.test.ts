/** Without free file descriptors, the server loses new connections and continues. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { lacks } from '../support/lacks.ts';
import { descriptors } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';

const LIMIT = 64;

const site = siteForAll();

it('too many open files: open connections are served, new ones as soon as descriptors are free', {
  skip: lacks('prlimit'),
}, async () => {
  site.invite('ada@example.com');
  const server = await site.start({}, ['prlimit', `--nofile=${LIMIT}`]);
  // A connection from before.
  const cookie = await logIn(server.origin, 'ada@example.com');
  const regular = net.connect(server.port, '127.0.0.1');
  await once(regular, 'connect');
  const join = `POST /api/project-join HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`;
  const press = async () => {
    regular.write(join);
    return String((await once(regular, 'data'))[0]).split('\r\n')[0];
  };
  assert.equal(await press(), 'HTTP/1.1 200 OK');

  const crowd = Array.from({ length: 3 * LIMIT }, () => net.connect(server.port, '127.0.0.1'));
  let turnedAway = 0;
  // Refused connections are closed at once. The others stay open.
  await new Promise<void>((resolve) => {
    for (const socket of crowd)
      socket
        .on('error', () => {})
        .on('close', () => ++turnedAway === LIMIT && resolve())
        .resume();
  });
  assert.ok(descriptors('', server.process.pid) >= LIMIT - 1);
  assert.equal(await press(), 'HTTP/1.1 200 OK');

  for (const socket of crowd) socket.destroy();
  while ((await send(server.origin, 'GET /').catch(() => undefined))?.status !== 200);
  assert.equal(await press(), 'HTTP/1.1 200 OK');
  for (const line of server.stderr) assert.match(line, /^accepting a connection: /);
  regular.destroy();
});
