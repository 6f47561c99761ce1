/** The site on Fastify with @fastify/cookie. */
import type { AddressInfo } from 'node:net';
import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { announce } from './setup.ts';
import { entry, findSession, firstName, join, me, recordJoin, viewTimeline } from './site.ts';

const app = Fastify();
await app.register(cookie);

app.get('/', (_, reply) => reply.headers(entry.headers).send(entry.body));
app.get('/timeline', (request, reply) => {
  const session = findSession(request.cookies.svc_session);
  if (!session) return reply.redirect('/');
  const { headers, body } = viewTimeline(session, request.headers['user-agent']);
  return reply.headers(headers).send(body);
});
app.get('/auth/me', (request, reply) => {
  const session = findSession(request.cookies.svc_session);
  if (!session) return reply.code(401).send();
  const { email } = session;
  return reply.headers(me.headers).send({ email, firstName: firstName(email) });
});
app.post('/api/project-join', (request, reply) => {
  const session = findSession(request.cookies.svc_session);
  if (!session) return reply.code(401).send({ error: 'no_session' });
  recordJoin(session);
  return reply.headers(join.headers).send({ ok: true });
});

await app.listen({ port: 0, host: '127.0.0.1' });
announce((app.server.address() as AddressInfo).port);
