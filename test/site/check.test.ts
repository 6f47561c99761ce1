/** The messages of a check and of a start about a whole site. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { findRepeatedKeys } from '../../lib/site/repeated-keys.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { listSiteFiles } from '../../lib/site/site-files.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/temporary.ts';

function copyOf(from: string): string {
  const folder = temporaryFolder();
  fs.cpSync(from, folder, { recursive: true });
  return folder;
}

const sample = fs.readFileSync(path.join(SAMPLE_SITE, 'content.json'), 'utf8');

const sayTwice = (name: string, line: number) =>
  `line ${line}: "${name}" is written twice; only the last one counts`;

test('a field that is written twice stops a check, not a start', () => {
  const own = copyOf(SAMPLE_SITE);
  const text = sample.replace('{', '{\n"timeline": [],\n"\\u0074itle": "x",');
  fs.writeFileSync(path.join(own, 'content.json'), text);
  const lineOf = (key: string) => text.slice(0, text.lastIndexOf(key)).split('\n').length;
  const said = ['title', 'timeline'].map(
    (name) => `${own}/content.json: ${sayTwice(name, lineOf(`\n  "${name}":`) + 1)}`,
  );
  assert.deepEqual(
    mistakesOf(() => loadSite(own, '', 'check')),
    said,
  );
  const { warnings } = loadSite(own, '');
  for (const each of said) assert.ok(warnings.includes(each), warnings.join('\n'));
});

test('a repeated key is found at any depth, whatever its spelling', () => {
  for (const [json, found] of [
    ['{"a": [{"b": 1,\r\n"b"\n:2}], "c": {"a": 1}}', [['b', 2]]],
    ['{"a\\"b": "x\\n\\"c\\":", "a\\u0022b": 1}', [['a"b', 1]]],
    ['{"a": {"x": 1}, "b": {"x": 1}, "c": ["x", "x"], "d": "x: {[", "\\\\": 1}', []],
    ['{"a": "a", "b": ["b:"], "__proto__": 1,\n\n"__proto__": 2}', [['__proto__', 3]]],
    ['"a"', []],
  ] as const)
    assert.deepEqual(
      findRepeatedKeys(json),
      found.map(([name, line]) => sayTwice(name, line)),
      json,
    );
});

test('a long content file is quickly searched for repeated keys', () => {
  const entries = Array.from({ length: 20_000 }, (_, i) => `{"text": "\\"${i}\\" [{"}`);
  const json = `{"a": [${entries.join(',\n')}], "a": 1}`;
  const began = performance.now();
  assert.deepEqual(findRepeatedKeys(json), [sayTwice('a', 20_000)]);
  assert.ok(performance.now() - began < 2000);
});

test('a check lists the files of public/ that no field names', () => {
  const own = copyOf(path.join(root, 'test/site/talwind'));
  fs.writeFileSync(path.join(own, 'public/drafts.psd'), 'x');
  // Served at the root too, by its name.
  fs.writeFileSync(path.join(own, 'public/favicon.ico'), 'x');
  const said = (use: 'start' | 'check') =>
    loadSite(own, '', use).warnings.filter((line) => line.includes('is public'));
  assert.deepEqual(said('check'), [
    `${own}/public/drafts.psd is public, but no field names it; if it is not for everybody, move it out of public/`,
  ]);
  assert.deepEqual(said('start'), []);
});

test('files that systems and editors leave behind are not served', () => {
  const own = temporaryFolder();
  fs.mkdirSync(path.join(own, 'public/old.bak'), { recursive: true });
  const left =
    'Thumbs.db thumbs.db desktop.ini a.jpg~ #a# a.jpg_original a.bak a.orig .a.swp a.swp';
  for (const name of [...left.split(' '), 'a.jpg', 'bak', 'old.bak/b.jpg', 'a#b', 'orig.png'])
    fs.writeFileSync(path.join(own, 'public', name), 'x');
  const served = [...listSiteFiles(own).public.keys()].sort();
  assert.deepEqual(served, [
    '/public/a%23b',
    '/public/a.jpg',
    '/public/bak',
    '/public/old.bak/b.jpg',
    '/public/orig.png',
  ]);
});
