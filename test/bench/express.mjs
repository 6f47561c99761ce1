/** The site on Express. */
import http from 'node:http';
import cookieParser from 'cookie-parser';
import createApp from 'express';

export function fastest(routes) {
  const app = createApp();
  app.disable('x-powered-by');
  app.set('query parser', false);
  for (const [target, answer] of Object.entries(routes)) {
    const [method, url] = target.split(' ');
    app[method.toLowerCase()](url, answer);
  }
  // Express gives each request and reply its prototype, which is slow unless they have it already.
  function IncomingMessage(socket) {
    http.IncomingMessage.call(this, socket);
  }
  function ServerResponse(request, options) {
    http.ServerResponse.call(this, request, options);
  }
  IncomingMessage.prototype = app.request;
  ServerResponse.prototype = app.response;
  return http.createServer({ IncomingMessage, ServerResponse }, app);
}

export function documented({ headers, pages, findVisitor, recordView, recordJoin }) {
  const app = createApp();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_, response, next) => {
    response.set(headers);
    next();
  });
  app.use(cookieParser());
  const visitor = (request, _, next) => {
    request.visitor = findVisitor(request.cookies.svc_session);
    next();
  };

  app.get('/timeline', visitor, async (request, response) => {
    if (!request.visitor) return response.redirect('/');
    const view = await recordView(request.visitor, request.get('user-agent'), request.query.view);
    if (view) response.type('html').send(pages[view]);
    else response.redirect('/');
  });
  app.get('/auth/me', visitor, ({ visitor }, response) => {
    if (!visitor) return response.status(401).end();
    response.json({ email: visitor.email, firstName: visitor.firstName });
  });
  app.post('/api/project-join', visitor, async ({ visitor }, response) => {
    if (visitor && (await recordJoin(visitor))) response.json({ ok: true });
    else response.status(401).json({ error: 'no_session' });
  });
  return http.createServer(app);
}
