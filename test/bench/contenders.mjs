/**
 * The site on bare node:http, Fastify, Express and Hono: `node contenders.mjs <name> <setup>`. The
 * setup has the tokens of sessions, and the replies of Guestlist to send. The frameworks' site does what is
 * usual: a prepared statement for the session, ua-parser-js with a bounded cache like Guestlist's, and
 * a plain insert with synchronous=NORMAL. It counts nothing, and does not sync before it replies.
 */
import fs from 'node:fs';
import http from 'node:http';

const [, , name, file] = process.argv;
const { tokens, replies } = JSON.parse(fs.readFileSync(file, 'utf8'));
const routes = Object.keys(replies).map((target) => [target, ...target.split(' ')]);
const answer = name === 'baseline' ? undefined : await openSite();
const server = await { baseline, fastify, express, hono }[name]();
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);

/** Only sends the bytes. */
function baseline() {
  for (const reply of Object.values(replies)) {
    reply.body = Buffer.from(reply.body);
    reply.headers['content-length'] = reply.body.length;
  }
  return http.createServer(({ method, url }, response) => {
    const { headers, body } = replies[`${method} ${url}`];
    response.writeHead(200, headers).end(body);
  });
}

/** @returns a function that answers a request of a route, by its session and User-Agent */
async function openSite() {
  const { default: Database } = await import('better-sqlite3');
  const { UAParser } = await import('ua-parser-js');
  const db = new Database(`${file}.db`);
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = normal;
    create table invites (email text primary key, first_name text);
    create table sessions (id text primary key, email text, expires_at integer);
    create table events (id integer primary key, email text, occurred_at integer, session_id text,
      device_type text, os text, browser text, meta text);
    create index events_by_person on events (email);
    create table joins (id integer primary key, email text, session_id text, clicked_at integer);
    create index joins_by_person on joins (email);`);
  const addSession = db.prepare('insert into sessions values (?, ?, ?)');
  for (const [i, token] of tokens.entries())
    addSession.run(token, `visitor${i}@example.com`, Date.now() + 86_400_000);
  db.exec('insert into invites select email, null from sessions');
  const selectSession = db.prepare('select * from sessions where id = ? and expires_at > ?');
  const selectInvite = db.prepare('select * from invites where email = ?');
  const insertJoin = db.prepare('insert into joins values (null, ?, ?, ?)');
  const insertView = db.prepare('insert into events values (null, ?, ?, ?, ?, ?, ?, ?)');
  const parsed = new Map();
  const parse = (userAgent) => {
    const known = parsed.get(userAgent) ?? new UAParser(userAgent).getResult();
    if (parsed.size >= 1000) parsed.clear();
    return parsed.set(userAgent, known).get(userAgent);
  };
  const work = {
    'GET /timeline': ({ id, email }, userAgent) => {
      const { device, os, browser } = parse(userAgent);
      const view = device.type === 'mobile' ? 'mobile' : 'desktop';
      const meta = JSON.stringify({ view, forced: false });
      insertView.run(email, Date.now(), id, device.type, os.name, browser.name, meta);
    },
    'GET /auth/me': ({ email }) => selectInvite.get(email),
    'POST /api/project-join': ({ id, email }) => insertJoin.run(email, id, Date.now()),
  };
  return (target, token, userAgent) => {
    // Without a session, this throws.
    work[target]?.(selectSession.get(token, Date.now()), userAgent);
    return replies[target];
  };
}

async function fastify() {
  const app = (await import('fastify')).default();
  await app.register((await import('@fastify/cookie')).default);
  for (const [target, method, url] of routes) {
    const handler = (request, reply) => {
      const { svc_session: token } = request.cookies;
      const { headers, body } = answer(target, token, request.headers['user-agent']);
      reply.headers(headers).send(body);
    };
    app.route({ method, url, handler });
  }
  await app.ready();
  return app.server;
}

async function express() {
  const app = (await import('express')).default();
  // The others hash no reply either.
  app.disable('etag');
  app.use((await import('cookie-parser')).default());
  for (const [target, method, url] of routes)
    app[method.toLowerCase()](url, (request, response) => {
      const { svc_session: token } = request.cookies;
      const { headers, body } = answer(target, token, request.get('user-agent'));
      response.set(headers).send(body);
    });
  return http.createServer(app);
}

async function hono() {
  const app = new (await import('hono')).Hono();
  const { getCookie } = await import('hono/cookie');
  const { createAdaptorServer } = await import('@hono/node-server');
  for (const [target, method, url] of routes)
    app.on(method, url, (c) => {
      const token = getCookie(c, 'svc_session');
      const { headers, body } = answer(target, token, c.req.header('user-agent'));
      return c.body(body, 200, headers);
    });
  return createAdaptorServer({ fetch: app.fetch });
}
