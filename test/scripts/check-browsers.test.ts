/** The check that the programs of the pages use only features of the supported browsers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();

/** Each is newer than Safari 15, and valid for TypeScript. */
const NEWER = [
  'AbortSignal.timeout(1);',
  'structuredClone({});',
  "document.body.ariaLabel = '';",
  '[1].at(-1);',
  '[1].findLast(Boolean);',
  'document.body.inert = true;',
  'new URLPattern({});',
];

const OLDER = [
  'new AbortController().abort();',
  "fetch('/', { signal: new AbortController().signal });",
  "document.body.replaceChildren('text');",
  'new IntersectionObserver(() => undefined);',
  "CSS.supports('color: red');",
  "'text'.replaceAll('t', 's');",
];

/** The line numbers, from 1, in the output of the check. */
function check(name: string, lines: readonly string[]) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, lines.join('\n'));
  const script = path.join(root, 'scripts', 'check-browsers.ts');
  const args = ['--import', 'tsx', script, file];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const named = [...stdout.matchAll(/\((\d+),\d+\): error/g)].map(([, line]) => Number(line));
  return { status, stdout, named };
}

test('each line with a newer feature is named', () => {
  const { status, named, stdout } = check('newer.ts', [...OLDER, ...NEWER, '/(?<=a)b/.test("b");']);
  const expected = NEWER.map((_, i) => OLDER.length + i + 1);
  assert.deepEqual(named, expected);
  assert.match(stdout, /newer\.ts: a regular expression looks behind/);
  assert.equal(status, 1);
});

test('a type import that leads to the types of Node is named', () => {
  const store = JSON.stringify(path.join(root, 'lib', 'store', 'open.ts'));
  const { status, stdout } = check('imports.ts', [`export type { Store } from ${store};`]);
  assert.match(stdout, /an imported type leads to the types of Node/);
  assert.equal(status, 1);
});
