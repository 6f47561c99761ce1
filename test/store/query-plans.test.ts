/** No statement of the server reads a whole log. The statements are those of real requests. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { ALL_ACTS } from '../../lib/store/acts.ts';
import { connectToCounts, logCounter } from '../../lib/store/counting.ts';
import { INVITE_SORTS, peopleReader, STATUSES } from '../../lib/store/people.ts';
import { sessionCookie } from '../support/client.ts';
import { inject } from '../support/inject.ts';

/** Every statement that is prepared from now on. */
const statements = new Set<string>();
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  statements.add(sql);
  return prepare.call(this, sql);
} as typeof prepare;
const stopCollecting = () => {
  Database.prototype.prepare = prepare;
};
after(stopCollecting);

const { file, read, send, store } = await inject();

/** Requests that reach every statement: each list with each sort, filter, cursor and format. */
function everyRequest(cursors: ReadonlyMap<string, string>): string[] {
  const searches = INVITE_SORTS.flatMap((sort) =>
    ['asc', 'desc'].flatMap((order) =>
      ['', ...STATUSES.map((status) => `&status=${status}`)].flatMap((status) =>
        ['', '&q=example'].map((q) => `invites?limit=1&sort=${sort}&order=${order}${status}${q}`),
      ),
    ),
  );
  const email = 'email=invitee@example.com';
  const joins = ['', '&of=summary', '&of=clicks', `&${email}`, '&from=2020-01-01&to=2100-01-01'];
  const logins = ['&type=login', '&type=login&from=2020-01-01'];
  const events = ['', `&${email}`, '&from=2020-01-01', `&${email}&to=2100-01-01`, ...logins];
  const lists = [
    ...searches,
    'invites?limit=1&from=2020-01-01',
    ...ALL_ACTS.map((did) => `invites?limit=1&did=${did}&from=2020-01-01`),
    ...joins.map((filter) => `joins?limit=1${filter}`),
    ...[...events, `&type=timeline_view&${email}`].map((filter) => `events?limit=1${filter}`),
    ...['', `&${email}`].map((filter) => `changes?limit=1${filter}`),
  ];
  const api = [
    'stats',
    'stats?from=2026-01-01',
    `person?${email}`,
    ...lists,
    ...lists.filter((list) => !/status|q=/.test(list)).map((list) => `${list}&format=csv`),
    ...[...cursors].map(([list, cursor]) => `${list}&${cursor}`),
  ];
  const pages = ['/timeline', '/timeline?view=mobile', '/auth/me'];
  return [...pages, ...api.map((at) => `/api/svcops/${at}`)];
}

/** The cursors that the reply of a list gave. */
function cursorOf({ next }: { readonly next?: string | Readonly<Record<string, string>> | null }) {
  if (typeof next === 'string') return `cursor=${next}`;
  const { summary, clicks } = next ?? {};
  return clicks ? `clicks=${clicks}${summary ? `&summary=${summary}` : ''}` : undefined;
}

async function exercise(): Promise<void> {
  const login = (name: string, cookie = '') =>
    send('POST /auth/login', { json: { email: `${name}@example.com` }, cookie });
  await login('administrator', sessionCookie(await login('invitee')));
  const cookie = sessionCookie(await login('administrator'));
  const post = (url: string, json: unknown = {}) => send(`POST ${url}`, { cookie, json });
  for (let i = 0; i < 2; i++) {
    await send('GET /timeline', { cookie });
    await post('/api/project-join');
  }
  const invitee = sessionCookie(await login('invitee'));
  await send('GET /timeline', { cookie: invitee });
  for (const name of ['new', 'newer'])
    await post('/api/svcops/invites', { email: `${name}@example.com` });
  const cursors = new Map<string, string>();
  for (const round of ['first', 'next']) {
    for (const url of everyRequest(cursors)) {
      const reply = await send(`GET ${url}`, { cookie });
      assert.equal(reply.status, 200, url);
      const json = url.startsWith('/api/') && !url.includes('csv') && !url.includes('cursor=');
      const cursor = round === 'first' && json ? cursorOf(reply.json()) : undefined;
      if (cursor) cursors.set(url.replace('/api/svcops/', ''), cursor);
    }
  }
  assert.ok(cursors.size > 50, 'the lists gave cursors');
  await store.write(({ sessions }) => sessions.sweep(Date.now(), 10));
  // Of `events summary`, which no request reaches.
  for (const period of [undefined, { from: 0, to: Infinity }])
    assert.equal(read(({ people }) => people.seen(period)).length, 2);
  await post('/auth/logout');
}

type Step = { readonly detail: string };

/** The query plan of SQLite for a statement. */
function planOf(db: Database.Database, sql: string): Step[] {
  const parameters = Object.fromEntries(
    [...sql.matchAll(/[@$](\w+)/g)].map(([, name]) => [name, 1]),
  );
  const anonymous = [...sql.matchAll(/\?/g)].map(() => 1);
  return db
    .prepare<unknown[], Step>(`explain query plan ${sql}`)
    .all(...anonymous, ...(anonymous.length > 0 ? [] : [parameters]));
}

const LOGS_AND_PEOPLE = ['events', 'project_joins', 'people', 'changes'];

const WHOLE = /^SCAN (events|project_joins|log|sessions|changes)\b/;

/** A list in the order of the log needs no sort. */
const LIST_OF_LOG = /from (events|project_joins|changes)\b[\s\S]*order by id desc limit @limit$/;
const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;

describe('the statements of the server and of events summary', () => {
  it('never read a whole log, and sort none', async () => {
    await exercise();
    stopCollecting();
    const db = connectToCounts(file, 0, (opened) => opened);
    logCounter(db);
    peopleReader(db);
    const planned = [...statements].filter((sql) => PLANNED.test(sql));
    assert.ok(planned.length > 100, `only ${planned.length} statements were collected`);
    for (const part of ['into events', ...LOGS_AND_PEOPLE.map((table) => `from ${table}`)])
      assert.ok(planned.join().includes(part), `no statement "${part}" was collected`);
    for (const sql of planned) {
      const plan = planOf(db, sql);
      const refused = ({ detail }: Step) =>
        WHOLE.test(detail) || (LIST_OF_LOG.test(sql) && detail.includes('TEMP B-TREE'));
      assert.equal(plan.find(refused), undefined, sql);
    }
    db.close();
  });

  it('would be noticed by this test if they did', () => {
    const db = connectToCounts(file, 0, (opened) => opened);
    const plan = planOf(db, "select count(*) from events where browser = 'x'");
    assert.ok(plan.some(({ detail }) => WHOLE.test(detail)));
    db.close();
  });
});
