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

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const TSC = 'node_modules/typescript/bin/tsc';
const hasTools = fs.existsSync(TSC);
const NO_TOOLS = 'the development dependencies are missing; run: npm ci --include=dev';
const NOT_BUILT = 'not built; run: npm ci --include=dev && npm prune --omit=dev';

/** What browsers load is made of these. Of the sources in pages/ nothing else is served. */
const VISITORS = ['everyone/entry.*s', 'invitees/timeline.ts', 'invitees/timeline-*.css'];
const ADMINISTRATORS = ['svcops/page.*s'];

/** Files that a build reads beside those of folders. */
const CONFIGURATION = ['scripts/run.mjs', 'tsconfig.json', 'tsconfig.build.json'];
const INPUTS = [...CONFIGURATION, 'server.ts', 'node_modules/.package-lock.json'];
const STAMP = 'pages/built/sources';

/** The files in folders, recursively. */
const filesIn = (...folders) =>
  folders
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Names and change times, which cp and rsync cannot set. */
const stampOf = (files) =>
  files.map((file) => `${file} ${fs.statSync(file, { throwIfNoEntry: false })?.ctimeMs}`).join();

/** The stamp of all that a build reads, and of what it would serve. */
function stampOfSources() {
  const files = filesIn('lib', 'pages', 'sql', 'tools');
  const sources = files.filter((file) => !/\.js$|^pages.(built|sample)/.test(file));
  return stampOf([...sources, ...INPUTS]);
}

const run = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;

function fail(line) {
  if (line) console.error(line);
  process.exit(1);
}

/** Compiles in place, and bundles. A build that fails leaves no server.js. @returns if it succeeded */
async function build() {
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
  const form = { bundle: true, minify: true, format: 'esm', external: ['/fonts/*'] };
  const write = (names, target, banner) => {
    const entryPoints = names.map((name) => `pages/${name}`);
    return build({ entryPoints, outbase: 'pages', outdir: 'pages/built', target, banner, ...form });
  };
  const licence = fs.readFileSync('node_modules/uplot/LICENSE', 'utf8').trim();
  await write(VISITORS, 'es2021', {});
  return write(ADMINISTRATORS, 'es2022', { js: `/*\n${licence}\n*/` });
}

/** Builds if a source has changed. An installation without a compiler keeps its build. */
async function prestart() {
  const [isBuilt, isStamped] = ['server.js', STAMP].map((file) => fs.existsSync(file));
  if (!hasTools) return isBuilt || fail(NOT_BUILT);
  const isFresh = isBuilt && isStamped && fs.readFileSync(STAMP, 'utf8') === stampOfSources();
  return isFresh || (await build()) || fail();
}

/** Builds and serves again after each change of a source, and reloads a site that has changed. */
async function dev() {
  if (!hasTools) fail(NO_TOOLS);
  let server;
  for (let sources, site; ; await setTimeout(200)) {
    const [formerSources, formerSite] = [sources, site];
    [sources, site] = [stampOfSources(), stampOf(filesIn('pages/sample', 'data/site'))];
    const isNew = sources !== formerSources;
    if ((isNew && !(await build())) || (!isNew && site === formerSite)) continue;
    const isRunning = server?.exitCode === null && server.signalCode === null;
    if (isRunning && !isNew) server.kill('SIGHUP');
    else {
      if (isRunning && server.kill()) await once(server, 'exit');
      server = spawn(process.execPath, ['server.js'], { stdio: 'inherit' });
    }
  }
}

/**
 * Runs the files given, as TypeScript, or a whole suite, the tests named `*.<suite>.ts`. Those are
 * compiled for its duration, because tsx takes 0.2 s for each of them.
 */
async function test(suite, ...given) {
  if (!hasTools) fail(NO_TOOLS);
  await prestart();
  // Node would read these certificates at each start. Only tests of a release leave this machine.
  if (suite !== 'release') delete process.env.NODE_EXTRA_CA_CERTS;
  // Ctrl-C also reaches the runner of the tests, which ends first.
  process.on('SIGINT', () => undefined);
  // Tests wait for a part of the time. Files have no time limit, because a busy machine reaches any.
  const options = ['--test', `--test-concurrency=${os.availableParallelism() + 1}`];
  const results = { 'node-test-reporter': 'stdout', tap: `test-results-${suite}.tap` };
  for (const [reporter, file] of Object.entries(results))
    options.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${file}`);
  if (given.length > 0) return run('--import', 'tsx', ...options, ...given) || fail();
  const sources = filesIn('test', 'scripts', 'pages').filter((file) => file.endsWith('.ts'));
  const compiled = sources.map((file) => file.replace(/ts$/, 'js'));
  const suited = compiled.filter((file) => file.endsWith(`.${suite}.js`)).sort();
  const isPassed = run(TSC, '--noCheck') && run(...options, ...suited);
  for (const file of compiled) fs.rmSync(file, { force: true });
  return isPassed || fail();
}

const prepare = () => hasTools && prestart();
const forced = async () => (hasTools ? await build() : fail(NO_TOOLS)) || fail();
const COMMANDS = { build: forced, prepare, prestart, dev, test };

const [name, ...args] = process.argv.slice(2);
await COMMANDS[name](...args);
