/** The administrators' pages look like nothing to everybody else, byte for byte. */
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { openStoreFile } from '../../lib/store/open.ts';
import { beginSession } from '../../lib/store/sessions.ts';
import { openDatabase } from '../../lib/store/sqlite.ts';
import { enter, enterAsAdmin, sendBytes, startApp, temporaryFolder } from '../service.ts';

const { db, port } = await startApp();

const admin = enterAsAdmin(db, 'grace@example.com');
const removed = enterAsAdmin(db, 'heidi@example.com');
const visitor = enter(db, 'ada@example.com');
// After the others, because a login clears away what has expired.
const expired = beginSession(db, 'grace@example.com', 0).token;
db.exec(`delete from invites where email = 'heidi@example.com'`);

const COOKIES = {
  none: '',
  forged: `${admin.slice(0, -2)}AA`,
  expired: `svc_session=${expired}`,
  'of a visitor': visitor,
  'of an administrator who was removed': removed,
  'of an administrator, as the second one': `${visitor}; ${admin}`,
};

const HIDDEN = [
  '/svcops',
  '/svcops?days=7',
  '/svcops/',
  '/svcops/page.js',
  '/svcops/unknown',
  '/api/svcops/stats?days=wrong',
  '/api/svcops/invites',
  '/api/svcops/invites/many',
  '/api/svcops/invites/name',
  '/api/svcops/joins',
  '/api/svcops/events',
  '/api/svcops/unknown',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

const HEADERS = [
  '',
  'Sec-Fetch-Site: cross-site\r\n',
  'Origin: https://evil.example.com\r\n',
  'If-None-Match: *\r\nRange: bytes=0-1\r\n',
  'Expect: 100-continue\r\n',
  'Content-Type: text/plain\r\nAccept: text/html\r\n',
];

const BODIES = [
  '\r\n',
  'Content-Length: 2\r\n\r\n{}',
  'Content-Length: 7\r\n\r\nno json',
  `Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`,
  'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
];

/** The bytes of a reply, but for the time. */
async function ask(method: string, url: string, cookie: string, rest: string): Promise<string> {
  const start = `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
  const bytes = await sendBytes(port, `${start}Cookie: ${cookie}\r\n${rest}`);
  return bytes.replace(/Date: .*\r\n/, '');
}

for (const [name, cookie] of Object.entries(COOKIES))
  for (const method of METHODS)
    test(`${method} with a cookie ${name} is an unknown URL everywhere`, async () => {
      for (const [i, hidden] of HIDDEN.entries()) {
        const headers = HEADERS[i % HEADERS.length] ?? '';
        const body = BODIES[i % BODIES.length] ?? '';
        const unknown = await ask(method, '/unknown', cookie, headers + body);
        assert.match(unknown, /404 Not Found/);
        assert.equal(await ask(method, hidden, cookie, headers + body), unknown, hidden);
      }
    });

test('an administrator gets the API of a page of another site as an unknown URL', async () => {
  for (const method of ['GET', 'POST'])
    for (const url of HIDDEN.filter((each) => each.startsWith('/api/')))
      for (const headers of ['Sec-Fetch-Site: same-site\r\n\r\n', 'Origin: null\r\n\r\n'])
        assert.equal(
          await ask(method, url, admin, headers),
          await ask(method, '/unknown', admin, headers),
          url,
        );
});

test('an unknown URL asks the store as much as a hidden one', async () => {
  const file = path.join(temporaryFolder(), 'guestlist.db');
  openStoreFile(file).close();
  const asked: string[] = [];
  const watched = openDatabase(file, { verbose: (sql) => asked.push(String(sql)) });
  const cookies = ['', enter(watched, 'ada@example.com')];
  const { send } = await startApp(watched);

  async function statementsOf(method: string, url: string, cookie: string): Promise<string> {
    asked.length = 0;
    await send(method, url, { cookie });
    // Without the time.
    return asked.join('\n').replace(/\b\d{13}(\.0)?\b/g, '');
  }
  for (const [i, cookie] of cookies.entries())
    for (const method of METHODS) {
      const unknown = await statementsOf(method, '/unknown', cookie);
      assert.equal(unknown.includes('sessions'), i > 0);
      assert.equal(await statementsOf(method, '/svcops/page.js', cookie), unknown);
      assert.equal(await statementsOf(method, '/api/svcops/invites/many', cookie), unknown);
    }
  watched.close();
});

test('the hidden page does not wait for a body', async () => {
  const rest = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  for (const url of ['/unknown', '/api/svcops/invites'])
    assert.match(await ask('POST', url, visitor, rest), /404 Not Found/);
});

test('an administrator sees them, until the flag goes', async () => {
  assert.match(await ask('GET', '/svcops', admin, '\r\n'), /200 OK.*svcops$/s);
  assert.match(await ask('GET', '/svcops/page.js', admin, '\r\n'), /200 OK/);
  assert.match(await ask('GET', '/svcops', admin, 'Sec-Fetch-Site: cross-site\r\n\r\n'), /200 OK/);
  db.exec('update invites set is_admin = 0');
  assert.match(await ask('GET', '/svcops', admin, '\r\n'), /404 Not Found/);
});
