/**
 * The site on bare node:http, Fastify, Express and Hono: `node contenders.mjs <name> <setup>`. The
 * setup has the tokens of sessions, and the replies of Guestlist to send. Each framework is used in
 * a fast way: replies avoid what is slow in it. Its site does the work of Guestlist: it proves a session once, and
 * remembers it until another connection writes; reads the User-Agent through a bounded cache; and
 * inserts a row before it replies. It counts nothing.
 *
 * The name says what a reply promises: with `full`, as in `fastify-full`, its row is on disk
 * (`synchronous=FULL`); with `normal`, a power failure can lose it. Each row has a commit of its own;
 * with `-shared`, as in `fastify-full-shared`, the requests of a turn of the event loop share one,
 * and are answered together.
 */
import fs from 'node:fs';
import http from 'node:http';

const [, , name, file] = process.argv;
const [framework, synchronous, isShared] = name.split('-');
const { tokens, replies } = JSON.parse(fs.readFileSync(file, 'utf8'));
for (const reply of Object.values(replies)) {
  // node:http writes a text together with its headers, and a Buffer after them.
  reply.body = Buffer.from(reply.body, 'base64').toString('latin1');
  reply.headers = Object.entries(reply.headers).flat();
}
const store = name === 'baseline' ? undefined : await openStore();
const routes = Object.entries(replies).map(([target, reply]) => {
  const [method, url] = target.split(' ');
  return { ...reply, method, url, record: store?.records[target] };
});
const server = await { baseline, fastify, express, hono }[framework]();
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);

/** Only sends the bytes. */
function baseline() {
  return http.createServer(({ method, url }, response) => {
    send(response, replies[`${method} ${url}`]);
  });
}

function send(response, { headers, body }) {
  response.writeHead(200, headers).end(body, 'latin1');
}

/** @returns the work of the routes with a session, and a function that does it and then replies */
async function openStore() {
  const { default: Database } = await import('better-sqlite3');
  const { UAParser } = await import('ua-parser-js');
  const db = new Database(`${file}.db`);
  // The tables and indexes of Guestlist that a request reads or writes, without its constraints.
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = ${synchronous};
    pragma wal_autocheckpoint = 4000;
    create table invites (email text primary key, first_name text);
    create table sessions (id text primary key, email text, expires_at integer);
    create table events (id integer primary key, email text, occurred_at integer, session_id text,
      device_type text, os text, browser text, meta text);
    create table joins (id integer primary key, email text, session_id text, clicked_at integer);
    create index joins_by_email on joins (email);`);
  const addSession = db.prepare('insert into sessions values (?, ?, ?)');
  for (const [i, token] of tokens.entries())
    addSession.run(token, `visitor${i}@example.com`, Date.now() + 86_400_000);
  db.exec('insert into invites select email, null from sessions');
  const insertJoin = db.prepare('insert into joins values (null, ?, ?, ?)');
  const insertView = db.prepare('insert into events values (null, ?, ?, ?, ?, ?, ?, ?)');

  const dataVersion = db.prepare('pragma data_version').pluck();
  const selectVisitor = db.prepare(
    'select * from sessions left join invites using (email) where id = ?',
  );
  const visitors = new Map();
  let version;
  /** Another connection may have deleted a session. */
  const forgetChanged = () => {
    const now = dataVersion.get();
    if (now !== version) visitors.clear();
    version = now;
  };
  /** @returns `undefined` without a session */
  const findVisitor = (token) => {
    let visitor = visitors.get(token);
    if (!visitor) {
      visitor = selectVisitor.get(token);
      visitors.set(token, visitor);
    }
    return visitor?.expires_at > Date.now() ? visitor : undefined;
  };

  const devices = new Map();
  const describeDevice = (userAgent) => {
    let known = devices.get(userAgent);
    if (!known) {
      const { device, os, browser } = new UAParser(userAgent).getResult();
      const view = device.type === 'mobile' ? 'mobile' : 'desktop';
      const meta = JSON.stringify({ view, forced: false });
      known = { type: device.type ?? 'desktop', os: os.name, browser: browser.name, meta };
      if (devices.size >= 1000) devices.clear();
      devices.set(userAgent, known);
    }
    return known;
  };

  /** Each returns whether there is a session. */
  const records = {
    'GET /timeline'(token, userAgent) {
      const visitor = findVisitor(token);
      if (!visitor) return false;
      const { type, os, browser, meta } = describeDevice(userAgent);
      insertView.run(visitor.email, Date.now(), visitor.id, type, os, browser, meta);
      return true;
    },
    'GET /auth/me': (token) => findVisitor(token) !== undefined,
    'POST /api/project-join'(token) {
      const visitor = findVisitor(token);
      if (!visitor) return false;
      insertJoin.run(visitor.email, visitor.id, Date.now());
      return true;
    },
  };
  const record = ({ route, token, userAgent }) => route.record(token, userAgent);
  const reply = ({ response, route }, hasSession) => {
    if (hasSession) send(response, route);
    else response.writeHead(401).end();
  };
  const waiting = [];
  const recordTogether = db.transaction((requests) => {
    forgetChanged();
    return requests.map(record);
  });
  const endTurn = () => {
    const requests = waiting.splice(0);
    const found = recordTogether(requests);
    for (const [i, request] of requests.entries()) reply(request, found[i]);
  };
  /** Records a request, and replies after the commit. */
  const answer = (request) => {
    if (isShared) {
      if (waiting.push(request) === 1) setImmediate(endTurn);
      return;
    }
    forgetChanged();
    reply(request, record(request));
  };
  return { records, answer };
}

async function fastify() {
  const { default: createApp, LogController } = await import('fastify');
  const { default: cookies } = await import('@fastify/cookie');
  const app = createApp({ logController: new LogController({ disableRequestLogging: true }) });
  // Without its hook, only the routes behind a session parse cookies.
  await app.register(cookies, { hook: false });
  for (const route of routes) {
    const handler = (request, reply) => {
      // `headers` and `send` are avoided, because they examine each header.
      reply.hijack();
      const response = reply.raw;
      if (!route.record) return send(response, route);
      const { cookie, 'user-agent': userAgent } = request.headers;
      const token = app.parseCookie(cookie).svc_session;
      store.answer({ route, token, userAgent, response });
    };
    app.route({ method: route.method, url: route.url, handler });
  }
  await app.ready();
  return app.server;
}

async function express() {
  const { default: createApp } = await import('express');
  const { parseCookie } = await import('cookie');
  const app = createApp();
  app.disable('x-powered-by');
  app.set('query parser', false);
  for (const route of routes) {
    app[route.method.toLowerCase()](route.url, (request, response) => {
      // `set` and `send` are avoided, for the same reason.
      if (!route.record) return send(response, route);
      const { cookie, 'user-agent': userAgent } = request.headers;
      const token = parseCookie(cookie).svc_session;
      store.answer({ route, token, userAgent, response });
    });
  }
  // Made with the prototypes of Express. Otherwise it would change them at each request, slowly.
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

async function hono() {
  const { Hono } = await import('hono');
  const { parse } = await import('hono/utils/cookie');
  const { createAdaptorServer } = await import('@hono/node-server');
  const { RESPONSE_ALREADY_SENT } = await import('@hono/node-server/utils/response');
  const app = new Hono();
  for (const route of routes)
    app.on(route.method, route.url, ({ env }) => {
      // `c.req` and `c.body` are avoided, because they make Headers objects.
      const { incoming, outgoing: response } = env;
      if (route.record) {
        const { cookie, 'user-agent': userAgent } = incoming.headers;
        const token = parse(cookie, 'svc_session').svc_session;
        store.answer({ route, token, userAgent, response });
      } else send(response, route);
      return RESPONSE_ALREADY_SENT;
    });
  // For a server behind a proxy.
  return createAdaptorServer({ fetch: app.fetch, autoCleanupIncoming: false });
}
