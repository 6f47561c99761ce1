/**
 * Part of `npm run check`: the pages' programs use nothing that a promised browser lacks. They are
 * compiled against a copy of TypeScript's DOM types without what is newer than these browsers by
 * MDN's compatibility data. Options and events are left out: browsers ignore unknown ones.
 *
 *     tsx scripts/check-browsers.ts [file …]    checks these as if visitors got them
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { BrowserName, CompatData, Identifier } from '@mdn/browser-compat-data';
import { root } from '../lib/root.ts';

/** Browsers, and the edition of ECMAScript that they know: docs/content.md promises them. */
type Promised = {
  readonly lib: string;
  readonly versions: readonly (readonly [BrowserName, number])[];
};

const TO_VISITORS: Promised = {
  lib: 'es2021',
  versions: [
    ['chrome', 94],
    ['edge', 94],
    ['firefox', 92],
    ['safari', 15],
    ['safari_ios', 15],
  ],
};
const TO_ADMINISTRATORS: Promised = {
  lib: 'es2023',
  versions: [
    ['chrome', 131],
    ['edge', 131],
    ['firefox', 132],
    ['safari', 18.1],
    ['safari_ios', 18.1],
  ],
};

/** A link to MDN at the end of a comment, and what is declared below it, with its overloads. */
const MEMBER =
  /\/API\/(\w+)\/(\w+)\)\s*\*\/\n *(?:declare \w+ |readonly |get )*(\w+).*\n(?: *\3\(.*\n)*/g;

/** The constructor and the static members of an interface. */
const INTERFACE = /^declare var (\w+): \{\n[\s\S]*?^\};\n/gm;

/** TypeScript takes it for older than it is in Safari (16.4), which refuses the whole file. */
const LOOKBEHIND = /\(\?<[=!]/;

const pages = path.join(root, 'pages');
const project = path.join(pages, 'tsconfig.json');
const programs = fs.readdirSync(pages).filter((name) => name.endsWith('.ts'));
const compatData = createRequire(import.meta.url).resolve('@mdn/browser-compat-data');
const { api }: CompatData = JSON.parse(fs.readFileSync(compatData, 'utf8'));

const tsc = (...args: readonly string[]) =>
  spawnSync(path.join(root, 'node_modules', '.bin', 'tsc'), args, { encoding: 'utf8' });

function isKnown(feature: Identifier | undefined, { versions }: Promised): boolean {
  const support = feature?.__compat?.support;
  return versions.every(([browser, version]) => {
    const statements = support?.[browser];
    if (statements === undefined) return true;
    return [statements].flat().some((statement) => {
      const { version_added, version_removed, flags, prefix, alternative_name } = statement;
      const usual = !(version_removed || flags || prefix || alternative_name);
      return usual && Number(String(version_added).replace('≤', '')) <= version;
    });
  });
}

/** The types of the DOM as these browsers have it. */
function olderDom(promised: Promised): string {
  const files = tsc('-p', project, '--listFilesOnly').stdout.split('\n');
  const file = files.find((name) => name.endsWith('lib.dom.d.ts')) ?? '';
  return fs
    .readFileSync(file, 'utf8')
    .replace(MEMBER, (declared, owner: string, name: string) => {
      const feature = api[owner]?.[name] ?? (owner === 'Window' ? api[name] : undefined);
      return isKnown(feature, promised) ? declared : '*/\n';
    })
    .replace(INTERFACE, (declared, name: string) => (isKnown(api[name], promised) ? declared : ''));
}

/** Prints what the files use that is newer. @returns whether there was none */
function check(files: readonly string[], promised: Promised): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-check-'));
  try {
    const [dom, config] = [path.join(folder, 'dom.d.ts'), path.join(folder, 'tsconfig.json')];
    fs.writeFileSync(dom, olderDom(promised));
    const compilerOptions = { lib: [promised.lib], noEmit: true };
    const settings = { extends: project, compilerOptions, include: [], files: [dom, ...files] };
    fs.writeFileSync(config, JSON.stringify(settings));
    const { status, stdout } = tsc('-p', config);
    process.stdout.write(stdout);
    const lookbehind = files.filter((file) => LOOKBEHIND.test(fs.readFileSync(file, 'utf8')));
    for (const file of lookbehind) console.log(`${file}: a regular expression looks behind`);
    return status === 0 && lookbehind.length === 0;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const given = process.argv.slice(2).map((file) => path.resolve(file));
const ofPages = (names: readonly string[]) => names.map((name) => path.join(pages, name));
const results =
  given.length > 0
    ? [check(given, TO_VISITORS)]
    : [
        check(ofPages(programs.filter((name) => !name.startsWith('svcops'))), TO_VISITORS),
        check(ofPages(programs.filter((name) => name.startsWith('svcops'))), TO_ADMINISTRATORS),
      ];
if (results.includes(false)) process.exitCode = 1;
