/** SQLite files that this version does not open, and links. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { withDatabase } from '../../support/database.ts';
import { makeStoreOf100 } from '../../support/old-store.ts';
import { siteForEach } from '../../support/site.ts';
import { toolsOn } from '../../support/tools.ts';

const site = siteForEach();
const { says, tool } = toolsOn(site.store);
const data = path.dirname(site.store);
beforeEach(() => void fs.mkdirSync(data, { mode: 0o700 }));

const foreign = (sql: string) => () => withDatabase(site.store, (db) => db.exec(sql));
const ELSE = 'a SQLite file of something else; move it away, then try again';

for (const [what, make, why] of [
  ['of 1.0.0', () => makeStoreOf100(site.store), 'a store of 1.0.0; start 1.1.0 with it once'],
  ['with a version of its own', foreign('create table a (b); pragma user_version = 3'), ELSE],
  ['with a mark of its own and nothing else', foreign('pragma application_id = 7'), ELSE],
] as const) {
  test(`a SQLite file ${what} is refused by server and tools in one line, and not changed`, async () => {
    make();
    const before = fs.readFileSync(site.store);
    for (const refused of [
      site.run(),
      await tool('invite list'),
      await tool('invite add ada@example.com'),
    ]) {
      assert.equal(refused.status, 1, refused.stdout);
      assert.ok(refused.stderr.startsWith(`${site.store} is ${why}`), refused.stderr);
      assert.equal(refused.stderr.trimEnd().split('\n').length, 1);
    }
    assert.deepEqual(fs.readFileSync(site.store), before);
  });
}

test('a snapshot of 1.0.0 is not restored, nor are its invites taken over', async () => {
  const snapshot = path.join(site.root, '1.0.0.db');
  makeStoreOf100(snapshot);
  for (const refused of [
    await tool(`backup restore ${snapshot} --yes`),
    await tool(`invite add --from-snapshot ${snapshot}`),
  ]) {
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /a store of 1\.0\.0; start 1\.1\.0 with it once.*\n$/);
  }
});

describe('a store that is a link', () => {
  const moveAway = (): string => {
    site.invite('ada@example.com');
    const elsewhere = fs.mkdtempSync(path.join(site.root, 'elsewhere-'));
    fs.renameSync(data, elsewhere);
    return elsewhere;
  };

  test('is refused by server and tools with the remedy', async () => {
    const elsewhere = moveAway();
    fs.mkdirSync(data);
    fs.symlinkSync(path.join(elsewhere, 'guestlist.db'), site.store);
    for (const refused of [site.run(), await tool('invite add grace@example.com')]) {
      assert.equal(refused.status, 1, refused.stdout);
      assert.match(refused.stderr, /is a link; put the file itself into .*, or let .* be a link/);
    }
  });

  test('may be in a folder that is a link', async () => {
    fs.symlinkSync(moveAway(), data);
    const server = await site.start();
    await server.stop();
    await says('backup create');
    assert.match(await says('invite list'), /ada@example\.com/);
  });
});

test('the copy of an interrupted restore is removed when the store is opened next', async () => {
  site.invite('ada@example.com');
  const draft = `${site.store}.draft`;
  for (const suffix of ['', '-wal', '-journal']) fs.writeFileSync(draft + suffix, 'a whole copy');
  await says('invite list');
  assert.deepEqual(
    fs.readdirSync(data).filter((name) => name.includes('draft')),
    [],
  );
});
