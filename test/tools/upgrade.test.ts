/** `guestlist upgrade` and `guestlist rollback`, with real archives and a stand-in for systemd. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { temporaryFolder } from '../support/site.ts';
import { installVersions, type Versions } from '../support/versions.ts';

const folder = temporaryFolder();
let versions: Versions;
before(async () => {
  versions = await installVersions(folder);
  versions.site.invite('ada@example.com');
  await versions.restart();
});
after(() => versions.remove());

const leftovers = () =>
  [...fs.readdirSync(versions.base), ...fs.readdirSync(versions.data)].filter((name) =>
    /partial|next|trial/.test(name),
  );

/** How many page views and join clicks the store has. */
const clicks = () => versions.site.json<{ clicks: number }>('joins', 'stats').clicks;

it('upgrades and goes back, and keeps every row and session', async () => {
  const cookie = await logIn(versions.origin, 'ada@example.com');
  const join = async () => {
    assert.equal((await send(versions.origin, 'POST /api/project-join', { cookie })).status, 200);
  };
  await join();
  const upgraded = await versions.tool(['upgrade', versions.pack('1.1.0')]);
  assert.equal(upgraded.stderr, '');
  assert.match(upgraded.stdout, /\n1\.1\.0 serves, with every row; back to 1\.0\.0: .*\n$/);
  assert.equal(versions.running(), '1.1.0');
  await join();
  const back = await versions.tool(['rollback']);
  assert.equal(back.stderr + back.stdout, '1.0.0 serves, with every row\n');
  assert.equal(versions.running(), '1.0.0');
  await join();
  assert.equal(clicks(), 3);
  assert.deepEqual(leftovers(), []);
  const refused = await versions.tool(['rollback']);
  assert.match(
    refused.stderr,
    /^there is no version before 1\.0\.0 to go to; installed: 1\.1\.0, 1.*\n$/,
  );
  assert.deepEqual([refused.status, versions.running()], [1, '1.0.0']);
  const there = await versions.tool(['rollback', '1.1.0', '--json']);
  assert.deepEqual(JSON.parse(there.stdout), { version: '1.1.0', former: '1.0.0', restored: null });
});
