/**
 * Serves the sample site in one of four ways: `node server.mjs <way> <store>`. All do the work of
 * Guestlist's own handlers, so that only the way of a request to them and of its reply differs.
 */
import http from 'node:http';
import fastifyCookie from '@fastify/cookie';
import createFastify from 'fastify';
import { createApp } from '../../lib/app.js';
import { readSettings } from '../../lib/config.js';
import { readCookie } from '../../lib/http/cookies.js';
import { emptyReply } from '../../lib/http/reply.js';
import { createServer } from '../../lib/http/server.js';
import * as auth from '../../lib/routes/auth.js';
import * as timeline from '../../lib/routes/timeline.js';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.js';
import { openStoreFile } from '../../lib/store/open.js';
import { findVisitor } from '../../lib/store/sessions.js';
import { createTurns } from '../../lib/turns.js';

const [, , way, store] = process.argv;
const { publicOrigin } = readSettings();
const db = openStoreFile(store);
const site = loadSite(SAMPLE_SITE, publicOrigin);
const pages = timeline.makePages(site.pages);
const join = timeline.join(db);

/** As in Guestlist, the requests of a turn of the event loop share a transaction. */
let asked = [];

const answerTogether = db.transaction((turn) => {
  return turn.map(({ ask, send }) => {
    const answer = ask();
    return { reply: typeof answer === 'function' ? answer() : answer, send };
  });
});

/** @param ask returns a reply, or a function that records and returns it, as handlers do */
function take(ask, send, records) {
  if (asked.length === 0) setImmediate(endTurn);
  asked.push({ ask, send, records });
}

function endTurn() {
  const turn = asked;
  asked = [];
  const answer = turn.some(({ records }) => records) ? answerTogether.immediate : answerTogether;
  for (const { reply, send } of answer(turn)) send(reply);
}

/** Each request proves its session; nothing is remembered. */
const visitorOf = (token) => findVisitor(db, token, Date.now());

const ways = {
  guestlist() {
    const { routes, notFound } = createApp(db, site, publicOrigin);
    return createServer(createTurns(db, routes, notFound)).server;
  },

  /** Fastify only routes: Guestlist's handlers answer, and node:http writes. */
  async fastest() {
    const app = createFastify();
    const route = (method, url, refused, answer) => {
      const handler = ({ raw }, reply) => {
        reply.hijack();
        const ask = () => {
          const visitor = visitorOf(readCookie(raw.headers.cookie, 'svc_session'));
          const [, query = ''] = raw.url.split('?');
          return visitor ? answer({ headers: raw.headers, query }, visitor) : refused;
        };
        const send = ({ status, headers, body }) => reply.raw.writeHead(status, headers).end(body);
        take(ask, send, url !== '/auth/me');
      };
      app.route({ method, url, handler });
    };
    route('GET', '/timeline', timeline.TO_ENTRY, timeline.view(db, pages));
    route('GET', '/auth/me', auth.NOBODY, auth.me);
    route('POST', '/api/project-join', timeline.NO_SESSION, join);
    await app.ready();
    return app.server;
  },

  /** Fastify with its hooks, cookies, schemas and replies. */
  async documented() {
    const app = createFastify();
    app.register(fastifyCookie);
    const common = {};
    const { headers } = emptyReply(200);
    for (let i = 0; i < headers.length; i += 2) common[headers[i]] = headers[i + 1];
    delete common['Content-Length'];
    app.addHook('onRequest', (_, reply, done) => {
      reply.headers(common);
      done();
    });
    const text = { type: 'string' };
    const object = (properties) => ({ type: 'object', properties });
    const me = object({ email: text, firstName: { ...text, nullable: true } });
    const ok = object({ ok: { type: 'boolean' } });
    const error = object({ error: text });
    const view = timeline.view(db, { mobile: pages.mobile.body, desktop: pages.desktop.body });
    const guard = (request, answer) => () => {
      const visitor = visitorOf(request.cookies.svc_session ?? '');
      return visitor && answer(visitor);
    };

    app.get('/timeline', (request, reply) => {
      const [, query = ''] = request.url.split('?');
      const ask = guard(request, (visitor) => view({ headers: request.headers, query }, visitor));
      const send = (page) => {
        if (Buffer.isBuffer(page)) reply.type('text/html; charset=utf-8').send(page);
        else reply.redirect('/');
      };
      take(ask, send, true);
    });
    app.get('/auth/me', { schema: { response: { 200: me } } }, (request, reply) => {
      const send = (visitor) => (visitor ? reply.send(visitor) : reply.code(401).send());
      take(
        guard(request, (visitor) => visitor),
        send,
        false,
      );
    });
    const joinOptions = { schema: { response: { 200: ok, 401: error } } };
    app.post('/api/project-join', joinOptions, (request, reply) => {
      const send = (joined) => {
        if (joined?.status === 200) reply.send({ ok: true });
        else reply.code(401).send({ error: 'no_session' });
      };
      take(
        guard(request, (visitor) => join(request, visitor)),
        send,
        true,
      );
    });
    await app.ready();
    return app.server;
  },

  /** Sends a reply of the same size to everybody. */
  ceiling() {
    return http.createServer(({ url }, response) => {
      const { headers, body } = url === '/timeline' ? pages.desktop : timeline.NO_SESSION;
      response.writeHead(200, headers).end(body);
    });
  },
};

const server = await ways[way]();
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
