/** The site on Fastify. */
import cookie from '@fastify/cookie';
import createApp from 'fastify';

export async function fastest(routes) {
  const app = createApp();
  for (const [target, answer] of Object.entries(routes)) {
    const [method, url] = target.split(' ');
    const handler = (request, reply) => {
      reply.hijack();
      answer(request.raw, reply.raw);
    };
    app.route({ method, url, handler });
  }
  await app.ready();
  return app.server;
}

export async function documented({ headers, pages, findVisitor, recordView, recordJoin }) {
  const app = createApp();
  app.register(cookie);
  app.decorateRequest('visitor', null);
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(headers);
  });
  const visitor = async (request) => {
    request.visitor = findVisitor(request.cookies.svc_session);
  };
  const text = { type: 'string' };
  const querystring = { type: 'object', properties: { view: text } };
  const me = {
    type: 'object',
    properties: { email: text, firstName: { ...text, nullable: true } },
  };
  const ok = { type: 'object', properties: { ok: { type: 'boolean' } } };
  const error = { type: 'object', properties: { error: text } };

  app.get('/timeline', { preHandler: visitor, schema: { querystring } }, async (request, reply) => {
    if (!request.visitor) return reply.redirect('/');
    const view = await recordView(
      request.visitor,
      request.headers['user-agent'],
      request.query.view,
    );
    return view ? reply.type('text/html; charset=utf-8').send(pages[view]) : reply.redirect('/');
  });
  app.get(
    '/auth/me',
    { preHandler: visitor, schema: { response: { 200: me } } },
    async (request, reply) => request.visitor ?? reply.code(401).send(),
  );
  app.post(
    '/api/project-join',
    { preHandler: visitor, schema: { response: { 200: ok, 401: error } } },
    async (request, reply) => {
      if (request.visitor && (await recordJoin(request.visitor))) return { ok: true };
      return reply.code(401).send({ error: 'no_session' });
    },
  );
  await app.ready();
  return app.server;
}
