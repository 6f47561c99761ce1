/** A migration is killed at many moments: the next start finishes it and counts every row once. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { read } from '../support/database.ts';
import { lacksStrace } from '../support/lacks.ts';
import { MIGRATIONS, makeOldStore, TABLES_VERSION } from '../support/old-store.ts';
import { siteForAll } from '../support/site.ts';

const EVENTS = 5000;

/** The system calls of a migration: of its snapshot, and of its transaction. */
const MOMENTS = [
  'fdatasync:when=1',
  'fdatasync:when=2',
  'fsync:when=1',
  'rename:when=1',
  'pwrite64:when=100',
  'pwrite64:when=400',
  'pwrite64:when=900',
  'pwrite64:when=1200',
];

const site = siteForAll();

const folder = path.dirname(site.store);

/** A store of an earlier version, with enough rows to make the migration slow. */
function fillOldStore(): void {
  fs.rmSync(folder, { recursive: true, force: true });
  const db = makeOldStore(site.store, TABLES_VERSION);
  db.prepare(
    `with recursive n (n) as (select 1 union all select n + 1 from n where n < ?)
     insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     select 'login', 'person' || (n % 5000) || '@example.com', n * 1000000, 'S', 'desktop', 'os' || (n % 50), '', null from n`,
  ).run(EVENTS);
  db.close();
}

const version = () => read(site.store, (db) => db.pragma('user_version', { simple: true }));

it('a killed migration is finished by the next start, and leaves no drafts', {
  skip: lacksStrace(),
}, async () => {
  const interrupted = new Set<unknown>();
  for (const moment of MOMENTS) {
    fillOldStore();
    const [call, when] = moment.split(':');
    const killed = spawnSync(
      'strace',
      [
        '-f',
        '-o',
        '/dev/null',
        '-e',
        `trace=${call}`,
        '-e',
        `inject=${call}:signal=KILL:${when}`,
        process.execPath,
        path.join(site.root, 'tools', 'invite.js'),
        'add',
        'ada@example.com',
      ],
      { encoding: 'utf8' },
    );
    const done = killed.status === 0;
    interrupted.add(done ? 'not killed' : version());

    const server = await site.start();
    await server.stop();
    assert.equal(version(), MIGRATIONS.length);
    read(site.store, (db) => {
      assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
      const counted = db.prepare('select sum(logins) from day_totals').pluck().get();
      assert.equal(counted, EVENTS, moment);
    });
    const backups = fs.readdirSync(path.join(folder, 'backups'));
    assert.ok(backups.length > 0 && backups.every((name) => name.endsWith('.db')), `${backups}`);
    for (const name of backups)
      assert.equal(
        read(path.join(folder, 'backups', name), (db) =>
          db.prepare('select count(*) from events').pluck().get(),
        ),
        EVENTS,
      );
    site.withStore((store) => assert.equal(store.totals.counts().logins, EVENTS));
  }
  assert.ok(interrupted.has(TABLES_VERSION), 'some kill came before the commit');
  console.log(`left by the kills: ${[...interrupted].join(', ')}`);
});
