/** The body, the origin and the time limits of a POST. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anotherClient, sendRaw } from '../support/client.ts';
import { type Case, inject } from '../support/inject.ts';
import { serve } from '../support/serve.ts';
import { siteForAll } from '../support/site.ts';

const service = await inject();
const { port } = await serve(service.handle);

const LOGIN = 'POST /auth/login';

describe('a JSON body', () => {
  const EMAIL = '"email":"invitee@example.com"';
  const sized = (bytes: number) => `{${EMAIL},"x":"${'x'.repeat(bytes - EMAIL.length - 9)}"}`;
  const of = (body: string | Buffer<ArrayBuffer>, type = 'application/json') => ({
    body,
    headers: { ...anotherClient(), 'Content-Type': type },
  });
  const form = 'application/x-www-form-urlencoded';
  const refused = (status: number, error: string, ...body: Parameters<typeof of>): Case => [
    LOGIN,
    'stranger',
    status,
    { error },
    of(...body),
  ];
  service.each([
    [LOGIN, 'stranger', 200, /./, of(sized(10_240))],
    [LOGIN, 'stranger', 200, /./, of(`{${EMAIL}}`, 'Application/JSON; charset=utf-8')],
    refused(413, 'body_too_large', sized(10_241)),
    ...['text/plain', form, 'application/jsonp', ''].map((type) =>
      refused(415, 'unsupported_media_type', `{${EMAIL}}`, type),
    ),
    ['POST /auth/logout', 'invitee', 415, { error: 'unsupported_media_type' }, of('x=1', form)],
    refused(400, 'invalid_email', '', 'text/plain'),
    ...['{', '[]', '"x"', '1', 'null', 'nonsense', '{"email":', '\ufeff{}'].map((body) =>
      refused(400, 'invalid_json', body),
    ),
    // Not UTF-8.
    ...['\xff', '\xc3', '\xc0\xaf', '\xed\xa0\x80', '\xe9'].map((bytes) =>
      refused(400, 'invalid_json', Buffer.from(`{"email":"a${bytes}@example.com"}`, 'latin1')),
    ),
  ]);

  it('over 10 KiB ends the connection, also in chunks', async () => {
    const chunk = `3000\r\n${'x'.repeat(0x3000)}\r\n`;
    const head =
      'HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
    const answer = await sendRaw(port, `${LOGIN} ${head}\r\n\r\n${chunk}`);
    assert.match(answer, /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*body_too_large/);
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
  for (const path of ['/auth/login', '/auth/logout', '/api/project-join'])
    service.each(
      refused.map((headers) => {
        const options = { headers: { ...anotherClient(), ...headers } };
        return [`POST ${path}`, 'invitee', 403, { error: 'cross_origin' }, options];
      }),
    );

  it('is not: same origin, the public origin, the own host, a typed URL, or no browser', async () => {
    const own = await inject({ publicOrigin: 'https://preview.example.com' });
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://whatever.example' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://preview.example.com' },
      { Origin: 'http://localhost:3000' },
    ]) {
      const { status } = await own.send('POST /api/project-join', { as: 'invitee', headers });
      assert.equal(status, 200, JSON.stringify(headers));
    }
  });
});

/** Prints the limits of the server, and gives it some that are over at once. */
const IMPATIENT = `import http from 'node:http';
const { createServer } = http;
http.createServer = (limits) => {
  console.error(JSON.stringify(limits));
  const timeouts = { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 };
  return createServer({ ...limits, ...timeouts });
}`;

it('headers may take 10 s and a request 15 s, else it gets 408; a connection may be idle for 65 s', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(IMPATIENT)}`;
  const { port, reports, stderr } = await siteForAll().start({
    NODE_OPTIONS: `--import "${preload}"`,
  });
  await reports(/headersTimeout/);
  const { headersTimeout, requestTimeout, keepAliveTimeout } = JSON.parse(stderr[0] ?? '');
  assert.deepEqual([headersTimeout, requestTimeout, keepAliveTimeout], [10_000, 15_000, 65_000]);
  const head = `${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  for (const bytes of [head, `${head}Content-Length: 100\r\n\r\n{`])
    assert.match(await sendRaw(port, bytes), /^HTTP\/1\.1 408 /);
});
