/**
 * The site on bare node:http, Fastify, Express and Hono: `node contenders.mjs <name> <setup>`. The
 * setup has the tokens of sessions, and the replies of Guestlist to send. Each framework is used in
 * the fastest way that is known. Its site does the work of Guestlist: it proves a session once, and
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
for (const reply of Object.values(replies)) reply.body = Buffer.from(reply.body, 'base64');
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
    const { headers, body } = replies[`${method} ${url}`];
    response.writeHead(200, headers).end(body);
  });
}

/** @returns the work of the routes with a session, which throw without one, and the way to reply */
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
  const findVisitor = (token) => {
    const now = dataVersion.get();
    if (now !== version) visitors.clear();
    version = now;
    let visitor = visitors.get(token);
    if (!visitor) {
      visitor = selectVisitor.get(token);
      visitors.set(token, visitor);
    }
    if (visitor.expires_at <= Date.now()) throw new Error('the session has ended');
    return visitor;
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

  const rows = [];
  const insert = (statement, values) =>
    isShared ? rows.push([statement, values]) : statement.run(...values);
  const records = {
    'GET /timeline'(token, userAgent) {
      const { id, email } = findVisitor(token);
      const { type, os, browser, meta } = describeDevice(userAgent);
      insert(insertView, [email, Date.now(), id, type, os, browser, meta]);
    },
    'GET /auth/me': findVisitor,
    'POST /api/project-join'(token) {
      const { id, email } = findVisitor(token);
      insert(insertJoin, [email, id, Date.now()]);
    },
  };
  const waiting = [];
  const insertRows = db.transaction(() => {
    for (const [statement, values] of rows.splice(0)) statement.run(...values);
  });
  const endTurn = () => {
    if (rows.length > 0) insertRows();
    for (const reply of waiting.splice(0)) reply();
  };
  /** Calls `reply` after the rows are inserted. */
  const afterCommit = (reply) => {
    if (!isShared) reply();
    else if (waiting.push(reply) === 1) setImmediate(endTurn);
  };
  return { records, afterCommit };
}

async function fastify() {
  const { default: createApp, LogController } = await import('fastify');
  const { default: cookies } = await import('@fastify/cookie');
  const app = createApp({ logController: new LogController({ disableRequestLogging: true }) });
  // Without its hook, only the routes behind a session parse cookies.
  await app.register(cookies, { hook: false });
  for (const { method, url, headers, body, record } of routes) {
    const handler = (request, reply) => {
      const { cookie, 'user-agent': userAgent } = request.headers;
      record?.(app.parseCookie(cookie).svc_session, userAgent);
      // `headers` and `send` are avoided, because they examine each header.
      reply.hijack();
      store.afterCommit(() => reply.raw.writeHead(200, headers).end(body));
    };
    app.route({ method, url, handler });
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
  for (const { method, url, headers, body, record } of routes) {
    app[method.toLowerCase()](url, (request, response) => {
      const { cookie, 'user-agent': userAgent } = request.headers;
      record?.(parseCookie(cookie).svc_session, userAgent);
      // `set` and `send` are avoided, for the same reason.
      store.afterCommit(() => response.writeHead(200, headers).end(body));
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
  const { getCookie } = await import('hono/cookie');
  const { createAdaptorServer } = await import('@hono/node-server');
  const app = new Hono();
  for (const { method, url, headers, body, record } of routes)
    app.on(method, url, (c) => {
      record?.(getCookie(c, 'svc_session'), c.req.header('user-agent'));
      return new Promise((resolve) => {
        // `c.body` is avoided, because it makes a Headers object.
        store.afterCommit(() => resolve(new Response(body, { headers })));
      });
    });
  // For a server behind a proxy.
  return createAdaptorServer({ fetch: app.fetch, autoCleanupIncoming: false });
}
