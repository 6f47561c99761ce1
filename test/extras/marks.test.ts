/**
 * The marks of extras: each is in the table of CONTRIBUTING.md, and none in the folders of the
 * core.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { MAY_HAVE_MARKS, marksIn, readTable, withoutMarked } from './marks.ts';

const CONTRIBUTING = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
const EXTRAS = readTable(CONTRIBUTING);

const CORE = ['lib/http', 'lib/routes', 'lib/store', 'lib/cli', 'lib/addresses'];

/** Whether a file is deleted with an extra: it lies in a folder of extras, or is a tool. */
const isOfExtra = (file: string): boolean =>
  file.includes('/extras/') || EXTRAS.some(({ deleted }) => deleted.includes(file));

/** All files of our own with marks, and the extras of these. */
const found = new Map<string, ReadonlySet<string>>();
/** The lines without a mark that name a file of an extra, outside the extras. */
const unmarked: string[] = [];
for (const folder of ['', 'lib', 'pages', 'test', 'tools', 'scripts']) {
  const options = { recursive: folder !== '', encoding: 'utf8' } as const;
  for (const name of fs.readdirSync(path.join(root, folder), options)) {
    const file = path.posix.join(folder, name);
    if (!MAY_HAVE_MARKS.test(file) || file.includes('node_modules')) continue;
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    const marks = marksIn(text);
    if (marks.size > 0) found.set(file, marks);
    // This file names extras on purpose: it has the rules for existing and future ones.
    if (isOfExtra(file) || file === 'test/imports.test.ts') continue;
    for (const line of withoutMarked(text, () => true).split('\n'))
      if (line.includes('/extras/')) unmarked.push(`${file}: ${line.trim()}`);
  }
}

it('CONTRIBUTING.md names every extra', () => {
  const folders = fs.readdirSync(path.join(root, 'lib/extras')).sort();
  assert.deepEqual(EXTRAS.map(({ name }) => name).sort(), folders);
});

it('CONTRIBUTING.md names only files of the core that exist', () => {
  const [, core = ''] = CONTRIBUTING.split('| The specification says ');
  const [rows = ''] = core.split('| Extra ');
  const missing: string[] = [];
  for (const row of rows.split('\n')) {
    // A name without a folder is in the folder of the name before it, or in the root.
    let folder = '';
    for (const [, name = ''] of row.matchAll(/`([\w./-]+\/|[\w./-]+\.\w+)`/g)) {
      if (name.includes('/')) folder = path.dirname(name);
      const places = [name, path.join(folder, name)];
      if (!places.some((place) => fs.existsSync(path.join(root, place)))) missing.push(name);
    }
  }
  assert.deepEqual(missing, []);
});

it('every mark names an extra', () => {
  const known = EXTRAS.map(({ name }) => name);
  for (const [file, marks] of found)
    for (const name of marks) assert.ok(known.includes(name), `${file} has a mark of ${name}`);
});

for (const { name, deleted, marked } of EXTRAS) {
  it(`CONTRIBUTING.md names the folders and the tool of ${name}`, () => {
    const folders = ['lib', 'test', 'pages/svcops'].map((parent) => `${parent}/extras/${name}`);
    const there = folders.filter((folder) => fs.existsSync(path.join(root, folder)));
    assert.deepEqual(
      deleted.filter((each) => !each.startsWith('tools/')),
      there,
    );
  });

  it(`CONTRIBUTING.md names the files with marks of ${name}`, () => {
    const files = Array.from(found.keys()).filter((file) => found.get(file)?.has(name));
    assert.deepEqual([...marked].sort(), files.filter((file) => !file.startsWith('test/')).sort());
  });
}

it('every line that names a file of an extra has a mark', () => assert.deepEqual(unmarked, []));

it('no mark lies in a folder of the core', () => {
  const marked = Array.from(found.keys());
  assert.deepEqual(
    marked.filter((file) => CORE.includes(path.posix.dirname(file))),
    [],
  );
});

const TEXT = [
  'one',
  'two // extra: bulk',
  '  // extra: export',
  'three',
  'four // extra: letters',
  '  // end: export',
  'five',
].join('\n');

for (const [name, kept] of [
  ['bulk', 'one\n  // extra: export\nthree\nfour // extra: letters\n  // end: export\nfive'],
  ['export', 'one\ntwo // extra: bulk\nfive'],
  ['letters', 'one\ntwo // extra: bulk\n  // extra: export\nthree\n  // end: export\nfive'],
] as const)
  it(`without ${name}, a text lacks its lines and no other`, () =>
    assert.equal(
      withoutMarked(TEXT, (each) => each === name),
      kept,
    ));

it('a mark of an extra without its end is a mistake', () => {
  assert.throws(() => marksIn('// extra: bulk\none'), /extra: bulk has no end/);
  assert.throws(() => marksIn('// extra: bulk\n// end: export'), /ends another block/);
});
