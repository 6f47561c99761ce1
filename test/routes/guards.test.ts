/** Every line of the route table: its audience, what it gives to its handler, and what a POST is checked for. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { jsonReply } from '../../lib/http/reply.ts';
import type { Context } from '../../lib/http/request.ts';
import { router } from '../../lib/http/router.ts';
import { type LoggedIn, routeGuards, type WithBody, withBody } from '../../lib/routes/guards.ts';
import { inject } from '../support/inject.ts';

const { begin, store } = await inject();
const publicOrigin = 'https://preview.example.com';
const settings = { port: 0, publicOrigin, production: false };
const { administrators, everyone, recorded, notFound, visitors } = routeGuards(store, settings);

const say = (...words: unknown[]) => jsonReply<unknown>(200, words);
const nothing = ({ request }: Context) => say(request.method);
const session = ({ session }: LoggedIn) => say(session.email);
const both = ({ session, body }: LoggedIn & WithBody) => say(session.email, body);

it('tsc refuses a line that does not say what its handler needs, and other methods', () => {
  const refusal = say();
  assert.equal(
    [
      ...everyone({ 'POST /': nothing }),
      ...administrators({ 'POST /': withBody(both), 'GET /': nothing }),
      // @ts-expect-error `everyone` gives no session
      ...everyone({ 'GET /': session }),
      // @ts-expect-error `everyone` gives no session, only a body
      ...everyone({ 'POST /': withBody(both) }),
      // @ts-expect-error without `withBody` there is no body
      ...visitors(refusal, { 'POST /': both }),
      // @ts-expect-error a reply is no recording
      ...visitors(refusal, { 'GET /': recorded(session) }),
      // @ts-expect-error no route has this method
      ...visitors(refusal, { 'PUT /': nothing }),
    ].length,
    8,
  );
});

it('a POST is checked for its audience, then its origin, and its body is read at last', async () => {
  const routes = administrators({ 'POST /made-up': withBody(both) });
  const handle = router(routes, notFound);
  const ask = async (name: string, headers: object) => {
    const body = Readable.from([Buffer.from('{"email":"new@example.com"}')]);
    const cookie = name === '' ? '' : await begin(name);
    const type = { 'content-type': 'application/json' };
    const request = { method: 'POST', path: '/made-up', query: '', peer: '127.0.0.1', body };
    const reply = await handle({ ...request, headers: { cookie, ...type, ...headers } });
    return [reply.status, reply.body, body.readableDidRead];
  };
  const crossOrigin = { origin: 'https://evil.example' };
  for (const name of ['', 'invitee'])
    for (const headers of [{}, crossOrigin])
      assert.deepEqual(await ask(name, headers), [404, 'Not Found\n', false]);
  const refused = '{"error":"cross_origin"}';
  assert.deepEqual(await ask('administrator', crossOrigin), [403, refused, false]);
  const said = '["administrator@example.com",{"email":"new@example.com"}]';
  assert.deepEqual(await ask('administrator', { origin: publicOrigin }), [200, said, true]);
});

const TABLE = path.join(root, 'test', 'routes', 'urls.txt');
const crossOrigin = { headers: { 'Sec-Fetch-Site': 'cross-site' } };
const COLUMNS = {
  stranger: { as: 'stranger' },
  invitee: { as: 'invitee' },
  administrator: { as: 'administrator' },
  'cross-origin': { as: 'administrator', ...crossOrigin },
} as const;

/**
 * Every URL, and the status that a stranger, an invitee and an administrator get. The last column is
 * a cross-origin request of an administrator: every POST refuses it. The table is committed as
 * urls.txt, so that reviewers see a change. To write it again, delete it and run this test twice.
 */
it('the URLs and their audiences are those of urls.txt', async () => {
  const { send, urls } = await inject();
  const names = [...urls, 'GET /no-such-page'];
  const width = Math.max(...names.map((name) => name.length));
  const lines = [`${''.padEnd(width)}  ${Object.keys(COLUMNS).join('  ')}`];
  for (const name of names) {
    const cells = [];
    for (const [column, options] of Object.entries(COLUMNS))
      cells.push(String((await send(name, options)).status).padEnd(column.length));
    lines.push(`${name.padEnd(width)}  ${cells.join('  ')}`.trimEnd());
  }
  const table = `${lines.join('\n')}\n`;
  if (!fs.existsSync(TABLE)) {
    fs.writeFileSync(TABLE, table);
    assert.fail(`${TABLE} was missing and is written now`);
  }
  assert.equal(table, fs.readFileSync(TABLE, 'utf8'));
});
