/** The hidden page: to other visitors its paths answer like an unknown path. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, it } from 'node:test';
import { FORGED_COOKIE, logIn, send, sendRaw } from '../support/client.ts';
import { inject } from '../support/inject.ts';
import { siteForAll } from '../support/site.ts';

const PAGE = ['/svcops', '/svcops/page.css', '/svcops/page.js', '/svcops?x=1'];
const API = `stats invites joins events changes invites?limit=0 invites?format=csv events?type=nonsense
  stats?from=2026-02-30&to=2026-03-01 changes?email=ada@example.com person?email=ada@example.com unknown`;
const ADMIN_PATHS = [...PAGE, ...API.split(/\s+/).map((at) => `/api/svcops/${at}`)];

/** CONNECT names a host, not a path. */
const METHODS = http.METHODS.filter((method) => method !== 'CONNECT');

const site = siteForAll();
for (const name of ['ada', 'root']) site.invite(`${name}@example.com`);
site.setAdmin('root@example.com');
const server = await site.start();
const administrator = await logIn(server.origin, 'root@example.com');
const invitee = await logIn(server.origin, 'ada@example.com');

/** Cookies of visitors who get the plain 404. */
const OUTSIDERS = {
  'a logged-out visitor': '',
  'an invitee who is not an administrator': invitee,
  'a visitor with a forged cookie': FORGED_COOKIE,
};

const get = (url: string, cookie: string) => send(server.origin, `GET ${url}`, { cookie });

const CLOSE = 'Connection: close\r\n';

/** A request up to the end of its head. @param rest more header lines, and the body */
function request(method: string, url: string, cookie: string, rest: string): string {
  const cookieLine = cookie === '' ? '' : `Cookie: ${cookie}\r\n`;
  return `${method} ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\n${cookieLine}${rest}`;
}

/** The bytes of the whole answer to each URL, without the date. */
async function answers(
  method: string,
  urls: readonly string[],
  cookie: string,
  rest = '\r\n',
): Promise<readonly string[]> {
  const sent = urls.map((url) => request(method, url, cookie, rest));
  // A body that is not read ends its connection. Other requests share one.
  const last = request('GET', '/', '', `${CLOSE}\r\n`);
  const received = rest.startsWith(CLOSE)
    ? await Promise.all(sent.map((each) => sendRaw(server.port, each)))
    : (await sendRaw(server.port, sent.join('') + last)).split(/(?=HTTP\/1\.1 )/).slice(0, -1);
  assert.equal(received.length, urls.length, method);
  return received.map((each) => each.replace(/^Date: .*\r\n/m, ''));
}

const REQUESTS = {
  'without a body': '\r\n',
  'with a JSON body': `${CLOSE}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  'with a body too large': `${CLOSE}Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`,
  'from another origin': 'Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n\r\n',
};

describe('the plain 404', () => {
  for (const [who, cookie] of Object.entries(OUTSIDERS))
    for (const [what, rest] of Object.entries(REQUESTS))
      it(`is the same bytes for ${who} on every administrator path and method, ${what}`, async () => {
        const methods = rest.startsWith(CLOSE) ? ['POST', 'PUT', 'GET', 'DELETE'] : METHODS;
        for (const method of methods) {
          const urls = ['/no-such-page', ...ADMIN_PATHS];
          const [unknown = '', ...hidden] = await answers(method, urls, cookie, rest);
          assert.match(unknown, /^HTTP\/1\.1 404 Not Found\r\n/, method);
          assert.doesNotMatch(unknown, /set-cookie/i);
          for (const [i, each] of hidden.entries())
            assert.equal(each, unknown, `${method} ${ADMIN_PATHS[i]}`);
        }
      });

  it('is text/plain and says Not Found, not cached', async () => {
    const { text, headers } = await get('/no-such-page', '');
    const said = [text, headers.get('content-type'), headers.get('cache-control')];
    assert.deepEqual(said, ['Not Found\n', 'text/plain; charset=utf-8', 'no-store']);
  });
});

describe('the files of the administrator page', () => {
  const urls = ['/svcops', '/svcops/page.css', '/svcops/page.js'];

  it('are one script and one style sheet, and the plain 404 for other visitors', async () => {
    const { text } = await get('/svcops', administrator);
    const named = [...text.matchAll(/(?:href|src)="(\/svcops\/[^"]+)"/g)].map(([, url]) => url);
    assert.deepEqual(['/svcops', ...named], urls);
    for (const url of urls) assert.equal((await get(url, administrator)).status, 200);
    for (const cookie of ['', invitee]) {
      const [unknown, ...hidden] = await answers('GET', ['/no-such-file', ...urls], cookie);
      for (const each of hidden) assert.equal(each, unknown);
    }
  });

  it('keep the licence of the chart library', async () => {
    const { text } = await get('/svcops/page.js', administrator);
    assert.match(text, /MIT License/);
  });

  it('are not named in any other page or file', async () => {
    const { send, urls } = await inject();
    const others = urls.filter((line) => line.startsWith('GET ') && !line.includes('svcops'));
    assert.ok(others.length > 20);
    for (const line of others) {
      const { status, text } = await send(line, { as: 'invitee' });
      assert.equal(status, 200, line);
      assert.doesNotMatch(text, /svcops/i, line);
    }
  });
});
