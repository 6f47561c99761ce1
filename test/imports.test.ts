/** Imports run one way: the layers, and what each may import beside itself. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../lib/config.ts';

const LAYERS: Readonly<Record<string, RegExp>> = {
  'lib/addresses': /^lib\/records\.ts$/,
  'lib/http': /^lib\/visible\.ts$/,
  'lib/store': /^lib\/(records|config|addresses\/normalize|extras\/erasure\/[\w-]+)\.ts$/,
  'lib/site': /^lib\/(records|config|visible|extras\/letters\/letters)\.ts$/,
  'lib/routes': /^lib\/(records|config|lists|(addresses|http|site|store|extras\/\w+)\/[\w-]+)\.ts$/,
  'lib/cli': /^lib\/(records|config|lists|visible|(addresses|store)\/[\w-]+)\.ts$/,
  'lib/extras/doctor': /^lib\/(config|visible|(http|site|store)\/[\w-]+)\.ts$/,
  tools: /^lib\/(config|records|lists|visible|(addresses|cli|site|store|extras\/\w+)\/[\w-]+)\.ts$/,
};

it('no layer imports from one above it or beside it', () => {
  const wrong = Object.entries(LAYERS).flatMap(([layer, allowed]) =>
    fs
      .readdirSync(path.join(root, layer))
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const source = fs.readFileSync(path.join(root, layer, name), 'utf8');
        return [...source.matchAll(/ from '(\..+)'/g)]
          .map(([, target = '']) => path.posix.join(layer, target))
          .filter((target) => path.posix.dirname(target) !== layer && !allowed.test(target))
          .map((target) => `${layer}/${name} imports ${target}`);
      }),
  );
  assert.deepEqual(wrong, []);
});
