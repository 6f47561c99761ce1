/** A hundred people watch a video of 300 MB: what that costs the server and other visitors. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { FILM, putFilm } from '../support/film.ts';
import { siteForAll } from '../support/site.ts';
import { descriptorsOf } from './steadiness.ts';

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
async function lookInside() {
  const known = server.stdout.length;
  server.process.kill('SIGUSR2');
  while (server.stdout.length === known)
    await once(server.process.stdout ?? server.process, 'data');
  const [, parts, megabytes] = /^(\d+) parts, (.*) MB$/.exec(server.stdout.at(-1) ?? '') ?? [];
  return { parts: Number(parts), megabytes: Number(megabytes) };
}

async function untilClosed(before: number): Promise<void> {
  // Each round trip gives the server time to see that they have gone.
  while (descriptorsOf(server) > before + 2) await send(server.origin, 'GET /');
}

describe('a hundred viewers', () => {
  for (const [what, rate] of [
    ['at the rate of a video', 600e3],
    ['as fast as they can', 1e12],
  ] as const)
    it(`${what} cost memory for a part each, and others wait for two parts at most`, async () => {
      const files = descriptorsOf(server);
      const before = await lookInside();
      const viewers = await startViewers(rate);
      assert.ok(descriptorsOf(server) >= files + 2 * VIEWERS);
      const looks = [];
      for (let i = 0; i < 12; i += 1) {
        await setTimeout(200);
        for (let view = 0; view < 50; view += 1) await viewTimeline();
        looks.push(await lookInside());
      }
      const megabytes = await viewers.end();
      const parts = Math.max(...looks.map((look) => look.parts));
      const more = Math.max(...looks.map((look) => look.megabytes)) - before.megabytes;
      console.log(
        `${what}: ${megabytes} MB, ${more.toFixed(1)} MB more memory, ${parts} parts in a turn`,
      );
      assert.ok(more < MEMORY, `${more} MB`);
      assert.ok(parts >= 1 && parts <= 2, `${parts} parts`);
      await untilClosed(files);
    });

  it('who are paused for longer than a connection may be idle are cut, and their files closed', async () => {
    const files = descriptorsOf(server);
    const viewers = await startViewers(1);
    await untilClosed(files);
    await viewers.end();
  });
});

it('a thousand connections that are aborted leave nothing open', async () => {
  const files = descriptorsOf(server);
  for (let i = 0; i < 1000; i += 1) {
    const socket = net.connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.write(request);
    // At once, after the head, and somewhere in the middle.
    if (i % 3 > 0) await once(socket, 'data');
    if (i % 3 > 1) await once(socket, 'data');
    socket.destroy();
  }
  await untilClosed(files);
});

it('ten thousand ranges on one connection leave nothing open', async () => {
  const files = descriptorsOf(server);
  const socket = net.connect(server.port, '127.0.0.1').setEncoding('latin1');
  for (let first = 0; first < 10_000; first += 100) {
    const requests = Array.from({ length: 100 }, (_, i) =>
      request.replace('\r\n', `\r\nRange: bytes=${first + i}-${first + i}\r\n`),
    );
    socket.write(requests.join(''));
    let text = '';
    while ((text.match(/HTTP\/1\.1 206 /g)?.length ?? 0) < 100)
      text += (await once(socket, 'data'))[0];
    assert.ok(text.includes(`Content-Range: bytes ${first}-${first}/`));
  }
  socket.destroy();
  await untilClosed(files);
  assert.deepEqual(server.stderr, []);
});
