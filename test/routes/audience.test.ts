/**
 * Tests who may call which URL, and that the hidden page answers others like an unknown path.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { FORGED_COOKIE, sendRaw } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { startService } from '../support/service.ts';

const { replyTo, beginSession, handle, send, urls } = await startService();

const crossOrigin = { headers: { 'Sec-Fetch-Site': 'cross-site' } };
const COLUMNS = {
  stranger: { as: 'stranger' },
  invitee: { as: 'invitee' },
  administrator: { as: 'administrator' },
  'cross-origin': { as: 'administrator', ...crossOrigin },
} as const;

/** The mark that ends the line of an extra's URL in a table; empty without one. */
function markOf(line: string, table: string): string {
  const [name = ''] = line.split('  ', 1);
  const written = table.split('\n').find((each) => each.startsWith(`${name} `)) ?? '';
  const at = written.indexOf('  # ');
  return at < 0 ? '' : written.slice(at);
}

/**
 * Every URL, and the status that a stranger, an invitee and an administrator get. The last column
 * is a cross-origin request of an administrator: every POST refuses it, and the administrator's API
 * is hidden from it. Reviewers see a change of it.
 */
it('the URLs and their audiences are those of urls.txt', async () => {
  const names = [...urls, 'GET /no-such-page'];
  const width = 29;
  const lines = [`${''.padEnd(width)}  ${Object.keys(COLUMNS).join('  ')}`];
  for (const name of names) {
    const cells = [];
    for (const [column, options] of Object.entries(COLUMNS))
      cells.push(String((await send(name, options)).status).padEnd(column.length));
    lines.push(`${name.padEnd(width)}  ${cells.join('  ')}`.trimEnd());
  }
  const file = path.join(root, 'test', 'routes', 'urls.txt');
  const written = fs.readFileSync(file, 'utf8');
  const table = lines.map((line) => `${line}${markOf(line, written)}\n`).join('');
  // npm test -- --update
  if (process.env.GUESTLIST_TEST_UPDATE) fs.writeFileSync(file, table);
  assert.equal(table, fs.readFileSync(file, 'utf8'));
});

it('a POST is checked for audience, then origin, then body', async () => {
  for (const [as, headers, status, isRead] of [
    ['stranger', {}, 404, false],
    ['invitee', crossOrigin.headers, 404, false],
    ['administrator', crossOrigin.headers, 404, false],
    ['administrator', {}, 415, true],
  ] as const) {
    const body = Readable.from([Buffer.from('{"email":"new@example.com"}')]);
    const reply = await replyTo('POST /api/svcops/invites', { as, headers }, body);
    assert.deepEqual([reply.status, body.readableDidRead], [status, isRead]);
  }
});

const PAGE = ['/svcops', '/svcops/page.css', '/svcops/page.js', '/svcops?x=1'];
const API = `stats invites joins events changes invites?limit=0 invites?format=csv events?type=nonsense
  stats?from=2026-02-30&to=2026-03-01 changes?email=ada@example.com person?email=ada@example.com unknown`;
const HIDDEN = [...PAGE, ...API.split(/\s+/).map((at) => `/api/svcops/${at}`)];

const API_URLS = HIDDEN.filter((url) => url.startsWith('/api/'));

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** The text after the first lines of a request. */
const REQUESTS = {
  'without a body': '\r\n',
  'with a JSON body': 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'with a body too large': `Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`,
  'from another origin': 'Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n\r\n',
};

/**
 * What browsers send for a page of another site; those before Sec-Fetch-Site send only an Origin.
 */
const FROM_ANOTHER_SITE = {
  'a link': 'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate',
  'a sibling domain': 'Sec-Fetch-Site: same-site',
  'a form': 'Sec-Fetch-Site: cross-site\r\nOrigin: https://evil.example',
  'an older browser': 'Origin: https://evil.example',
  'a sandboxed frame': 'Origin: null',
};

describe('the hidden page', async () => {
  const { port } = await serve(handle);
  const cookies = { stranger: '', invitee: await beginSession('invitee'), forger: FORGED_COOKIE };

  /** The answer to a request, without its Date. */
  async function answerTo(line: string, cookie: string, rest: string): Promise<string> {
    const head = `Host: x\r\nConnection: close\r\nCookie: ${cookie}`;
    const answer = await sendRaw(port, `${line} HTTP/1.1\r\n${head}\r\n${rest}`);
    return answer.replace(/^Date: .*\r\n/m, '');
  }

  const everybody = { ...cookies, administrator: await beginSession('administrator') };
  for (const [who, cookie] of Object.entries(everybody))
    for (const [what, headers] of Object.entries(FROM_ANOTHER_SITE))
      it(`has an API unknown to ${what} of another site, as ${who}`, async () => {
        const json = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
        for (const method of ['GET', 'HEAD', 'POST']) {
          const rest = `${headers}\r\n${method === 'POST' ? json : '\r\n'}`;
          const unknown = await answerTo(`${method} /no-such-page`, cookie, rest);
          assert.match(unknown, /^HTTP\/1\.1 404 /);
          for (const url of [...API_URLS, '/api/svcops/invites/many'])
            assert.equal(await answerTo(`${method} ${url}`, cookie, rest), unknown, url);
        }
      });

  it('answers its own pages, typed addresses and scripts', async () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'http://localhost:3000' },
      {},
    ] as const)
      for (const url of ['/svcops', '/api/svcops/invites?format=csv', '/api/svcops/stats']) {
        const { status } = await send(`GET ${url}`, { as: 'administrator', headers });
        assert.equal(status, 200, `${url} ${JSON.stringify(headers)}`);
      }
  });

  for (const [who, cookie] of Object.entries(cookies))
    for (const [what, rest] of Object.entries(REQUESTS))
      it(`is the same bytes as an unknown path for a ${who}, ${what}`, async () => {
        for (const method of rest.endsWith('\r\n\r\n') ? METHODS : ['POST', 'PUT', 'GET']) {
          const unknown = await answerTo(`${method} /no-such-page`, cookie, rest);
          assert.match(
            unknown,
            /^HTTP\/1\.1 404 .*\r\nContent-Type: text\/plain; charset=utf-8\r\n/s,
          );
          assert.match(unknown, method === 'HEAD' ? /\r\n\r\n$/ : /\r\n\r\nNot Found\n$/);
          assert.doesNotMatch(unknown, /set-cookie/i);
          const answers = HIDDEN.map((url) => answerTo(`${method} ${url}`, cookie, rest));
          const hidden = await Promise.all(answers);
          for (const [i, each] of hidden.entries())
            assert.equal(each, unknown, `${method} ${HIDDEN[i]}`);
        }
      });

  it('is a script with the licence of the chart library', async () => {
    const { text } = await send('GET /svcops/page.js', { as: 'administrator' });
    assert.match(text, /MIT License/);
  });

  it('is not named in any other page or file', async () => {
    const others = urls.filter((line) => line.startsWith('GET ') && !line.includes('svcops'));
    assert.ok(others.length > 20);
    for (const line of others) {
      const { text } = await send(line, { as: 'invitee' });
      assert.doesNotMatch(text, /svcops/i, line);
    }
  });
});
