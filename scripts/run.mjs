/**
 * The npm scripts: builds, tests, serves what is being written. It imports `node:` modules only: a
 * clone has no compiled files, and an installation for production no development dependencies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { limitOf, runTests } from './suites.mjs';
import { installTestPackages, NEEDS_PACKAGES } from './test-packages.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const TSC = 'node_modules/typescript/bin/tsc';
const hasTools = fs.existsSync(TSC);
const NO_TOOLS = 'the development dependencies are missing; run: npm ci --include=dev';
const NOT_BUILT = 'not built; run: npm ci --include=dev && npm prune --omit=dev';

/** What browsers load is made of these. Of the sources in pages/ nothing else is served. */
const VISITORS = ['everyone/entry.*s', 'invitees/timeline.ts', 'invitees/timeline-*.css'];
const ADMINISTRATORS = ['svcops/page.*s'];

/** What a build reads beside folders. */
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', 'node_modules/.package-lock.json'];
/** Holds the stamp of the sources of the last build. */
const STAMP = 'pages/built/sources';

/** The files in folders, recursively, without those of packages. */
const filesIn = (...folders) =>
  folders
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.split(path.sep).includes('node_modules'));

/** Names and change times, which cp and rsync cannot set. */
const stampOf = (files) =>
  files.map((file) => `${file} ${fs.statSync(file, { throwIfNoEntry: false })?.ctimeMs}`).join();

/** The stamp of all that a build reads, and of what it would serve. */
function stampOfSources() {
  const files = filesIn('lib', 'pages', 'sql', 'tools');
  const sources = files.filter((file) => !/\.js$|^pages.(built|sample)/.test(file));
  return stampOf(['server.ts', 'scripts/run.mjs', ...CONFIGURATION, ...sources]);
}

const run = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;

function fail(line) {
  if (line) console.error(line);
  process.exit(1);
}

/**
 * Compiles in place, and bundles. A build that fails leaves no server.js.
 *
 * @returns if it succeeded
 */
async function build() {
  if (!hasTools) fail(NO_TOOLS);
  const compiled = filesIn('lib', 'pages', 'tools').filter((file) => file.endsWith('.js'));
  for (const made of ['server.js', 'pages/built', ...compiled])
    fs.rmSync(made, { recursive: true, force: true });
  const stamp = stampOfSources();
  const isCompiled = run(TSC, '-p', 'tsconfig.build.json') && run(TSC, '-p', 'pages', '--noEmit');
  const succeeded = isCompiled && (await bundle().catch(({ message }) => console.error(message)));
  if (succeeded) fs.writeFileSync(STAMP, stamp);
  else fs.rmSync('server.js', { force: true });
  return succeeded;
}

/** Writes one script and one style sheet for each page. @throws what esbuild has printed */
async function bundle() {
  const { build } = await import('esbuild');
  const places = { absWorkingDir: path.resolve('pages'), outbase: '.', outdir: 'built' };
  const form = { bundle: true, minify: true, format: 'esm', external: ['/fonts/*'], ...places };
  const banner = { js: `/*\n${fs.readFileSync('node_modules/uplot/LICENSE', 'utf8').trim()}\n*/` };
  await build({ ...form, entryPoints: VISITORS, target: 'es2021' });
  return build({ ...form, entryPoints: ADMINISTRATORS, target: 'es2022', banner });
}

/** Builds if a source has changed. @returns if what is built is that of the sources */
async function freshen() {
  const isBuilt = fs.existsSync('server.js') && fs.existsSync(STAMP);
  return (isBuilt && fs.readFileSync(STAMP, 'utf8') === stampOfSources()) || build();
}

/** An installation without a compiler keeps its build. */
async function prestart() {
  if (hasTools) return (await freshen()) || fail();
  return fs.existsSync('server.js') || fail(NOT_BUILT);
}

/** Builds and serves again after each change of a source, and reloads a site that has changed. */
async function dev() {
  let server;
  // Ctrl-C in a terminal also reaches the server. This signal reaches only this process.
  process.once('SIGTERM', () => {
    server?.kill();
    process.exit();
  });
  for (let sources, site; ; await setTimeout(200)) {
    const [formerSources, formerSite] = [sources, site];
    [sources, site] = [stampOfSources(), stampOf(filesIn('pages/sample', 'data/site'))];
    if (sources === formerSources && site === formerSite) continue;
    // Without a server that runs, no signal is sent.
    if (sources === formerSources && server?.kill('SIGHUP')) continue;
    if (!(await freshen())) continue;
    if (server?.kill()) await once(server, 'exit');
    server = spawn(process.execPath, ['server.js'], { stdio: 'inherit' });
  }
}

/**
 * Runs test files, as TypeScript, or all of some suites, named `*.<suite>.ts`. Those are compiled
 * for their duration, because tsx takes 0.2 s for each. With `--update`, a test that compares with
 * a file writes the file.
 */
async function test(...words) {
  if (!(await freshen())) fail();
  const given = words.filter((word) => word !== '--update');
  if (given.length < words.length) process.env.GUESTLIST_TEST_UPDATE = '1';
  const files = given.filter((name) => name.endsWith('.ts'));
  const suites = given.filter((name) => !files.includes(name));
  const kinds = files.length > 0 ? files : suites.map((suite) => `.${suite}.ts`);
  if (kinds.some((kind) => NEEDS_PACKAGES.test(kind))) await packages();
  // Node would read these certificates at each start. Only tests of a release leave this machine.
  if (!suites.includes('release')) delete process.env.NODE_EXTRA_CA_CERTS;
  const options = [`--test-concurrency=${os.availableParallelism() + 1}`];
  const results = { 'node-test-reporter': 'stdout', tap: `test-results-${suites.join('-')}.tap` };
  for (const [reporter, file] of Object.entries(results))
    options.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${file}`);
  const first = './test/support/running-test';
  if (files.length > 0) {
    options.push('--import=tsx', `--import=${first}.ts`);
    return (await runTests(options, files, limitOf(files))) || fail();
  }
  options.push(`--import=${first}.js`);
  const sources = filesIn('test', 'scripts', 'pages').filter((file) => file.endsWith('.ts'));
  const compiled = sources.map((file) => file.replace(/ts$/, 'js'));
  const isSuited = (file) => suites.some((suite) => file.endsWith(`.${suite}.js`));
  const suited = compiled.filter(isSuited);
  // Compiled files are removed also after Ctrl-C, which ends the compiler.
  process.on('SIGINT', () => undefined);
  const isPassed = run(TSC, '--noCheck') && (await runTests(options, suited, limitOf(suited)));
  for (const file of compiled) fs.rmSync(file, { force: true });
  return isPassed || fail();
}

const packages = () => installTestPackages().catch(({ message }) => fail(message));
const prepare = () => hasTools && prestart();
const COMMANDS = {
  build: async () => (await build()) || fail(),
  packages,
  prepare,
  prestart,
  dev,
  test,
};

const [name, ...args] = process.argv.slice(2);
await COMMANDS[name](...args);
