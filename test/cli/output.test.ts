/** Long output, slow readers, readers that leave, and output that cannot be written. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
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

/** Presses of the join button, by each of PEOPLE in turn. */
const PRESS = `
  with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ?)
  insert into project_joins (email, session_id, clicked_at)
  select 'person' || (i % ${PEOPLE}) || '@example.com', 'a session', ? + i from numbers`;

const BROKEN_EVENT = `
  insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
  values ('timeline_view', 'ada@example.com', 1, '', '', '', '', '{broken')`;

const EVENTS = `
  with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ?)
  insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
  select 'login', 'ada@example.com', i, 'a session', 'desktop', '', '' from numbers`;

site.invite('ada@example.com');
const db = new Database(site.store);
db.prepare(PRESS).run(CLICKS, 0);
// The oldest event cannot be read, so reading all events fails.
db.pragma('ignore_check_constraints = on');
db.prepare(BROKEN_EVENT).run();
db.prepare(EVENTS).run(20_000);
db.close();

function start(tool: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP}`, script(tool), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return { child, closed: once(child, 'close'), stderr: () => stderr };
}

describe('long output', () => {
  it('takes little memory with a slow reader', async () => {
    const { child, closed, stderr } = start('joins', 'list', '--json');
    let lines = 0;
    for await (const chunk of child.stdout) {
      lines += String(chunk).split('\n').length - 1;
      await setImmediate();
    }
    await closed;
    assert.equal(child.exitCode, 0, stderr().slice(0, 300));
    assert.equal(lines, CLICKS + 2);
  });

  it('ends when its reader leaves, which is not an error', async () => {
    const whole = start('events', 'list');
    whole.child.stdout.resume();
    await whole.closed;
    assert.equal(whole.child.exitCode, 1);
    const { child, closed, stderr } = start('events', 'list');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    await closed;
    assert.deepEqual([child.exitCode, stderr()], [0, '']);
  });

  it('is one snapshot, whatever is written while its reader pauses', async () => {
    const { child, closed } = start('joins', 'summary', '--json');
    await once(child.stdout, 'readable');
    const db = new Database(site.store);
    // The people with the oldest presses press again.
    db.prepare(PRESS).run(50, CLICKS);
    db.close();
    let text = '';
    for await (const chunk of child.stdout) text += chunk;
    await closed;
    const people: { email: string; lastAt: number }[] = JSON.parse(text);
    assert.equal(new Set(people.map(({ email }) => email)).size, PEOPLE);
    assert.equal(people.length, PEOPLE);
    assert.equal(Math.max(...people.map(({ lastAt }) => lastAt)), CLICKS);
  });
});

describe('output that cannot be written', () => {
  const LINE = /^the output cannot be written: .*\bENOSPC\b.*\n$/;

  it('is status 1 and one line', { skip: !fs.existsSync('/dev/full') && 'needs /dev/full' }, () => {
    for (const [tool = '', ...args] of [
      ['joins', 'list'],
      ['joins', 'stats'],
      ['events', '--help'],
    ]) {
      const full = fs.openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [script(tool), ...args], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      fs.closeSync(full);
      assert.equal(status, 1, `${tool} ${args.join(' ')}`);
      assert.match(stderr, LINE);
    }
  });
});
