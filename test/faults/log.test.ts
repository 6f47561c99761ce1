/** The log contains no secret, no address and no text of a client. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { anotherClient, FORGED_COOKIE, logIn, send, sendRaw } from '../support/client.ts';
import { damagePage, withDatabase } from '../support/database.ts';
import { installationForEach } from '../support/temporary.ts';

const FORGED = '503 GET "/": forged by a visitor';
const TAIL = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const hostile = {
  'User-Agent': `x ${FORGED}`,
  Referer: `https://example.com/${FORGED}`,
  'X-Forwarded-For': `198.51.100.66, ${FORGED}`,
};

const installation = installationForEach();
const dropTable = () =>
  withDatabase(installation.store, (db) => db.exec('alter table sessions rename to a'));

it('the log has no cookie, address or text of a client', async () => {
  installation.invite('ada@example.com');
  const server = await installation.start();
  const cookies: string[] = [];
  for (let i = 0; i < 4; i += 1) cookies.push(await logIn(server.origin, 'ada@example.com'));
  const [ada, ...others] = cookies;
  for (const [damage, reported] of [
    [() => undefined, undefined],
    [
      () => damagePage(installation.store, 'sqlite_autoindex_sessions_1'),
      /^503 POST \/auth\/logout: the store: .*SQLITE_CORRUPT/m,
    ],
    [dropTable, /^SqliteError: no such table/m],
  ] as const) {
    damage();
    const ask = (line: string, cookie = ada, json?: unknown) =>
      send(server.origin, line, { cookie, json, headers: { ...anotherClient(), ...hostile } });
    for (const line of ['GET /timeline', 'POST /api/project-join', 'GET /auth/me'])
      await ask(`${line}?q=%0a${encodeURI(FORGED)}`);
    await ask('POST /auth/logout', others.pop());
    for (const name of ['ada', `eve\n${FORGED}`, `eve\u2028${FORGED}`])
      await ask('POST /auth/login', undefined, { email: `${name}@example.com` });
    for (const bytes of [
      `GET /\x85\xc2\x85\x1b[2J${FORGED.replaceAll(' ', '_')} ${TAIL}`,
      `GET / HTTP/1.1\r\nHost: ${FORGED}\r\n ${FORGED}\r\n\r\n`,
      `${FORGED}\r\n\r\n`,
    ])
      await sendRaw(server.port, bytes);
    if (reported) await server.reports(reported);
  }
  await server.stop();
  const text = [...server.stdout, ...server.stderr].join('\n');
  for (const cookie of cookies) assert.ok(!text.includes(cookie.split('.')[1] ?? ''), 'no secret');
  assert.doesNotMatch(text, /svc_session|cookie|@example\.com|198\.51\.100|forged/i);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u2028\u2029]/u);
});

it('the server continues when the reader of its log is gone', async () => {
  const server = await installation.start();
  server.process.stdout?.destroy();
  server.process.stderr?.destroy();
  dropTable();
  const me = () => send(server.origin, 'GET /auth/me', { cookie: FORGED_COOKIE });
  for (let i = 0; i < 3; i += 1) assert.equal((await me()).status, 500);
  assert.equal((await send(server.origin, 'GET /')).status, 200);
});
