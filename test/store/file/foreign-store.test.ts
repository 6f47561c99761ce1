/** SQLite files that this version does not open, and links. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { openServerStore } from '../../../lib/store/open.ts';
import { withDatabase } from '../../support/database.ts';
import { makeStoreOf100 } from '../../support/old-store.ts';
import { temporaryFolder } from '../../support/site.ts';
import { toolsForEach } from '../../support/tools.ts';

const { file, folder, invite, says, tool } = toolsForEach();
beforeEach(() => void fs.mkdirSync(folder, { mode: 0o700 }));

/** The store and its folder, moved away. */
function moveAway(): string {
  invite('ada@example.com');
  const elsewhere = path.join(temporaryFolder(), 'data');
  fs.renameSync(folder, elsewhere);
  return elsewhere;
}

const foreign = (sql: string) => () => withDatabase(file, (db) => db.exec(sql));
const ELSE = 'is a SQLite file of something else; move it away, then try again';

for (const [what, make, why] of [
  ['of 1.0.0', () => makeStoreOf100(file), 'is a store of 1.0.0; start 1.1.0 with it once'],
  ['with a version of its own', foreign('create table a (b); pragma user_version = 3'), ELSE],
  ['with a mark of its own and nothing else', foreign('pragma application_id = 7'), ELSE],
  [
    'that is a link',
    () => {
      const elsewhere = moveAway();
      fs.mkdirSync(folder);
      fs.symlinkSync(path.join(elsewhere, 'guestlist.db'), file);
    },
    `is a link; put the file itself into ${folder}, or let ${folder} be a link`,
  ],
] as const)
  it(`a SQLite file ${what} is refused by server and tools in one line, and not changed`, async () => {
    make();
    const before = fs.readFileSync(file);
    assert.throws(
      () => openServerStore(file),
      ({ message }) => message.startsWith(`${file} ${why}`),
    );
    for (const call of ['invite list', 'invite add ada@example.com']) {
      const { status, stderr } = await tool(call);
      assert.deepEqual([status, stderr.split('\n').length], [1, 2]);
      assert.ok(stderr.startsWith(`${file} ${why}`), stderr);
    }
    assert.deepEqual(fs.readFileSync(file), before);
  });

describe('a snapshot of 1.0.0', () => {
  for (const call of ['backup restore --yes', 'invite add --from-snapshot'])
    it(`is refused by ${call}`, async () => {
      const snapshot = path.join(folder, '1.0.0.db');
      makeStoreOf100(snapshot);
      const { status, stderr } = await tool(call, snapshot);
      assert.equal(status, 1);
      assert.match(stderr, /a store of 1\.0\.0; start 1\.1\.0 with it once.*\n$/);
    });
});

it('a store may be in a folder that is a link', async () => {
  fs.symlinkSync(moveAway(), folder);
  await openServerStore(file).close();
  await says('backup create');
  assert.match(await says('invite list'), /ada@example\.com/);
});

it('the copy of an interrupted restore is removed when the store is opened next', async () => {
  invite('ada@example.com');
  for (const side of ['', '-wal', '-journal']) fs.writeFileSync(`${file}.draft${side}`, 'a copy');
  await says('invite list');
  assert.ok(!fs.readdirSync(folder).join().includes('draft'));
});
