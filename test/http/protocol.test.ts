import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { anotherClient, logIn, send, sendRaw } from '../support/client.ts';
import { install, type Server } from '../support/installation.ts';

const site = install();
let server: Server;
let cookie: string;

before(async () => {
  site.invite('ada@example.com');
  server = await site.start();
  cookie = await logIn(server.origin, 'ada@example.com');
});
after(() => site.remove());

const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

describe('every reply', () => {
  const lines = [
    'GET /',
    'GET /entry.js',
    'GET /robots.txt',
    'GET /lost',
    'GET /svcops',
    'GET /auth/me',
    'GET /timeline',
    'POST /auth/login',
    'POST /auth/logout',
    'POST /api/project-join',
    'HEAD /',
    'DELETE /',
    'OPTIONS /timeline',
  ];
  for (const line of lines) {
    it(`carries the security headers: ${line}`, async () => {
      const { headers } = await send(server.origin, line, { headers: anotherClient() });
      for (const [name, value] of Object.entries(SECURITY))
        assert.equal(headers.get(name), value, name);
      assert.match(headers.get('permissions-policy') ?? '', /camera=\(\).*geolocation=\(\)/);
      assert.equal(headers.get('strict-transport-security'), null);
      assert.equal(headers.get('x-powered-by'), null);
    });
  }

  it('carries them even where the request is not HTTP', async () => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const answer = await sendRaw(server.port, bytes);
      assert.match(answer, /^HTTP\/1\.1 4(00|31) /);
      assert.match(answer, /Content-Security-Policy: default-src 'none'/);
      assert.match(answer, /Cache-Control: no-store/);
    }
  });
});

describe('a target in absolute form', () => {
  const status = async (target: string, headers = 'Host: x\r\n') => {
    const head = `GET ${target} HTTP/1.1\r\n${headers}Cookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    return /^HTTP\/1\.1 (\d+) /.exec(await sendRaw(server.port, head))?.[1];
  };

  it('counts as its path and query', async () => {
    const targets = [
      'http://x/robots.txt',
      'HTTPS://preview.example.com:8080/timeline?view=mobile',
      'http://x/',
      'http://x',
      'http://x?y=/z',
      'http://x/lost',
      'http://x//robots.txt',
      'http:///robots.txt',
      'ftp://x/robots.txt',
    ];
    const expected = ['200', '200', '200', '200', '200', '404', '404', '404', '404'];
    assert.deepEqual(await Promise.all(targets.map((target) => status(target))), expected);
    const { rows } = site.withStore(({ events }) =>
      events.list({ limit: 1, type: 'timeline_view' }),
    );
    assert.deepEqual(rows[0]?.meta, { view: 'mobile', forced: true });
  });

  it('does not stand in for a Host', async () => {
    assert.equal(await status('http://x/', ''), '400');
  });
});

describe('HEAD', () => {
  for (const path of [
    '/',
    '/entry.css',
    '/auth/me',
    '/timeline',
    '/timeline.js',
    '/lost',
    '/svcops',
  ]) {
    it(`answers like GET without a body: ${path}`, async () => {
      const get = await send(server.origin, `GET ${path}`, { cookie });
      const head = await send(server.origin, `HEAD ${path}`, { cookie });
      assert.equal(head.status, get.status);
      assert.equal(head.text, '');
      // fetch sends HEAD on a connection of its own.
      const ofReply = (headers: Headers) =>
        [...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
      assert.deepEqual(ofReply(head.headers), ofReply(get.headers));
    });
  }

  it('goes nowhere that only POST goes', async () => {
    assert.equal((await send(server.origin, 'HEAD /auth/login')).status, 404);
  });
});

describe('public assets', () => {
  for (const path of ['/', '/entry.css', '/entry.js', '/favicon.svg', '/robots.txt']) {
    it(`are sent with a strong ETag and confirmed with 304: ${path}`, async () => {
      const answer = await send(server.origin, `GET ${path}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      const etag = answer.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]{22}"$/);
      const again = await send(server.origin, `GET ${path}`, {
        headers: { 'If-None-Match': etag },
      });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
      assert.equal(
        (await send(server.origin, `GET ${path}`, { headers: { 'If-None-Match': '*' } })).status,
        304,
      );
    });
  }
});

describe('a JSON body', () => {
  const post = (body: string, type = 'application/json') =>
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

  it('over 10 KiB ends the connection, which nobody reads any further', async () => {
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
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      '',
    ]) {
      const answer = await post('{"email":"ada@example.com"}', type);
      assert.deepEqual(
        [answer.status, answer.json()],
        [415, { error: 'unsupported_media_type' }],
        type,
      );
    }
  });

  it('may name a charset', async () => {
    assert.equal(
      (await post('{"email":"ada@example.com"}', 'Application/JSON; charset=utf-8')).status,
      200,
    );
  });

  it('that is no object gets 400 invalid_json', async () => {
    for (const body of ['{', '[]', '"x"', '1', 'null', 'nonsense', '{"email":', '\ufeff{}']) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_json' }], body);
    }
  });

  it('that is empty counts as {}, whatever its type', async () => {
    assert.deepEqual((await post('', 'text/plain')).json(), { error: 'invalid_email' });
  });

  it('is asked of a logout too', async () => {
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

  it('is not: same origin, the public origin, the own host, a user typing, or no browser', async () => {
    const own = await site.start({ PUBLIC_ORIGIN: 'https://preview.example.com/ignored/path' });
    const accepted: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://whatever.example' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://preview.example.com' },
      { Origin: own.origin },
    ];
    for (const headers of accepted) {
      assert.equal(
        (await send(own.origin, 'POST /api/project-join', { cookie, headers })).status,
        200,
        JSON.stringify(headers),
      );
    }
    await own.stop();
  });
});

describe('limits of time and number', () => {
  it('drops a connection whose headers take over 10 s, and later one whose body takes over 15 s', async () => {
    const slow = (bytes: string) => {
      const started = performance.now();
      return sendRaw(server.port, bytes).then((answer) => ({
        answer,
        seconds: (performance.now() - started) / 1000,
      }));
    };
    const [headers, body] = await Promise.all([
      slow('GET / HTTP/1.1\r\nHost: x\r\n'),
      slow(
        'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
    ]);
    assert.match(headers.answer, /^HTTP\/1\.1 408 /);
    assert.ok(headers.seconds >= 10, `headers: ${headers.seconds} s`);
    assert.ok(body.seconds >= 15, `body: ${body.seconds} s`);
    assert.ok(headers.seconds < body.seconds);
  });

  it('keeps an idle connection for 65 s, and says so', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    socket.write('GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n');
    const [bytes] = await once(socket, 'data');
    assert.match(String(bytes), /Keep-Alive: timeout=65/);
    socket.destroy();
  });
});
