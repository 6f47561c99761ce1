/** What an archive has is what is tested; release.long.ts makes archives. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';

it('an archive has the versions of this checkout, better-sqlite3 excepted', () => {
  const versions = (folder: string) => {
    const file = path.join(root, folder, 'package-lock.json');
    const { packages } = JSON.parse(fs.readFileSync(file, 'utf8'));
    return ['ua-parser-js', 'uplot'].map((name) => packages[`node_modules/${name}`].version);
  };
  assert.deepEqual(versions('scripts/archive'), versions('.'));
});
