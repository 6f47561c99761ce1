/** Files are moved durably, also to another volume. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { moveDurably } from '../../lib/store/files.ts';
import { mountSmall } from '../faults/volumes.ts';
import { temporaryFolder } from '../support/temporary.ts';

const MEBIBYTE = 1024 * 1024;

it('a move to a full volume leaves no draft, and keeps its source', (t) => {
  const folder = temporaryFolder();
  const source = path.join(folder, 'source');
  const target = path.join(folder, 'target');
  const volume = mountSmall(target, 1);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  try {
    fs.writeFileSync(source, Buffer.alloc(2 * MEBIBYTE));
    assert.throws(() => moveDurably(source, path.join(target, 'moved')), /ENOSPC/);
    assert.deepEqual(fs.readdirSync(target), []);
    assert.equal(fs.statSync(source).size, 2 * MEBIBYTE);
  } finally {
    volume.release();
  }
});
