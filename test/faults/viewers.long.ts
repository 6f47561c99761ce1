/** A hundred people watch a video of 300 MB: what that costs the server and other visitors. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { FILM, putFilm } from '../support/film.ts';
import { siteForAll } from '../support/site.ts';
import { descriptorsOf, memoryOf } from './steadiness.ts';

const VIEWERS = 100;

/** The most that they may add to the memory of the server, in MB. */
const MEMORY = 20;

const site = siteForAll();
putFilm(site, 300e6);
site.invite('ada@example.com');
// A heap in which V8 must collect soon: memory grows by what viewers hold, and not by garbage.
const server = await site.start({
  NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=32',
});
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
    /** While they are paused, they read nothing. */
    pause: () => viewers.kill('SIGSTOP'),
    resume: () => viewers.kill('SIGCONT'),
    async end() {
      viewers.stdin.end();
      const [megabytes] = await once(viewers.stdout, 'data');
      await once(viewers, 'exit');
      return Number(megabytes);
    },
  };
}

/** How long the median of some views of the timeline takes, in ms. */
async function medianView(views: number): Promise<number> {
  const times = [];
  for (let i = 0; i < views; i += 1) {
    const began = performance.now();
    await viewTimeline();
    times.push(performance.now() - began);
  }
  return median(times);
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function untilClosed(before: number): Promise<void> {
  // Each round trip gives the server time to see that they have gone.
  while (descriptorsOf(server) > before + 2) await send(server.origin, 'GET /');
}

describe('a hundred viewers', () => {
  for (const [what, rate, most] of [
    ['at the rate of a video', 600e3, 3],
    ['as fast as they can', 1e12, 6],
  ] as const)
    it(`${what} cost memory for a part each, and little time of others`, async () => {
      const [files, memory] = [descriptorsOf(server), memoryOf(server)];
      const viewers = await startViewers(rate);
      assert.ok(descriptorsOf(server) >= files + 2 * VIEWERS);
      const used: number[] = [];
      const ratios: number[] = [];
      for (let i = 0; i < 6; i += 1) {
        viewers.pause();
        await setTimeout(500);
        const alone = await medianView(100);
        viewers.resume();
        await setTimeout(500);
        ratios.push((await medianView(100)) / alone);
        used.push(memoryOf(server) - memory);
      }
      const megabytes = await viewers.end();
      const ratio = median(ratios);
      console.log(
        `${what}: ${megabytes} MB, ${Math.max(...used).toFixed(1)} MB more memory, the median of a view ${ratio.toFixed(2)} times`,
      );
      assert.ok(Math.max(...used) < MEMORY, `${used}`);
      // A bound for a busy machine. Without turns, the fast ones make it 20 times and more.
      assert.ok(ratio < most, `${ratios}`);
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
