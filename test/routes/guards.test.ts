/** What a line of the route table gives to its handler, and what every POST is checked for. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { json } from '../../lib/http/reply.ts';
import type { Context } from '../../lib/http/request.ts';
import { router } from '../../lib/http/router.ts';
import { guards, type LoggedIn, type WithBody, withBody } from '../../lib/routes/guards.ts';
import { inject } from '../support/inject.ts';

const { begin, store } = await inject();
const publicOrigin = 'https://preview.example.com';
const { administrators, everyone, recorded, unknown, visitors } = guards(store, {
  port: 0,
  publicOrigin,
  production: false,
});

const say = (...words: unknown[]) => json<unknown>(200, words);
const nothing = ({ request }: Context) => say(request.method);
const session = ({ session }: LoggedIn) => say(session.email);
const both = ({ session, body }: LoggedIn & WithBody) => say(session.email, body);

it('tsc refuses a line that does not say what its handler needs, and other methods', () => {
  const otherwise = say();
  assert.equal(
    [
      ...everyone({ 'POST /': nothing }),
      ...administrators({ 'POST /': withBody(both), 'GET /': nothing }),
      // @ts-expect-error
      ...everyone({ 'GET /': session }),
      // @ts-expect-error
      ...everyone({ 'POST /': withBody(both) }),
      // @ts-expect-error
      ...visitors(otherwise, { 'POST /': both }),
      // @ts-expect-error
      ...visitors(otherwise, { 'GET /': recorded(session) }),
      // @ts-expect-error
      ...visitors(otherwise, { 'PUT /': nothing }),
    ].length,
    8,
  );
});

it('a POST is checked for its audience, then its origin, and its body is read at last', async () => {
  const routes = administrators({ 'POST /made-up': withBody(both) });
  const handle = router(routes, unknown, (_, handler) => handler);
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
