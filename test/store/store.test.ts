/** The schema's constraints, the running totals that triggers keep, and lists read by key. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import type Database from 'better-sqlite3';
import type { Event } from '../../lib/records.ts';
import { openStore, type Store } from '../../lib/store/open.ts';
import { dayOf } from '../../lib/store/rows/period.ts';
import { withDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/site.ts';

/** A new store, and another program's connection to it. */
function withStore(use: (store: Store, db: Database.Database) => void): void {
  const file = path.join(temporaryFolder(), 'guestlist.db');
  const store = openStore(file);
  try {
    withDatabase(file, (db) => use(store, db));
  } finally {
    store.close();
  }
}

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 2, 12);

function invite(store: Store, email: string, invitedAt: number): void {
  store.transaction(({ invites }) =>
    invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt }),
  );
}

function press(store: Store, email: string, clickedAt: number): void {
  store.transaction(({ joins }) => joins.record({ email, session: 's', clickedAt }));
}

function record(store: Store, email: string, type: Event['type'], occurredAt: number): void {
  const device = { deviceType: 'mobile', os: 'iOS', browser: 'Mobile Safari' };
  const meta = type === 'login' ? null : ({ view: 'mobile', forced: false } as const);
  store.transaction(({ events }) =>
    events.record({ type, email, occurredAt, session: 's', ...device, meta }),
  );
}

describe('the schema refuses', () => {
  const INVITE = 'insert into invites (email, invited_by, invited_at) values';
  const EVENT = `insert into events
    (event_type, email, occurred_at, session_id, device_type, os, browser, meta) values`;
  const refused = {
    'an email that is not lower-case': `${INVITE} ('Ada@example.com', 'cli', 1)`,
    'an email that is not trimmed': `${INVITE} (' ada@example.com', 'cli', 1)`,
    'an email that is none': `${INVITE} ('ada', 'cli', 1)`,
    'an invite whose domain is not in ASCII': `${INVITE} ('ada@bücher.example.com', 'cli', 1)`,
    'is_admin beside 0 and 1':
      "insert into invites (email, invited_by, invited_at, is_admin) values ('ada@example.com', 'cli', 1, 2)",
    'an unknown event type': `${EVENT} ('click', 'ada@example.com', 1, 's', '', '', '', null)`,
    'a login with meta': `${EVENT} ('login', 'ada@example.com', 1, 's', '', '', '', '{}')`,
    'a view whose meta is no JSON': `${EVENT} ('timeline_view', 'ada@example.com', 1, 's', '', '', '', '{')`,
    'a view without meta': `${EVENT} ('timeline_view', 'ada@example.com', 1, 's', '', '', '', null)`,
    'a time that is no number':
      "insert into project_joins (email, session_id, clicked_at) values ('ada@example.com', 's', 'now')",
    'a secret hash of another length':
      "insert into sessions values ('x', 'ada@example.com', x'00', 1, 2)",
    'a change of an event': 'update events set occurred_at = 1',
    'a change of a join click': 'update project_joins set clicked_at = 1',
    "a change of an invite's email": "update invites set email = 'other@example.com'",
  };
  for (const [what, sql] of Object.entries(refused)) {
    it(what, () => {
      withStore((store, db) => {
        invite(store, 'kept@example.com', 1);
        record(store, 'kept@example.com', 'login', 1);
        press(store, 'kept@example.com', 1);
        assert.throws(() => db.exec(sql), { name: 'SqliteError', code: /^SQLITE_CONSTRAINT/ });
      });
    });
  }
});

describe('the running totals', () => {
  /** Everything the totals say, counted from the logs instead. */
  function assertExact(store: Store, db: Database.Database): void {
    const get = (sql: string) => db.prepare(sql).pluck().get();
    const all = (sql: string) => db.prepare(sql).all();
    const { logins, timelineViews, joinClicks, invites, admins } = store.totals.counts();
    assert.deepEqual(
      [logins, timelineViews, joinClicks, invites, admins],
      [
        get("select count(*) from events where event_type = 'login'"),
        get("select count(*) from events where event_type = 'timeline_view'"),
        get('select count(*) from project_joins'),
        get('select count(*) from invites'),
        get('select count(*) from invites where is_admin = 1'),
      ],
    );
    const invited = (table: string, where: string) =>
      get(
        `select count(distinct email) from ${table} where ${where} and email in (select email from invites)`,
      );
    assert.deepEqual(store.totals.funnel(), {
      invited: invites,
      loggedIn: invited('events', "event_type = 'login'"),
      viewed: invited('events', "event_type = 'timeline_view'"),
      joined: invited('project_joins', 'true'),
    });
    assert.equal(store.joins.stats().users, get('select count(distinct email) from project_joins'));
    assert.deepEqual(
      all(
        'select email, logins, timeline_views, last_seen_at from people where last_seen_at is not null order by email',
      ),
      all(`select email, sum(event_type = 'login') as logins, sum(event_type = 'timeline_view') as timeline_views,
        (select occurred_at from events as e where e.email = events.email order by id desc limit 1) as last_seen_at
        from events group by email order by email`),
    );
    assert.deepEqual(
      all(
        'select email, join_clicks, first_join_at, last_join_at from people where join_clicks > 0 order by email',
      ),
      all(`select email, count(*) as join_clicks,
        (select clicked_at from project_joins as j where j.email = project_joins.email order by id limit 1) as first_join_at,
        (select clicked_at from project_joins as j where j.email = project_joins.email order by id desc limit 1) as last_join_at
        from project_joins group by email order by email`),
    );
    assert.deepEqual(
      all('select * from device_totals'),
      all(
        'select device_type, os, browser, count(*) as events from events group by 1, 2, 3 order by 1, 2, 3',
      ),
    );
    assert.equal(
      get('select count(*) from people'),
      get(
        'select count(*) from (select email from invites union select email from events union select email from project_joins)',
      ),
    );
  }

  it('stay exact through inserts and through deletes by hand', () => {
    withStore((store, db) => {
      // A seeded walk: the same steps each time.
      let seed = 20_261_120;
      const random = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((seed / 2_147_483_648) * below);
      };
      const somebody = () => `person${random(8)}@example.com`;
      const steps = [
        () => invite(store, somebody(), NOON),
        () => store.transaction(({ invites }) => invites.remove(somebody())),
        () => store.transaction(({ invites }) => invites.setAdmin(somebody(), random(2) === 1)),
        () =>
          db
            .prepare("replace into invites values (?, null, 'by hand', 0, ?)")
            .run(somebody(), random(2)),
        () => record(store, somebody(), 'login', NOON + random(5) * DAY),
        () => record(store, somebody(), 'timeline_view', NOON + random(5) * DAY),
        () => press(store, somebody(), NOON + random(5) * DAY),
        () =>
          db.exec(
            `delete from events where id in (
               select id from events order by id % ${1 + random(9)}, id limit 2)`,
          ),
        () => db.exec('delete from project_joins where id in (select max(id) from project_joins)'),
        () => db.prepare('delete from events where email = ?').run(somebody()),
      ];
      for (let i = 0; i < 600; i += 1) {
        steps[random(steps.length)]?.();
        if (i % 20 === 0) assertExact(store, db);
      }
      assertExact(store, db);
      db.exec('delete from events; delete from project_joins; delete from invites');
      assertExact(store, db);
      assert.equal(db.prepare('select count(*) from people').pluck().get(), 0);
    });
  });

  it('count by day in UTC, with empty days', () => {
    withStore((store) => {
      record(store, 'ada@example.com', 'login', NOON - 2 * DAY);
      record(store, 'ada@example.com', 'timeline_view', NOON);
      press(store, 'ada@example.com', NOON + DAY / 2 - 1);
      assert.deepEqual(store.totals.daily({ from: dayOf(NOON) - 2, to: dayOf(NOON) }), [
        { day: '2026-02-28', logins: 1, timelineViews: 0, joinClicks: 0 },
        { day: '2026-03-01', logins: 0, timelineViews: 0, joinClicks: 0 },
        { day: '2026-03-02', logins: 0, timelineViews: 1, joinClicks: 1 },
      ]);
    });
  });
});

describe('lists', () => {
  it('are read in pages by key, newest first, by type and person', () => {
    withStore((store) => {
      for (let i = 0; i < 40; i += 1)
        record(store, `p${i % 3}@example.com`, i % 4 === 0 ? 'login' : 'timeline_view', NOON + i);
      const ids = (filter: object) => {
        const found: number[] = [];
        for (let after: number | undefined; ; ) {
          const { rows, next } = store.events.list({ limit: 3, after, ...filter });
          found.push(...rows.map(({ id }) => id));
          if (next === null) return found;
          after = next;
        }
      };
      const expected = Array.from({ length: 40 }, (_, i) => 40 - i);
      assert.deepEqual(ids({}), expected);
      assert.deepEqual(
        ids({ type: 'login' }),
        expected.filter((id) => (id - 1) % 4 === 0),
      );
      assert.deepEqual(
        ids({ email: 'p1@example.com' }),
        expected.filter((id) => (id - 1) % 3 === 1),
      );
      assert.deepEqual(
        ids({ email: 'p1@example.com', type: 'login' }),
        expected.filter((id) => (id - 1) % 12 === 4),
      );
    });
  });
});
