/** The site on Express 5 with cookie-parser. */
import type { AddressInfo } from 'node:net';
import cookieParser from 'cookie-parser';
import express from 'express';
import { announce } from './setup.ts';
import { entry, findSession, firstName, join, me, recordJoin, viewTimeline } from './site.ts';

const app = express();
app.disable('x-powered-by');
// The others hash no reply either.
app.disable('etag');
app.use(cookieParser());

app.get('/', (_, response) => {
  response.set(entry.headers).send(entry.body);
});
app.get('/timeline', (request, response) => {
  const session = findSession(request.cookies.svc_session);
  if (!session) {
    response.redirect('/');
    return;
  }
  const { headers, body } = viewTimeline(session, request.get('user-agent'));
  response.set(headers).send(body);
});
app.get('/auth/me', (request, response) => {
  const session = findSession(request.cookies.svc_session);
  if (!session) {
    response.status(401).end();
    return;
  }
  const { email } = session;
  response.set(me.headers).send(JSON.stringify({ email, firstName: firstName(email) }));
});
app.post('/api/project-join', (request, response) => {
  const session = findSession(request.cookies.svc_session);
  if (!session) {
    response.status(401).json({ error: 'no_session' });
    return;
  }
  recordJoin(session);
  response.set(join.headers).send(JSON.stringify({ ok: true }));
});

const server = app.listen(0, '127.0.0.1', () => {
  announce((server.address() as AddressInfo).port);
});
