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

/** As in Guestlist, the requests of a turn of the event loop share a transaction, or two. */
let asked = [];

const answerTogether = db.transaction((turn) => {
  return turn.map(({ ask, send }) => ({ answer: ask(), send }));
});

const recordTogether = db.transaction((jobs) => {
  return jobs.map(({ answer, send }) => ({ reply: answer(), send }));
});

/** @param ask returns a reply, or a function that records and returns it, as handlers do */
function take(ask, send) {
  if (asked.length === 0) setImmediate(endTurn);
  asked.push({ ask, send });
}

function endTurn() {
  const turn = asked;
  asked = [];
  const jobs = [];
  for (const each of answerTogether(turn)) {
    if (typeof each.answer === 'function') jobs.push(each);
    else each.send(each.answer);
  }
  if (jobs.length === 0) return;
  for (const { reply, send } of recordTogether.immediate(jobs)) send(reply);
}

/** Each request proves its session; nothing is remembered. */
const visitorOf = (token) => findVisitor(db, token, Date.now());

const ways = {
  guestlist() {
    db.exec('pragma busy_timeout = 0');
    const { routes, notFound } = createApp(db, site, publicOrigin);
    return createServer(createTurns(db, routes, notFound)).server;
  },

  /** Fastify only routes: Guestlist's handlers answer, and node:http writes. */
  async fastest() {
    const app = createFastify();
    const route = (method, url, refused, answer) => {
      const handler = ({ raw }, reply) => {
        reply.hijack();
        const send = ({ status, headers, body }) => reply.raw.writeHead(status, headers).end(body);
        const ask = () => {
          const visitor = visitorOf(readCookie(raw.headers.cookie, 'svc_session'));
          const [, query = ''] = raw.url.split('?');
          return visitor ? answer({ headers: raw.headers, query }, visitor) : refused;
        };
        take(ask, send);
      };
      app.route({ method, url, handler });
    };
    route('GET', '/timeline', timeline.TO_ENTRY, timeline.view(db, pages));
    route('GET', '/auth/me', auth.NOBODY, auth.me);
    route('POST', '/api/project-join', timeline.NO_SESSION, join);
    await app.ready();
    return app.server;
  },

  /** Fastify with its hooks, schemas and replies. */
  async documented() {
    const app = createFastify();
    app.register(fastifyCookie);
    app.decorateRequest('visitor', null);
    const common = {};
    const { headers } = emptyReply(200);
    for (let i = 0; i < headers.length; i += 2) common[headers[i]] = headers[i + 1];
    delete common['Content-Length'];
    app.addHook('onRequest', async (_, reply) => {
      reply.headers(common);
    });
    const preHandler = async (request) => {
      request.visitor = visitorOf(request.cookies.svc_session ?? '');
    };
    const recorded = (ask) => new Promise((resolve) => take(ask, resolve));
    const text = { type: 'string' };
    const object = (properties) => ({ type: 'object', properties });
    const me = object({ email: text, firstName: { ...text, nullable: true } });
    const ok = object({ ok: { type: 'boolean' } });
    const error = object({ error: text });
    const view = timeline.view(db, site.pages);

    app.get('/timeline', { preHandler }, async (request, reply) => {
      const { visitor, headers, url } = request;
      if (!visitor) return reply.redirect('/');
      const [, query = ''] = url.split('?');
      const page = await recorded(() => view({ headers, query }, visitor));
      if (page === timeline.TO_ENTRY) return reply.redirect('/');
      return reply.type('text/html; charset=utf-8').send(page);
    });
    const meOptions = { preHandler, schema: { response: { 200: me } } };
    app.get('/auth/me', meOptions, async ({ visitor }, reply) => visitor ?? reply.code(401).send());
    const joinOptions = { preHandler, schema: { response: { 200: ok, 401: error } } };
    app.post('/api/project-join', joinOptions, async (request, reply) => {
      const { visitor } = request;
      const joined = visitor && (await recorded(() => join(request, visitor)));
      return joined?.status === 200 ? { ok: true } : reply.code(401).send({ error: 'no_session' });
    });
    await app.ready();
    return app.server;
  },

  /** Sends the page to everybody. */
  ceiling() {
    const { headers, body } = pages.desktop;
    return http.createServer((_, response) => response.writeHead(200, headers).end(body));
  },
};

const server = await ways[way]();
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
