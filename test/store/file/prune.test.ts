/** Which snapshots are removed: by `backup create` for their age, by `backup prune --keep` for their number. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { siteForAll } from '../../support/site.ts';

const installation = siteForAll();
const folder = path.join(path.dirname(installation.store), 'backups');
installation.invite('ada@example.com');

const run = (...args: readonly string[]) => {
  const { status, stdout, stderr } = installation.tool('backup', ...args, '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

test('create keeps the newest five, however old they seem to a clock that is years ahead', () => {
  const { file } = run('create');
  // To a clock that runs right, what a clock years ahead finds are snapshots of years ago.
  const years = [2019, 2018, 2017, 2016, 2015, 2014].map(
    (year) => `guestlist-${year}0101T033000Z.db`,
  );
  for (const name of years) fs.copyFileSync(file, path.join(folder, name));
  assert.equal(run('create').removed, 3);
  assert.deepEqual(fs.readdirSync(folder).sort().slice(0, 3), years.slice(0, 3).reverse());
});

test('prune keeps as many as it is told to, and by itself what create keeps', () => {
  assert.deepEqual(run('prune'), { removed: 0, left: 5 });
  assert.deepEqual(run('prune', '--keep', '2'), { removed: 3, left: 2 });
  assert.equal(fs.readdirSync(folder).length, 2);
  assert.equal(installation.tool('backup', 'prune').stdout, '0 snapshots removed; 2 left\n');
  for (const wrong of [['--keep', '0'], ['--keep', 'x'], ['2']])
    assert.equal(installation.tool('backup', 'prune', ...wrong).status, 2);
});
