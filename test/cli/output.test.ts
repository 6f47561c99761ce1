/** Long output, slow readers, readers that leave, and output that cannot be written. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { siteForAll } from '../support/site.ts';

const CLICKS = 150_000;
const PEOPLE = 30_000;

/** In MB: too little for the lines of CLICKS rows. */
const HEAP = 24;

const site = siteForAll();
const script = (tool: string) => path.join(site.root, 'tools', `${tool}.js`);

const NUMBERS =
  'with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ?)';

/** Presses of the join button, by each of PEOPLE in turn. */
const PRESS = `${NUMBERS} insert into project_joins (email, session_id, clicked_at)
  select 'person' || (i % ${PEOPLE}) || '@example.com', 'a session', ? + i from numbers`;

const EVENT = `insert into events
  (event_type, email, occurred_at, session_id, device_type, os, browser, meta)`;

site.invite('ada@example.com');
const db = new Database(site.store);
db.prepare(PRESS).run(CLICKS, 0);
// The oldest event cannot be read, so reading all events fails.
db.pragma('ignore_check_constraints = on');
db.exec(`${EVENT} values ('timeline_view', 'ada@example.com', 1, '', '', '', '', '{broken')`);
db.prepare(
  `${NUMBERS} ${EVENT} select 'login', 'ada@example.com', i, 's', '', '', '', null from numbers`,
).run(20_000);
db.close();

/** Runs a tool whose output the test reads. */
function start(tool: string, ...args: readonly string[]) {
  const command = [`--max-old-space-size=${HEAP}`, script(tool), ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const stderr = text(child.stderr);
  return {
    stdout: child.stdout,
    ended: once(child, 'close').then(async ([status]) => [status, await stderr]),
  };
}

describe('long output', () => {
  it('takes little memory with a slow reader', async () => {
    const { stdout, ended } = start('joins', 'list', '--json');
    let lines = 0;
    for await (const chunk of stdout) {
      lines += String(chunk).split('\n').length - 1;
      await setImmediate();
    }
    assert.deepEqual(await ended, [0, '']);
    assert.equal(lines, CLICKS + 2);
  });

  it('ends when its reader leaves, which is not an error', async () => {
    const whole = start('events', 'list');
    whole.stdout.resume();
    assert.equal((await whole.ended)[0], 1);
    const { stdout, ended } = start('events', 'list');
    await once(stdout, 'data');
    stdout.destroy();
    assert.deepEqual(await ended, [0, '']);
  });

  it('is one snapshot, whatever is written while its reader pauses', async () => {
    const { stdout } = start('joins', 'summary', '--json');
    await once(stdout, 'readable');
    const db = new Database(site.store);
    // The people with the oldest presses press again.
    db.prepare(PRESS).run(50, CLICKS);
    db.close();
    const people: { email: string; lastAt: number }[] = JSON.parse(await text(stdout));
    assert.equal(new Set(people.map(({ email }) => email)).size, PEOPLE);
    assert.equal(people.length, PEOPLE);
    assert.equal(Math.max(...people.map(({ lastAt }) => lastAt)), CLICKS);
  });
});

const skip = !fs.existsSync('/dev/full') && 'needs /dev/full';
it('output that cannot be written is status 1 and one line', { skip }, (t) => {
  const full = fs.openSync('/dev/full', 'w');
  t.after(() => fs.closeSync(full));
  for (const [tool = '', ...args] of [
    ['joins', 'list'],
    ['joins', 'stats'],
    ['events', '--help'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [script(tool), ...args], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    assert.equal(status, 1, `${tool} ${args.join(' ')}`);
    assert.match(stderr, /^the output cannot be written: .*\bENOSPC\b.*\n$/);
  }
});
