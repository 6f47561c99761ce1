/**
 * Checks that the files, headings and npm scripts named in the documents exist. Part of
 * `npm run check`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/config.ts';

/** `[text](target)`, but not an address on another site. */
const LINK = /\[[^\]]*\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** A path in one of the repository's folders, without the placeholders NNN and `*`. */
const FILE =
  /(?<![\w./-])(?:deploy|docs|lib|pages|scripts|sql|test|tools)\/(?!NNN)[\w./-]*\w(?![\w*])/g;

const SCRIPT = /\bnpm run (?:--\w+ )?([\w:-]+)/g;

const listed = spawnSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' });
const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const faults = listed.stdout.split('\n').filter(Boolean).flatMap(checkDocument);
for (const fault of faults) console.error(fault);
if (faults.length > 0 || listed.status !== 0) process.exitCode = 1;

function checkDocument(document: string): readonly string[] {
  const text = read(document);
  const say = (what: string) => `${document}: ${what}`;
  const links = [...text.matchAll(LINK)].flatMap(([, target = '', anchor]) => {
    const file = target === '' ? document : path.join(path.dirname(document), target);
    if (!exists(file)) return [say(`the link to ${target} leads nowhere`)];
    const known = anchor === undefined || anchors(read(file)).includes(anchor);
    return known ? [] : [say(`${file} has no heading #${anchor}`)];
  });
  const files = [...text.matchAll(FILE)].flatMap(([file]) =>
    exists(file) || exists(file.replace(/js$/, 'ts')) ? [] : [say(`there is no ${file}`)],
  );
  const named = [...text.matchAll(SCRIPT)].flatMap(([, script = '']) =>
    script in scripts ? [] : [say(`there is no npm script ${script}`)],
  );
  return [...links, ...files, ...named];
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8');
}

function exists(file: string): boolean {
  return fs.existsSync(path.join(root, file));
}
