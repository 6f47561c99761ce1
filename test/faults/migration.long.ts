/** A migration is killed at many moments: the next start finishes it, once, and loses no row. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { queryOne } from '../support/database.ts';
import { lacksStrace } from '../support/lacks.ts';
import { MIGRATIONS, makeOldStore, OLDEST_VERSION } from '../support/old-store.ts';
import { siteForAll } from '../support/site.ts';

const EVENTS = 5000;

const NEXT = MIGRATIONS.length + 1;

/** The system calls of a migration: of its snapshot, and of its transactions. */
const MOMENTS = [
  ...['fdatasync:when=1', 'fsync:when=1', 'fsync:when=3', 'rename:when=1', 'unlink:when=1'],
  ...['pwrite64:when=50', 'pwrite64:when=150', 'pwrite64:when=300', 'pwrite64:when=500'],
];

const site = siteForAll();
const folder = path.dirname(site.store);

// One that this version does not have yet, after all that it has.
fs.writeFileSync(
  path.join(site.root, 'sql', `${String(NEXT).padStart(3, '0')}-next.sql`),
  'create table kept (id integer primary key, email text) strict; insert into kept select id, email from events',
);

function fillOldStore(): void {
  fs.rmSync(folder, { recursive: true, force: true });
  const db = makeOldStore(site.store);
  db.prepare(
    `with recursive n (n) as (select 5 union all select n + 1 from n where n < ?)
     insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
     select 'login', 'person' || n || '@example.com', n * 1000000, 'S', 'desktop', '', '' from n`,
  ).run(EVENTS);
  db.close();
}

const version = () => queryOne(site.store, 'pragma user_version');

it('a killed migration is finished by the next start, and leaves no drafts', {
  skip: lacksStrace(),
}, async () => {
  const left = new Set<unknown>();
  for (const moment of MOMENTS) {
    fillOldStore();
    const [call, when] = moment.split(':');
    const killed = spawnSync('strace', [
      ...['-f', '-o', '/dev/null', '-e', `trace=${call}`],
      ...['-e', `inject=${call}:signal=KILL:${when}`, process.execPath],
      ...[path.join(site.root, 'tools', 'invite.js'), 'list'],
    ]);
    left.add(killed.status === 0 ? 'not killed' : version());

    const server = await site.start();
    await server.stop();
    assert.equal(version(), NEXT);
    assert.equal(queryOne(site.store, 'pragma integrity_check'), 'ok');
    assert.equal(queryOne(site.store, 'select count(*) from kept'), EVENTS, moment);
    const backups = fs.readdirSync(path.join(folder, 'backups'));
    assert.ok(backups.length > 0 && backups.every((name) => name.endsWith('.db')), `${backups}`);
    for (const name of backups)
      assert.equal(
        queryOne(path.join(folder, 'backups', name), 'select count(*) from events'),
        EVENTS,
      );
  }
  assert.ok(left.has(OLDEST_VERSION), 'some kill came before the commit');
  console.log(`left by the kills: ${[...left].join(', ')}`);
});
