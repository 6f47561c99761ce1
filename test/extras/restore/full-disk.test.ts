/** A disk that becomes full during a restore. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { inspectStoreFile } from '../../../lib/store/inspection.ts';
import { mountSmall } from '../../faults/volumes.ts';
import { invitedIn } from '../../support/database.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { toolsOn } from '../../support/tools.ts';

it('a full disk during a restore leaves the former store', async (t) => {
  const folder = path.join(temporaryFolder(), 'data');
  const volume = mountSmall(folder, 2);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  const file = path.join(folder, 'guestlist.db');
  const { invite, json, tool } = toolsOn(file);
  try {
    invite('ada@example.com');
    const { file: snapshot } = await json<{ file: string }>('backup create');
    invite('grace@example.com');
    const ballast = path.join(folder, 'ballast');
    let refused = 0;
    for (let isDone = false; !isDone; refused += 1) {
      const { bsize, bavail } = fs.statfsSync(folder);
      fs.writeFileSync(ballast, Buffer.alloc(bsize * bavail - 4096 * refused));
      const { status, stderr } = await tool(`backup restore ${snapshot} --yes`);
      fs.rmSync(ballast);
      isDone = status === 0;
      assert.equal(invitedIn(file).length, isDone ? 1 : 2, stderr);
      assert.equal(inspectStoreFile(file).fault, null);
      const names = fs.readdirSync(folder, { encoding: 'utf8', recursive: true });
      assert.equal(names.filter((name) => /draft|-replaced/.test(name)).length, isDone ? 1 : 0);
      if (!isDone) assert.match(stderr, /^.*(disk is full|no space left|disk I\/O error).*\n$/);
    }
    assert.ok(refused > 9, `${refused} steps`);
  } finally {
    volume.release();
  }
});
