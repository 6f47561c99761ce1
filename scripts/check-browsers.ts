/**
 * Part of `npm run check`: checks that the pages' programs use only features of the promised
 * browsers. It compiles them against a copy of TypeScript's DOM types without the members that are
 * newer, by the data of web-features. Options and events are not checked: browsers ignore unknown
 * ones.
 *
 *     tsx scripts/check-browsers.ts [file …]    checks these as if visitors got them
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { root } from '../lib/config.ts';

/** The browsers that docs/content.md promises, and the edition of ECMAScript that they support. */
type Promised = {
  readonly lib: string;
  readonly versions: Readonly<
    Record<'chrome' | 'edge' | 'firefox' | 'safari' | 'safari_ios', number>
  >;
};

const TO_VISITORS: Promised = {
  lib: 'es2021',
  versions: { chrome: 94, edge: 94, firefox: 92, safari: 15, safari_ios: 15 },
};
const TO_ADMINISTRATORS: Promised = {
  lib: 'es2023',
  versions: { chrome: 131, edge: 131, firefox: 132, safari: 18.1, safari_ios: 18.1 },
};

/** A link to MDN at the end of a comment, and the declaration below it, with its overloads. */
const MEMBER =
  /\/API\/(\w+)\/(\w+)\)\s*\*\/\n *(?:declare \w+ |readonly |get )*(\w+).*\n(?: *\3\(.*\n)*/g;

/** The constructor and the static members of an interface. */
const INTERFACE = /^declare var (\w+): \{\n[\s\S]*?^\};\n/gm;

/** Safari supports it since 16.4, later than TypeScript's libraries tell. Without, no code runs. */
const LOOKBEHIND = /\(\?<[=!]/;

const pages = path.join(root, 'pages');
const project = path.join(pages, 'tsconfig.json');

/** The data, as far as it is read: each feature's members, with the first version of a browser. */
type Features = Readonly<
  Record<string, { readonly status?: { readonly by_compat_key?: Members } }>
>;
type Members = Readonly<Record<string, { readonly support: Readonly<Record<string, string>> }>>;

const data = createRequire(import.meta.url).resolve('web-features/data.json');
const { features }: { readonly features: Features } = JSON.parse(fs.readFileSync(data, 'utf8'));

/** By names such as `api.AbortSignal.timeout_static`. */
const members: Members = Object.assign(
  {},
  ...Object.values(features).map(({ status }) => status?.by_compat_key),
);

const tsc = (...args: readonly string[]) =>
  spawnSync(path.join(root, 'node_modules', '.bin', 'tsc'), args, { encoding: 'utf8' });

/** Whether all promised browsers have a member. Members that the data lacks are older. */
function isKnown(key: string, { versions }: Promised): boolean {
  const since = members[`api.${key}`]?.support;
  return (
    since === undefined ||
    Object.entries(versions).every(
      ([browser, version]) => Number(since[browser]?.replace('≤', '')) <= version,
    )
  );
}

/** The DOM types of these browsers. */
function olderDom(promised: Promised): string {
  const files = tsc('-p', project, '--listFilesOnly').stdout.split('\n');
  const file = files.find((name) => name.endsWith('lib.dom.d.ts')) ?? '';
  return fs
    .readFileSync(file, 'utf8')
    .replace(MEMBER, (declared, owner: string, name: string) => {
      const known = isKnown(`${owner}.${name}`, promised);
      return known && (owner !== 'Window' || isKnown(name, promised)) ? declared : '*/\n';
    })
    .replace(INTERFACE, (declared, name: string) => (isKnown(name, promised) ? declared : ''));
}

/** Prints the faults of the files. @returns whether there is none */
function check(files: readonly string[], promised: Promised): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-check-'));
  try {
    const [dom, config] = [path.join(folder, 'dom.d.ts'), path.join(folder, 'tsconfig.json')];
    fs.writeFileSync(dom, olderDom(promised));
    const compilerOptions = { lib: [promised.lib], noEmit: true };
    const settings = { extends: project, compilerOptions, include: [], files: [dom, ...files] };
    fs.writeFileSync(config, JSON.stringify(settings));
    const lines = tsc('-p', config, '--listFiles').stdout.trim().split('\n');
    const faults = lines.filter((line) => !path.isAbsolute(line));
    // Node's types declare parts of the DOM, and would hide what is missing in browsers.
    if (lines.some((line) => line.includes('/@types/node/')))
      faults.push('an imported type leads to the types of Node');
    for (const file of files)
      if (LOOKBEHIND.test(fs.readFileSync(file, 'utf8')))
        faults.push(`${file}: a regular expression looks behind`);
    for (const fault of faults) console.log(fault);
    return faults.length === 0;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const documented = fs.readFileSync(path.join(root, 'docs/content.md'), 'utf8').replace(/\s+/g, ' ');

/** Prints the versions that `docs/content.md` does not name. @returns whether it names them */
function checkDocument({ versions }: Promised): boolean {
  const { chrome, edge, firefox, safari, safari_ios: ios } = versions;
  const names = edge === chrome && ios === safari;
  const words = `Safari and iOS ${safari}, Chrome and Edge ${chrome}, Firefox ${firefox}.`;
  if (names && documented.includes(words)) return true;
  console.log(`docs/content.md: there is no "${words}"`);
  return false;
}

const given = process.argv.slice(2).map((file) => path.resolve(file));
const programs = (folder: string) =>
  fs
    .readdirSync(path.join(pages, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(pages, folder, name));
const results =
  given.length > 0
    ? [check(given, TO_VISITORS)]
    : [
        check([...programs('everyone'), ...programs('invitees')], TO_VISITORS),
        check(programs('svcops'), TO_ADMINISTRATORS),
        checkDocument(TO_VISITORS),
        checkDocument(TO_ADMINISTRATORS),
      ];
if (results.includes(false)) process.exitCode = 1;
