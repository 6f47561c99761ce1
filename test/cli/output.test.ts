/** Long output, readers that leave, and output that cannot be written. */
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
const script = path.join(site.root, 'tools', 'joins.js');

site.invite('ada@example.com');
withDatabase(site.store, (db) =>
  db.exec(`with recursive numbers (i) as (
      select 1 union all select i + 1 from numbers where i < ${CLICKS})
    insert into project_joins (email, session_id, clicked_at)
    select 'ada@example.com', 'a session', i from numbers`),
);

it('long output reaches a slow reader whole; one that leaves is not an error', async () => {
  for (const leaves of [false, true]) {
    const child = spawn(process.execPath, [script, 'list', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stderr = text(child.stderr);
    const ended = once(child, 'close');
    let lines = 0;
    for await (const chunk of child.stdout) {
      if (leaves) break;
      lines += String(chunk).split('\n').length - 1;
      await setImmediate();
    }
    assert.deepEqual([(await ended)[0], await stderr], [0, '']);
    assert.equal(lines, leaves ? 0 : CLICKS + 2);
  }
});

const skip = !fs.existsSync('/dev/full') && 'needs /dev/full';
it('output that cannot be written is status 1 and one line', { skip }, (t) => {
  const full = fs.openSync('/dev/full', 'w');
  t.after(() => fs.closeSync(full));
  for (const word of ['list', 'stats', '--help']) {
    const { status, stderr } = spawnSync(process.execPath, [script, word], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    assert.equal(status, 1, word);
    assert.match(stderr, /^the output cannot be written: .*\bENOSPC\b.*\n$/);
  }
});
