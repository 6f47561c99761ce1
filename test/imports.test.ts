/** Imports run one way: the rooms of the house, and what each may import beside itself. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../lib/config.ts';

const ROOMS: Readonly<Record<string, RegExp>> = {
  'lib/http': /^lib\/records\.ts$/,
  'lib/store': /^lib\/(records|address|config)\.ts$/,
  'lib/site': /^lib\/(records|config)\.ts$/,
  'lib/routes':
    /^lib\/(records|config|csv|address|address-list|(http|site|store|routes\/lists)\/[\w-]+)\.ts$/,
  'lib/routes/lists': /^lib\/(records|csv|(http|store)\/[\w-]+)\.ts$/,
  'lib/cli': /^lib\/(records|csv|address-list|store\/[\w-]+)\.ts$/,
  'lib/doctor': /^lib\/(config|(http|site|store)\/[\w-]+)\.ts$/,
  tools: /^lib\/(config|records|csv|(cli|site|doctor|store)\/[\w-]+)\.ts$/,
};

it('no room imports from one above it or beside it', () => {
  const wrong = Object.entries(ROOMS).flatMap(([room, allowed]) =>
    fs
      .readdirSync(path.join(root, room))
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const source = fs.readFileSync(path.join(root, room, name), 'utf8');
        return [...source.matchAll(/ from '(\..+)'/g)]
          .map(([, target = '']) => path.posix.join(room, target))
          .filter((target) => path.posix.dirname(target) !== room && !allowed.test(target))
          .map((target) => `${room}/${name} imports ${target}`);
      }),
  );
  assert.deepEqual(wrong, []);
});
