/** Imports run one way: the layers, and what each may import beside itself. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../lib/config.ts';

/** The layers of the core. None imports an extra. */
const LAYERS: Readonly<Record<string, RegExp>> = {
  'lib/addresses': /^lib\/(records|url)\.ts$/,
  'lib/http': /^lib\/visible\.ts$/,
  'lib/store': /^lib\/(records|config|lists|visible|addresses\/(address|normalize))\.ts$/,
  'lib/site': /^lib\/(records|config|url|visible)\.ts$/,
  'lib/routes': /^lib\/(records|config|lists|(addresses|http|site|store)\/[\w-]+)\.ts$/,
  'lib/cli': /^lib\/(records|config|lists|visible|(addresses|store)\/[\w-]+)\.ts$/,
};

/** The files of other extras that an extra may import. */
const BETWEEN_EXTRAS: Readonly<Record<string, readonly string[]>> = {
  // The letters of a list are exported as a file for a mail merge.
  'lib/extras/export': ['lib/extras/letters'], // extra: export
  // The doctor tries a restore, and looks at the site as a start does.
  'lib/extras/doctor': ['lib/extras/restore', 'lib/extras/file-checks'], // extra: doctor
};

/** The files outside extras that may import extras. Each line has the mark of its extra. */
const MAY_IMPORT_EXTRAS = /^(server\.ts|lib\/app\.ts|(lib|pages\/svcops)\/extras\/.*|tools\/.*)$/;

/** The TypeScript files of a folder, recursively, by their path from the root. */
const filesIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(folder, name));

/** The paths of our own files that a file imports. */
function importsOf(file: string): readonly string[] {
  const source = fs.readFileSync(path.join(root, file), 'utf8');
  return Array.from(source.matchAll(/(?:from|import) '(\..+)'/g), ([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  );
}

it('no layer imports from one above it or beside it', () => {
  const wrong: string[] = [];
  for (const [layer, allowed] of Object.entries(LAYERS))
    for (const file of filesIn(layer))
      for (const target of importsOf(file))
        if (path.posix.dirname(target) !== layer && !allowed.test(target))
          wrong.push(`${file} imports ${target}`);
  assert.deepEqual(wrong, []);
});

it('only the server, the route table, tools and the page import extras', () => {
  const files = ['server.ts', ...['lib', 'tools', 'pages'].flatMap(filesIn)];
  const wrong: string[] = [];
  for (const file of files)
    for (const target of importsOf(file))
      if (target.startsWith('lib/extras/') && !MAY_IMPORT_EXTRAS.test(file))
        wrong.push(`${file} imports ${target}`);
  assert.deepEqual(wrong, []);
});

it('an extra imports another one only where this file names it', () => {
  const folder = 'lib/extras';
  const wrong: string[] = [];
  for (const file of fs.existsSync(path.join(root, folder)) ? filesIn(folder) : []) {
    const own = path.posix.dirname(file);
    for (const target of importsOf(file)) {
      const other = path.posix.dirname(target);
      const isExtra = other.startsWith(folder) && other !== own;
      if (isExtra && !BETWEEN_EXTRAS[own]?.includes(other)) wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});
