/** The body, the origin and the time limits of a POST. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { anotherClient, logIn, send, sendRaw } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();
site.invite('ada@example.com');
const server = await site.start();
const cookie = await logIn(server.origin, 'ada@example.com');

describe('a JSON body', () => {
  const post = (body: string | Buffer<ArrayBuffer>, type = 'application/json') =>
    send(server.origin, 'POST /auth/login', {
      body,
      headers: { ...anotherClient(), 'Content-Type': type },
    });

  it('over 10 KiB gets 413 body_too_large, declared or chunked', async () => {
    const body = JSON.stringify({ email: 'ada@example.com', rest: 'x'.repeat(10_240) });
    const declared = await post(body);
    assert.deepEqual([declared.status, declared.json()], [413, { error: 'body_too_large' }]);
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const chunked = await sendRaw(
      server.port,
      `POST /auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    );
    assert.match(chunked, /^HTTP\/1\.1 413 [\s\S]*body_too_large/);
  });

  it('over 10 KiB ends the connection', async () => {
    const chunk = `3000\r\n${'x'.repeat(0x3000)}\r\n`;
    const answer = await sendRaw(
      server.port,
      `POST /auth/logout HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    );
    const [head = ''] = answer.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close(\r\n|$)/);
  });

  it('of exactly 10 KiB is read', async () => {
    const head = '{"email":"ada@example.com","rest":"';
    const answer = await post(`${head}${'x'.repeat(10_240 - head.length - 2)}"}`);
    assert.equal(answer.status, 200);
  });

  it('of another type gets 415 unsupported_media_type', async () => {
    const form = 'application/x-www-form-urlencoded';
    for (const type of ['text/plain', form, 'application/jsonp', '']) {
      const answer = await post('{"email":"ada@example.com"}', type);
      const expected = [415, { error: 'unsupported_media_type' }];
      assert.deepEqual([answer.status, answer.json()], expected, type);
    }
  });

  it('may name a charset', async () => {
    const { status } = await post('{"email":"ada@example.com"}', 'Application/JSON; charset=utf-8');
    assert.equal(status, 200);
  });

  it('that is not an object gets 400 invalid_json', async () => {
    for (const body of ['{', '[]', '"x"', '1', 'null', 'nonsense', '{"email":']) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_json' }], body);
    }
  });

  it('that is not UTF-8, or begins with a byte order mark, gets 400 invalid_json', async () => {
    for (const bytes of ['\xff', '\xc3', '\xc0\xaf', '\xed\xa0\x80', '\xe9']) {
      const answer = await post(Buffer.from(`{"email":"a${bytes}@example.com"}`, 'latin1'));
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_json' }]);
    }
    assert.deepEqual((await post('\ufeff{}')).json(), { error: 'invalid_json' });
  });

  it('that is empty counts as {}, whatever its type', async () => {
    assert.deepEqual((await post('', 'text/plain')).json(), { error: 'invalid_email' });
  });

  it('is checked for a logout too', async () => {
    const answer = await send(server.origin, 'POST /auth/logout', {
      body: 'x=1',
      headers: { 'Content-Type': 'text/plain' },
    });
    assert.equal(answer.status, 415);
  });
});

describe('a cross-origin POST', () => {
  const refused: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'cross-site' },
  ];
  for (const path of ['/auth/login', '/auth/logout', '/api/project-join']) {
    for (const headers of refused) {
      it(`is refused with 403 cross_origin: ${path} ${JSON.stringify(headers)}`, async () => {
        const answer = await send(server.origin, `POST ${path}`, {
          cookie,
          headers: { ...anotherClient(), ...headers },
        });
        assert.deepEqual([answer.status, answer.json()], [403, { error: 'cross_origin' }]);
      });
    }
  }

  it('is not: same origin, the public origin, the own host, a typed URL, or no browser', async () => {
    const own = await site.start({ PUBLIC_ORIGIN: 'https://preview.example.com/ignored/path' });
    const accepted: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://whatever.example' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://preview.example.com' },
      { Origin: own.origin },
    ];
    for (const headers of accepted) {
      const { status } = await send(own.origin, 'POST /api/project-join', { cookie, headers });
      assert.equal(status, 200, JSON.stringify(headers));
    }
  });
});

describe('time limits', () => {
  it('drops a connection whose headers take over 10 s, and later one whose body takes over 15 s', async () => {
    const started = performance.now();
    const dropped: string[] = [];
    const slow = async (what: string, bytes: string) => {
      const answer = await sendRaw(server.port, bytes);
      dropped.push(what);
      return { answer, seconds: (performance.now() - started) / 1000 };
    };
    const [headers, body] = await Promise.all([
      slow('headers', 'GET / HTTP/1.1\r\nHost: x\r\n'),
      slow(
        'body',
        'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
    ]);
    assert.match(headers.answer, /^HTTP\/1\.1 408 /);
    assert.ok(headers.seconds >= 10, `headers: ${headers.seconds} s`);
    assert.ok(body.seconds >= 15, `body: ${body.seconds} s`);
    assert.deepEqual(dropped, ['headers', 'body']);
  });

  it('keeps an idle connection for 65 s, and says so', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    socket.write('GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n');
    const [bytes] = await once(socket, 'data');
    assert.match(String(bytes), /Keep-Alive: timeout=65/);
    socket.destroy();
  });
});
