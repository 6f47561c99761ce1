/**
 * The site of the contenders, without HTTP: a copy of Guestlist's store, and its promises. Each
 * request looks its session up by the SHA-256 of the secret, and nothing of it is remembered. Who
 * records is proven again by the statement that writes. The requests of a turn of the event loop
 * share a transaction with `synchronous=FULL`, and are answered after it. As in Guestlist, who has
 * no session never takes the lock of the store.
 */
import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import { UAParser } from 'ua-parser-js';

/** `a=b; svc_session=<22>.<43>`, but not `xsvc_session=<22>.<43>` */
const SESSION = /(?:^|; ?)svc_session=([\w-]{22})\.([\w-]{43})(?:;|$)/;

/** @param setup `store` is a file, and `replies` are those of Guestlist, by name */
export function openSite({ store, replies }) {
  const db = new Database(store, { timeout: 0 });
  db.exec('pragma synchronous = full');
  const select = db.prepare(
    `select id, email, first_name as firstName from sessions left join invites using (email)
     where id = ? and secret_hash = ? and expires_at > ?`,
  );
  const insertView = db.prepare(
    `insert into events
       (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     select 'timeline_view', email, ?, id, ?, ?, ?, ? from sessions where id = ?`,
  );
  const insertJoin = db.prepare(
    `insert into project_joins (email, session_id, clicked_at)
     select email, id, ? from sessions where id = ?`,
  );

  const findVisitor = (id, secret = '') => select.get(id, hash('sha256', secret), Date.now());

  /** @returns the layout to send; `undefined` if the session has gone */
  function recordView(visitor, userAgent, asked) {
    const device = describeDevice(userAgent);
    const isForced = asked === 'mobile' || asked === 'desktop';
    const view = isForced ? asked : device.view;
    const meta = isForced ? JSON.stringify({ view, forced: true }) : device.meta;
    const { type, os, browser } = device;
    const { changes } = insertView.run(Date.now(), type, os, browser, meta, visitor.id);
    return changes === 1 ? view : undefined;
  }

  const recordJoin = (visitor) => insertJoin.run(Date.now(), visitor.id).changes === 1;

  return { replies, findVisitor, recordView, recordJoin, ...createTurns(db) };
}

/** The routes with the fastest replies of node:http; a contender only leads to them. */
export function rawRoutes({ replies, findVisitor, recordView, recordJoin, read, record }) {
  const withVisitor = (refused, answer) => (incoming, response) => {
    const [, id, secret] = SESSION.exec(incoming.headers.cookie) ?? [];
    const find = () => (id === undefined ? undefined : findVisitor(id, secret));
    read(find, (visitor) => {
      if (visitor) answer(visitor, response, incoming);
      else send(response, refused);
    });
  };
  const { toEntry, notLoggedIn, noSession, joined, me } = replies;
  return {
    'GET /timeline': withVisitor(toEntry, (visitor, response, { url, headers }) => {
      const asked = url.includes('?') ? new URLSearchParams(url.split('?')[1]).get('view') : null;
      const run = () => recordView(visitor, headers['user-agent'], asked);
      record(run, (view) => send(response, replies[view] ?? toEntry));
    }),
    'POST /api/project-join': withVisitor(noSession, (visitor, response) => {
      const run = () => recordJoin(visitor);
      record(run, (isThere) => send(response, isThere ? joined : noSession));
    }),
    'GET /auth/me': withVisitor(notLoggedIn, ({ email, firstName }, response) => {
      const body = Buffer.from(JSON.stringify({ email, firstName })).toString('latin1');
      const headers = [...me.headers, 'content-length', String(body.length)];
      send(response, { ...me, headers, body });
    }),
  };
}

/** node:http writes a text of one byte a character together with its headers. */
function send(response, { status, headers, body }) {
  response.writeHead(status, headers).end(body, 'latin1');
}

/** The same for a contender as documented: its promises resolve after the commit. */
export function plainSite({ replies, findVisitor, recordView, recordJoin, record }) {
  const afterCommit = (run) => new Promise((resolve) => record(run, resolve));
  const pageOf = ({ body }) => Buffer.from(body, 'latin1').toString();
  return {
    headers: replies.common,
    pages: { desktop: pageOf(replies.desktop), mobile: pageOf(replies.mobile) },
    findVisitor: (token = '') => findVisitor(...token.split('.')),
    recordView: (...view) => afterCommit(() => recordView(...view)),
    recordJoin: (visitor) => afterCommit(() => recordJoin(visitor)),
  };
}

/** Runs the jobs of a turn in one transaction, and then gives each its result. */
function createTurns(db) {
  const commit = db.prepare('commit');
  const createTurn = (begin) => {
    let jobs = [];
    const endTurn = () => {
      const turn = jobs;
      jobs = [];
      begin.run();
      for (const each of turn) each.result = each.run();
      commit.run();
      for (const each of turn) each.done(each.result);
    };
    return (run, done) => {
      if (jobs.push({ run, done, result: undefined }) === 1) setImmediate(endTurn);
    };
  };
  return {
    read: createTurn(db.prepare('begin')),
    record: createTurn(db.prepare('begin immediate')),
  };
}

/** Parsing is dear, and guests have few kinds of browsers. */
const MAX_DEVICES = 1000;
const devices = new Map();

function describeDevice(header = '') {
  const userAgent = header.slice(0, 512);
  const known = devices.get(userAgent);
  if (known) return known;
  const { device, os, browser } = new UAParser(userAgent).getResult();
  const view = device.type === 'mobile' ? 'mobile' : 'desktop';
  const type = device.type ?? (os.name || browser.name ? 'desktop' : 'unknown');
  const meta = JSON.stringify({ view, forced: false });
  if (devices.size === MAX_DEVICES) devices.clear();
  const described = { type, os: os.name ?? '', browser: browser.name ?? '', view, meta };
  devices.set(userAgent, described);
  return described;
}
