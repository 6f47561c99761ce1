/** The log contains no secret, no address and no text of a visitor. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { it } from 'node:test';
import Database from 'better-sqlite3';
import { anotherClient, FORGED_COOKIE, logIn, send, sendRaw } from '../support/client.ts';
import { lockStore } from '../support/lock.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();

const FORGED = '503 GET "/": forged by a visitor';

it('log lines contain no cookie, no address and no text of a visitor, for every fault', async () => {
  site.invite('ada@example.com');
  const server = await site.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  const leaving = await logIn(server.origin, 'ada@example.com');
  const hostile = {
    'User-Agent': `x ${FORGED}`,
    Referer: `https://example.com/${FORGED}`,
    'X-Forwarded-For': `198.51.100.66, ${FORGED}`,
  };
  const everything = async () => {
    await Promise.all([
      ...['GET /timeline', 'POST /api/project-join', 'GET /auth/me'].map((line) =>
        send(server.origin, `${line}?q=%0a${encodeURI(FORGED)}`, { cookie, headers: hostile }),
      ),
      send(server.origin, 'POST /auth/logout', { cookie: leaving, headers: hostile }),
      ...['ada@example.com', `eve\n${FORGED}@example.com`, `eve\u2028${FORGED}@example.com`].map(
        (email) =>
          send(server.origin, 'POST /auth/login', {
            json: { email },
            headers: { ...hostile, ...anotherClient() },
          }),
      ),
      ...[
        `GET /%0a${encodeURI(FORGED)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        `GET /\x85\xc2\x85\x1b[2J${FORGED.replaceAll(' ', '_')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: ${FORGED}\r\n ${FORGED}\r\n\r\n`,
        `${FORGED}\r\n\r\n`,
      ].map((bytes) => sendRaw(server.port, bytes)),
    ]);
  };

  await everything();
  // Under these faults of the store, each request is logged: 503 while it is locked,
  const unlock = lockStore(site.store);
  await everything();
  unlock();
  const operator = new Database(site.store);
  // and 500 while its tables have other names.
  const cookies = [cookie, leaving, await logIn(server.origin, 'ada@example.com')];
  for (const table of ['events', 'sessions', 'invites'])
    operator.exec(
      `pragma legacy_alter_table = on; alter table ${table} rename to mislaid_${table}`,
    );
  for (const each of cookies)
    await send(server.origin, 'GET /timeline', { cookie: each, headers: hostile });
  await everything();
  operator.close();
  const leaver = net.connect(server.port, '127.0.0.1');
  leaver.write(`POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n${FORGED}`);
  await once(leaver, 'connect');
  leaver.destroy();
  await send(server.origin, 'GET /');

  const text = [...server.stdout, ...server.stderr].join('\n');
  assert.match(
    text,
    /^503 POST \/api\/project-join: the store: locked by another program for 5 s$/m,
  );
  assert.match(text, /^SqliteError: no such table/m);
  for (const each of cookies) {
    const [, secret = ''] = each.split('.');
    assert.equal(secret.length, 43);
    assert.ok(!text.includes(secret), 'no secret of a session');
  }
  assert.doesNotMatch(text, /svc_session|cookie/i);
  assert.doesNotMatch(text, /@example\.com|198\.51\.100/, 'no address');
  assert.doesNotMatch(text, /forged/, 'nothing that a visitor wrote');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/);
  assert.equal((await send(server.origin, 'GET /')).status, 200);
});

it('the server continues when the reader of its log is gone', async () => {
  const quiet = siteForAll();
  const server = await quiet.start();
  server.process.stdout?.destroy();
  server.process.stderr?.destroy();
  const operator = new Database(quiet.store);
  operator.exec('drop table sessions');
  operator.close();
  for (let i = 0; i < 3; i += 1) {
    assert.equal(
      (await send(server.origin, 'GET /auth/me', { cookie: FORGED_COOKIE })).status,
      500,
    );
  }
  assert.equal((await send(server.origin, 'GET /')).status, 200);
});
