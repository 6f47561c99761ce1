/** A disk that becomes full during a restore. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { inspectStoreFile } from '../../../lib/store/inspection.ts';
import { folderOnOtherVolume, lacksVolume, mountSmall } from '../../faults/volumes.ts';
import { invitedIn } from '../../support/database.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { toolsOn } from '../../support/tools.ts';

for (const [where, isElsewhere] of [
  ['beside its snapshots', false],
  ['on another volume than its snapshots', true],
] as const)
  it(`a full disk during a restore leaves the former store, ${where}`, async (t) => {
    if (isElsewhere && lacksVolume) return t.skip(lacksVolume);
    const folder = path.join(temporaryFolder(), 'data');
    const volume = mountSmall(folder, 2);
    if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
    const file = path.join(folder, 'guestlist.db');
    const { invite, json, tool } = toolsOn(file);
    if (isElsewhere) fs.symlinkSync(folderOnOtherVolume(), path.join(folder, 'backups'));
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
        const names = [folder, path.join(folder, 'backups')].flatMap((each) =>
          fs.readdirSync(each),
        );
        assert.equal(names.filter((name) => /draft|-replaced/.test(name)).length, isDone ? 1 : 0);
        if (!isDone) assert.match(stderr, /^.*(disk is full|no space left|disk I\/O error).*\n$/);
      }
      assert.ok(refused > 9, `${refused} steps`);
    } finally {
      volume.release();
    }
  });
