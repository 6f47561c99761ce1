/** Opening a store: a new one, those of former versions, files that this version refuses, and links. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runToEnd } from '../../lib/store/counted-reads.ts';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';
import { queryOne, read, withDatabase } from '../support/database.ts';
import { FORMER, makeOldStore } from '../support/old-store.ts';
import { addInvite, recordJoin, recordLogin } from '../support/rows.ts';
import { temporaryFolder } from '../support/site.ts';
import { toolsForEach } from '../support/tools.ts';

const here = toolsForEach();
const { file, folder, invite, says, tool } = here;
const backups = path.join(folder, 'backups');

it('migrations make a marked WAL store with the current version and strict tables', () => {
  openStore(file).close();
  withDatabase(file, (db) => {
    const pragma = (name: string) => db.pragma(name, { simple: true });
    const mark = Buffer.from(Number(pragma('application_id')).toString(16), 'hex').toString();
    const made = [pragma('journal_mode'), pragma('user_version'), mark];
    assert.deepEqual(made, ['wal', 105, 'Gues']);
    const loose = `select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not like 'sqlite_%' and not strict`;
    assert.deepEqual(db.prepare(loose).all(), []);
  });
  assert.ok(!fs.existsSync(backups), 'a new store needs no snapshot');
});

describe('the schema refuses', () => {
  const insert = (email: string, isAdmin = 0) =>
    `insert into invites (email, invited_by, invited_at, is_admin) values ('${email}', 'cli', 1, ${isAdmin})`;
  const event = (type: string, meta: string) =>
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     values ('${type}', 'ada@example.com', 1, 's', '', '', '', ${meta})`;
  const refused = {
    'an email that is not lower-case': insert('Ada@example.com'),
    'an email that is not trimmed': insert(' ada@example.com'),
    'an email that is none': insert('ada'),
    'an invite whose domain is not in ASCII': insert('ada@bücher.example.com'),
    'is_admin beside 0 and 1': insert('ada@example.com', 2),
    'an unknown event type': event('click', 'null'),
    'a login with meta': event('login', "'{}'"),
    'a view whose meta is no JSON': event('timeline_view', "'{'"),
    'a view without meta': event('timeline_view', 'null'),
    'a time that is no number': "insert into project_joins values (null, 'a@b.c', 's', 'now')",
    'a secret hash of another length': "insert into sessions values ('x', 'a@b.c', x'00', 1, 2)",
    'a change of an event': 'update events set occurred_at = 1',
    'a change of a join click': 'update project_joins set clicked_at = 1',
  };
  for (const [what, sql] of Object.entries(refused))
    it(what, () => {
      const store = openStore(file);
      store.transaction((writer) => {
        addInvite(writer, 'kept@example.com');
        recordLogin(writer, 'kept@example.com', 1);
        recordJoin(writer, 'kept@example.com', 1);
      });
      store.close();
      const code = /^SQLITE_CONSTRAINT/;
      assert.throws(() => withDatabase(file, (db) => db.exec(sql)), { name: 'SqliteError', code });
    });
});

for (const [version, schema] of Object.entries(FORMER) as [keyof typeof FORMER, number][])
  describe(`a store of ${version}`, () => {
    it('gets the schema of a new one, byte for byte', () => {
      const schemaOf = () =>
        read(file, (db) =>
          db.prepare('select type, name, sql from sqlite_schema order by 1, 2').all(),
        );
      openStore(file).close();
      const asMade = schemaOf();
      fs.rmSync(folder, { recursive: true });
      makeOldStore(file, version).close();
      openStore(file).close();
      assert.deepEqual(schemaOf(), asMade);
      assert.equal(queryOne(file, 'pragma user_version'), 105);
    });

    it('keeps its rows, without U+0307 behind an i in addresses', () => {
      makeOldStore(file, version).close();
      openStore(file).close();
      here.read(({ changes, joins, people, totals }) => {
        const counts = { invites: 6, admins: 1, logins: 3, timelineViews: 2, joinClicks: 4 };
        assert.deepEqual(totals.counts(), counts);
        const funnel = { invited: 6, loggedIn: 2, viewed: 2, joined: 2 };
        assert.deepEqual(totals.funnel(), funnel);
        const stats = { clicks: 4, users: 3, firstTime: 3 };
        assert.deepEqual(runToEnd(joins.stats()), stats);
        assert.equal(people.find('ada@example.com')?.isAdmin, true);
        for (const [email, ...expected] of [
          ['gone@example.com', 1, 1, 1, null],
          ['ipek@example.com', 1, 0, 1, 'cli'],
          ['eve@example.com', 0, 0, 0, 'ipek@example.com'],
        ] as const) {
          const found = people.find(email);
          const { logins, timelineViews, joinClicks, invitedBy } = found ?? {};
          assert.deepEqual([logins, timelineViews, joinClicks, invitedBy], expected, email);
        }
        assert.equal(changes.list({ limit: 10, email: 'ipek@example.com' }).rows.length, 2);
        assert.equal(changes.list({ limit: 10 }).rows.length, 9);
      });
      assert.equal(
        queryOne(file, "select email from sessions where id = 'dotted'"),
        'ipek@example.com',
      );
      assert.equal(inspectStoreFile(file).fault, null);
    });

    it('is copied before it is converted; of interrupted starts, the last copy stays', (t) => {
      const said = t.mock.method(console, 'error', () => undefined).mock;
      const interrupted = makeOldStore(file, version);
      interrupted.exec('create view doubt as select 1');
      for (let i = 0; i < 2; i += 1) assert.throws(() => openStore(file), /already exists/);
      interrupted.exec('drop view doubt');
      interrupted.close();
      openStore(file).close();
      assert.equal(said.calls.length, 3);
      assert.match(
        said.calls[0]?.arguments[0],
        /^migrating .*guestlist\.db to schema 105, after a snapshot$/,
      );
      const [snapshot = '', ...others] = fs.readdirSync(backups);
      assert.deepEqual(others, []);
      assert.ok(snapshot.endsWith(`-schema-${schema}.db`), snapshot);
      const copy = path.join(backups, snapshot);
      assert.equal(fs.statSync(copy).mode & 0o777, 0o600);
      assert.equal(queryOne(copy, 'pragma user_version'), schema);
      assert.equal(queryOne(copy, 'select count(*) from invites'), 6);
    });

    it('is refused if an index is not that of its table', () => {
      const old = makeOldStore(file, version);
      old.unsafeMode().exec(`pragma writable_schema = on; update sqlite_schema
        set sql = replace(sql, '(invited_at,', '(invited_by,') where name = 'invites_by_time'`);
      old.close();
      assert.throws(() => openStore(file), /the copy .* missing from index invites_by_time/);
      assert.equal(queryOne(file, 'pragma user_version'), schema);
    });
  });

/** The store and its folder, moved away. */
function moveAway(): string {
  invite('ada@example.com');
  const elsewhere = path.join(temporaryFolder(), 'data');
  fs.renameSync(folder, elsewhere);
  return elsewhere;
}

const foreign = (sql: string) => () => withDatabase(file, (db) => db.exec(sql));
const ELSE = 'is not a store of Guestlist 1.1.0 or later; move it away, then try again';

for (const [what, make, why] of [
  [
    'with invites of its own',
    foreign('create table invites (email); pragma user_version = 6'),
    ELSE,
  ],
  ['with a version of its own', foreign('create table a (b); pragma user_version = 3'), ELSE],
  ['with a mark of its own and nothing else', foreign('pragma application_id = 7'), ELSE],
  [
    'that is a link',
    () => {
      const elsewhere = moveAway();
      fs.mkdirSync(folder);
      fs.symlinkSync(path.join(elsewhere, 'guestlist.db'), file);
    },
    `is a link; put the file itself into ${folder}, or let ${folder} be a link`,
  ],
] as const)
  it(`a SQLite file ${what} is refused by server and tools in one line, and not changed`, async () => {
    fs.mkdirSync(folder, { mode: 0o700 });
    make();
    const before = fs.readFileSync(file);
    assert.throws(
      () => openServerStore(file),
      ({ message }) => message.startsWith(`${file} ${why}`),
    );
    for (const call of ['invite list', 'invite add ada@example.com']) {
      const { status, stderr } = await tool(call);
      assert.deepEqual([status, stderr.split('\n').length], [1, 2]);
      assert.ok(stderr.startsWith(`${file} ${why}`), stderr);
    }
    assert.deepEqual(fs.readFileSync(file), before);
  });

it('a store may be in a folder that is a link', async () => {
  fs.symlinkSync(moveAway(), folder);
  await openServerStore(file).close();
  await says('backup create');
  assert.match(await says('invite list'), /ada@example\.com/);
});
