/** Floods: large bodies that a proxy must survive, and clients that do not read their replies. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { after, before, describe, it } from 'node:test';
import { type Installation, install, type Server } from '../support/installation.ts';
import { rawConnection, visitor } from './client.ts';
import {
  DOMAIN,
  missing,
  PROXY_NAMES,
  type ProxyName,
  type ProxyOptions,
  type RunningProxy,
  startProxy,
} from './proxy.ts';

/** Posts of each kind: two protocols, with and without `Expect`. */
const POSTS = { clients: 25, each: 50 };
const BODY = { email: 'x'.repeat(20_000) };

/** A public file, larger than the buffers of a proxy. */
const LARGE = '/fonts/newsreader.woff2';

let site: Installation;
let server: Server;
before(async () => {
  site = install();
  server = await site.start();
});
after(() => site.remove());

for (const name of PROXY_NAMES)
  describe(`a flood behind ${name}`, { skip: missing(name) }, () => {
    it('of 5,000 large bodies crashes no process of the proxy', () =>
      behind(name, {}, async (proxy) => {
        for (const headers of [{}, { expect: '100-continue' }] as const)
          for (const post of [postAll, postAllHttp2])
            for (let client = 0; client < POSTS.clients; client += 5)
              await Promise.all([1, 2, 3, 4, 5].map(() => post(proxy, headers)));
        assert.equal(proxy.process.exitCode ?? proxy.process.signalCode, null);
        await isServed(proxy, '127.0.0.3');
      }));

    it('of replies that one client does not read does not affect others', () =>
      behind(name, {}, async (proxy) => {
        const unread = await readNothing(proxy, { connections: 16, streams: 120 });
        try {
          for (let i = 3; i < 40; i += 1) await isServed(proxy, `127.0.0.${i}`);
        } finally {
          unread.close();
        }
      }));
  });

describe('a client of nginx', { skip: missing('nginx') }, () => {
  it('that does not read its replies is disconnected', { timeout: 600_000 }, () =>
    behind('nginx', {}, async (proxy) => {
      const unread = await readNothing(proxy, { connections: 4, streams: 20 });
      await unread.ended;
      unread.close();
    }),
  );

  it('is an IPv4 address, or the /64 of an IPv6 address', () => {
    const shown =
      'set_real_ip_from 127.0.0.0/8; real_ip_header X-Address; return 200 $guestlist_client;';
    return behind('nginx', { mistake: ['send_timeout 20s;', shown] }, async (proxy) => {
      const { ask, close } = visitor(proxy);
      for (const [address, client] of [
        ['192.0.2.7', '192.0.2.7'],
        ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:'],
        ['2001:db8:1:2::6', '2001:db8:1:2:'],
        ['2001:db8::6', '2001:db8::'],
        ['2001:db8::3:4:5:6', '2001:db8::'],
      ] as const) {
        const answer = await ask({ path: '/', headers: { 'x-address': address } });
        assert.equal(answer.body.toString(), client);
      }
      close();
    });
  });
});

async function behind(
  name: ProxyName,
  options: ProxyOptions,
  look: (proxy: RunningProxy) => Promise<void>,
): Promise<void> {
  const proxy = await startProxy(name, server.port, options);
  let logs = '';
  try {
    await look(proxy);
  } finally {
    logs = await proxy.stop();
  }
  // nginx restarts a crashed worker.
  assert.doesNotMatch(logs, /exited on signal/);
}

async function isServed(proxy: RunningProxy, address: string): Promise<void> {
  const { ask, close } = visitor(proxy, address);
  assert.equal((await ask({ path: '/' })).status, 200);
  close();
}

/** Each post may get a reply or a disconnect. */
async function postAll(proxy: RunningProxy, headers: Readonly<Record<string, string>>) {
  const { ask, close } = visitor(proxy);
  for (let i = 0; i < POSTS.each; i += 1)
    await ask({ path: '/nothing', headers, json: BODY }).catch(() => undefined);
  close();
}

async function postAllHttp2(proxy: RunningProxy, headers: Readonly<Record<string, string>>) {
  const session = connectHttp2(proxy);
  const ends = Array.from({ length: POSTS.each }, () => {
    const stream = session.request({ ':method': 'POST', ':path': '/nothing', ...headers });
    stream.resume().end(JSON.stringify(BODY));
    return ended(stream);
  });
  await Promise.all(ends);
  session.destroy();
}

/** Requests a large file on each stream, with a window of 0. Waits for a reply per connection. */
async function readNothing(
  proxy: RunningProxy,
  { connections, streams }: { readonly connections: number; readonly streams: number },
) {
  const sessions = Array.from({ length: connections }, () =>
    connectHttp2(proxy, { initialWindowSize: 0 }),
  );
  const open = sessions.flatMap((session) =>
    Array.from({ length: streams }, () => session.request({ ':path': LARGE })),
  );
  const allEnded = Promise.all(open.map(ended));
  await Promise.all(
    open
      .filter((_, i) => i % streams === 0)
      .map((first) => new Promise((resolve) => first.on('response', resolve).on('close', resolve))),
  );
  return {
    /** Resolves when the proxy has ended all streams. */
    ended: allEnded,
    close: () => {
      for (const session of sessions) session.destroy();
    },
  };
}

const connectHttp2 = (proxy: RunningProxy, settings: http2.Settings = {}) =>
  http2
    .connect(`https://${DOMAIN}`, {
      createConnection: () => rawConnection(proxy, ['h2']),
      settings,
    })
    .on('error', () => undefined);

const ended = (stream: http2.ClientHttp2Stream): Promise<unknown> =>
  new Promise((resolve) => stream.on('error', resolve).on('end', resolve).on('close', resolve));
