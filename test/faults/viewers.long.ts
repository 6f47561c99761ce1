/** A hundred people watch a video of 300 MB: what that costs the server and other visitors. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { FILM, putFilm } from '../support/film.ts';
import { siteForAll } from '../support/site.ts';

const VIEWERS = 100;

/** The most that they may add to the memory of the server, in MB. */
const MEMORY = 20;

const site = siteForAll();
putFilm(site, 300e6);
site.invite('ada@example.com');
const inside = pathToFileURL(path.join(root, 'test', 'faults', 'inside.js'));
const server = await site.start({ NODE_OPTIONS: `--import ${inside}` });
const cookie = await logIn(server.origin, 'ada@example.com');

const request = `GET ${FILM} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`;

const viewTimeline = async () =>
  assert.equal((await send(server.origin, 'GET /timeline', { cookie })).status, 200);

/** A server at work takes memory of its own. */
for (let i = 0; i < 20; i += 1) await Promise.all(Array.from({ length: VIEWERS }, viewTimeline));

/** @param rate of each, in bytes a second */
async function startViewers(rate: number) {
  const script = path.join(root, 'test', 'faults', 'viewers.js');
  const args = [script, server.port, cookie, VIEWERS, rate].map(String);
  const viewers = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(viewers.stdout, 'data');
  return {
    async end() {
      viewers.stdin.end();
      const [megabytes] = await once(viewers.stdout, 'data');
      await once(viewers, 'exit');
      return Number(megabytes);
    },
  };
}

/** What the server tells of itself: see inside.ts. */
type Look = Readonly<Record<'parts' | 'syncs' | 'jobs' | 'megabytes', number>>;

async function lookInside() {
  const known = server.stdout.length;
  server.process.kill('SIGUSR2');
  while (server.stdout.length === known)
    await once(server.process.stdout ?? server.process, 'data');
  return JSON.parse(server.stdout.at(-1) ?? '') as Look;
}

/** How often the server has the film open. */
function films(): number {
  const folder = `/proc/${server.process.pid}/fd`;
  const isFilm = (fd: string) => {
    try {
      return fs.readlinkSync(path.join(folder, fd)).endsWith(FILM);
    } catch {
      return false;
    }
  };
  return fs.readdirSync(folder).filter(isFilm).length;
}

async function untilClosed(): Promise<void> {
  // Each round trip gives the server time to see that they have gone.
  while (films() > 0) await send(server.origin, 'GET /');
}

describe('a hundred viewers', () => {
  for (const [what, rate] of [
    ['at the rate of a video', 600e3],
    ['as fast as they can', 1e12],
  ] as const)
    it(`${what} cost memory for a part each, and no view of a hundred others waits for a read`, async () => {
      const before = await lookInside();
      const viewers = await startViewers(rate);
      assert.equal(films(), VIEWERS);
      const looks: Look[] = [];
      for (let i = 0; i < 12; i += 1) {
        await setTimeout(200);
        await Promise.all(Array.from({ length: 100 }, viewTimeline));
        looks.push(await lookInside());
      }
      const received = await viewers.end();
      const most = (what: keyof Look) => Math.max(...looks.map((look) => look[what]));
      const more = most('megabytes') - before.megabytes;
      console.log(`${what}: ${received} MB, ${more.toFixed(1)} MB more memory`, looks.at(-1));
      assert.ok(more < MEMORY, `${more} MB`);
      assert.ok(most('parts') >= 1 && most('parts') <= 2, `${most('parts')} parts in a turn`);
      // libuv has four threads.
      assert.ok(most('syncs') > 0 && most('jobs') < 4, `${most('jobs')} jobs before a sync`);
      await untilClosed();
    });

  it('who are paused for longer than a connection may be idle are cut, and their files closed', async () => {
    const viewers = await startViewers(1);
    await untilClosed();
    await viewers.end();
  });
});

it('a thousand connections that are aborted leave nothing open', async () => {
  const part = request.replace('\r\n', '\r\nRange: bytes=0-65535\r\n');
  for (let i = 0; i < 1000; i += 1) {
    const socket = net.connect(server.port, '127.0.0.1').on('error', () => undefined);
    // In the whole film, and between pipelined parts of it.
    socket.write(i % 2 === 0 ? request : part.repeat(16));
    // At once, after the head, and somewhere in the middle.
    if (i % 3 > 0) await once(socket, 'data');
    if (i % 3 > 1) await once(socket, 'data');
    socket.destroy();
  }
  await untilClosed();
  assert.deepEqual(server.stderr, []);
});
