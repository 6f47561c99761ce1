/** The site on Hono. */
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';

export function fastest(routes) {
  const app = new Hono();
  for (const [target, answer] of Object.entries(routes)) {
    const [method, url] = target.split(' ');
    app.on(method, url, ({ env }) => {
      answer(env.incoming, env.outgoing);
      return RESPONSE_ALREADY_SENT;
    });
  }
  // For a server behind a proxy.
  return createAdaptorServer({ fetch: app.fetch, autoCleanupIncoming: false });
}

export function documented({ headers, pages, findVisitor, recordView, recordJoin }) {
  const app = new Hono();
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    c.set('visitor', findVisitor(getCookie(c, 'svc_session')));
    await next();
  });

  app.get('/timeline', async (c) => {
    const visitor = c.get('visitor');
    if (!visitor) return c.redirect('/');
    const view = await recordView(visitor, c.req.header('user-agent'), c.req.query('view'));
    return view ? c.html(pages[view]) : c.redirect('/');
  });
  app.get('/auth/me', (c) => {
    const visitor = c.get('visitor');
    if (!visitor) return c.body(null, 401);
    return c.json({ email: visitor.email, firstName: visitor.firstName });
  });
  app.post('/api/project-join', async (c) => {
    const visitor = c.get('visitor');
    if (visitor && (await recordJoin(visitor))) return c.json({ ok: true });
    return c.json({ error: 'no_session' }, 401);
  });
  return createAdaptorServer({ fetch: app.fetch });
}
