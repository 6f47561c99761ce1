/**
 * How long the reads of an administrator take with 1,000, 10,000 and 100,000 events of 2,000 guests:
 * the median of nine, in ms. It needs a build: `node test/bench/growth.mjs`.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listEvents } from '../../lib/store/events.js';
import { addInvite, listGuests } from '../../lib/store/invites.js';
import { listJoinClicks, summarizeJoins } from '../../lib/store/joins.js';
import { openStoreFile } from '../../lib/store/open.js';
import { readStatistics } from '../../lib/store/statistics.js';

const YEAR = 365 * 86_400_000;
const now = Date.now();

const READS = {
  'numbers of 90 days': (db) => readStatistics(db, 90, now),
  'numbers of all days': (db) => readStatistics(db, 'all', now),
  'list of guests': (db) => listGuests(db),
  joins: (db) => [summarizeJoins(db), listJoinClicks(db, { limit: 501 })],
  'latest events': (db) => listEvents(db, { limit: 501 }),
};

/** The events lie evenly in the last year; each tenth is followed by a join click. */
function fill(db, events) {
  const event = db.prepare(`insert into events
    (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
    values (?, ?, ?, 'session', 'desktop', 'Linux', 'Firefox', ?)`);
  const click = db.prepare(
    "insert into project_joins (email, session_id, clicked_at) values (?, 'session', ?)",
  );
  for (let i = 0; i < events; i += 1) {
    const email = `guest${i % 2000}@example.com`;
    const at = Math.round(now - YEAR + (YEAR * i) / events);
    addInvite(db, { email, firstName: null, invitedBy: 'cli', invitedAt: at });
    if (i % 5 === 0) event.run('login', email, at, null);
    else event.run('timeline_view', email, at, '{"view":"desktop","forced":false}');
    if (i % 10 === 9) click.run(email, at);
  }
}

function measure(job) {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    job();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[4];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'growth-'));
for (const events of [1000, 10_000, 100_000]) {
  const db = openStoreFile(path.join(folder, `${events}.db`));
  db.transaction(fill)(db, events);
  console.log(`\n${events.toLocaleString('en')} events`);
  for (const [name, read] of Object.entries(READS))
    console.log(`${name}: ${measure(() => read(db)).toFixed(1)} ms`);
  db.close();
}
fs.rmSync(folder, { recursive: true });
