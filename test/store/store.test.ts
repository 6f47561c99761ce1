/** The schema's constraints, the days of the totals, and lists read by key. */
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

describe('the totals', () => {
  it('count by day in UTC, with empty days', () => {
    withStore((store) => {
      record(store, 'ada@example.com', 'login', NOON - 2 * DAY);
      record(store, 'ada@example.com', 'timeline_view', NOON);
      press(store, 'ada@example.com', NOON + DAY / 2 - 1);
      store.count();
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
      store.count();
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
