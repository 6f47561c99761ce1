/** The site on Hono, with its cookie helper, on its server for Node. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { announce } from './setup.ts';
import { entry, findSession, firstName, join, me, recordJoin, viewTimeline } from './site.ts';

const app = new Hono();

app.get('/', (c) => c.body(entry.body, 200, entry.headers));
app.get('/timeline', (c) => {
  const session = findSession(getCookie(c, 'svc_session'));
  if (!session) return c.redirect('/');
  const { headers, body } = viewTimeline(session, c.req.header('user-agent'));
  return c.body(body, 200, headers);
});
app.get('/auth/me', (c) => {
  const session = findSession(getCookie(c, 'svc_session'));
  if (!session) return c.body(null, 401);
  const { email } = session;
  return c.body(JSON.stringify({ email, firstName: firstName(email) }), 200, me.headers);
});
app.post('/api/project-join', (c) => {
  const session = findSession(getCookie(c, 'svc_session'));
  if (!session) return c.json({ error: 'no_session' }, 401);
  recordJoin(session);
  return c.body(JSON.stringify({ ok: true }), 200, join.headers);
});

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
