/** Long output, slow readers, readers that leave, and output that cannot be written. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { withDatabase } from '../support/database.ts';
import { siteForAll } from '../support/site.ts';

/** More than a pipe holds. */
const CLICKS = 50_000;

const site = siteForAll();
const script = (tool: string) => path.join(site.root, 'tools', `${tool}.js`);

site.invite('ada@example.com');
withDatabase(site.store, (db) =>
  db.exec(`with recursive numbers (i) as (
      select 1 union all select i + 1 from numbers where i < ${CLICKS})
    insert into project_joins (email, session_id, clicked_at)
    select 'ada@example.com', 'a session', i from numbers`),
);

/** Runs a tool whose output the test reads. */
function start(tool: string, ...args: readonly string[]) {
  const command = [script(tool), ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const stderr = text(child.stderr);
  const ended = once(child, 'close').then(async ([status]) => [status, await stderr]);
  return { stdout: child.stdout, ended };
}

it('long output reaches a slow reader whole', async () => {
  const { stdout, ended } = start('joins', 'list', '--json');
  let lines = 0;
  for await (const chunk of stdout) {
    lines += String(chunk).split('\n').length - 1;
    await setImmediate();
  }
  assert.deepEqual(await ended, [0, '']);
  assert.equal(lines, CLICKS + 2);
});

it('a reader that leaves is not an error', async () => {
  const { stdout, ended } = start('joins', 'list');
  await once(stdout, 'data');
  stdout.destroy();
  assert.deepEqual(await ended, [0, '']);
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
