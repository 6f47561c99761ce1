/**
 * The npm scripts: build, test, and serve a site or code that is being written. It imports only
 * `node:` modules, because a clone has no compiled files, and a production installation has no
 * development dependencies.
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

/** The entry points of the bundles. No other source of pages/ is served. */
const VISITORS = ['everyone/entry.*s', 'invitees/timeline.ts', 'invitees/timeline-*.css'];
const ADMINISTRATORS = ['svcops/page.*s'];

/** The single files that a build reads. */
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', 'node_modules/.package-lock.json'];
/** The file with the stamp of the sources of the last build. */
const STAMP = 'pages/built/sources';

/** The files in folders and their subfolders, without installed packages. */
function filesIn(...folders) {
  const files = [];
  for (const folder of folders) {
    if (!fs.existsSync(folder)) continue;
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const isOfPackage = file.split(path.sep).includes('node_modules');
      if (!entry.isDirectory() && !isOfPackage) files.push(file);
    }
  }
  return files;
}

/** Names and change times. cp and rsync cannot set a change time. */
const stampOf = (files) =>
  files.map((file) => `${file} ${fs.statSync(file, { throwIfNoEntry: false })?.ctimeMs}`).join();

/** The stamp of all files that a build reads. */
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
 * Compiles in place, and bundles. After a failed build there is no server.js.
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
  const isBuilt = isCompiled && (await bundle());
  if (isBuilt) fs.writeFileSync(STAMP, stamp);
  else fs.rmSync('server.js', { force: true });
  return isBuilt;
}

/** Writes one script and one style sheet for each page. @returns if it succeeded */
async function bundle() {
  const { build } = await import('esbuild');
  const places = { absWorkingDir: path.resolve('pages'), outbase: '.', outdir: 'built' };
  const form = { bundle: true, minify: true, format: 'esm', external: ['/fonts/*'], ...places };
  const banner = { js: `/*\n${fs.readFileSync('node_modules/uplot/LICENSE', 'utf8').trim()}\n*/` };
  try {
    await build({ ...form, entryPoints: VISITORS, target: 'es2021' });
    await build({ ...form, entryPoints: ADMINISTRATORS, target: 'es2022', banner });
    return true;
  } catch (error) {
    console.error(error.message);
    return false;
  }
}

/** Builds if a source has changed. @returns if the build belongs to the sources */
async function freshen() {
  const isBuilt = fs.existsSync('server.js') && fs.existsSync(STAMP);
  if (isBuilt && fs.readFileSync(STAMP, 'utf8') === stampOfSources()) return true;
  return build();
}

/** An installation without a compiler keeps its build. */
async function prestart() {
  if (hasTools && !(await freshen())) fail();
  if (!hasTools && !fs.existsSync('server.js')) fail(NOT_BUILT);
}

/** Builds and starts the service again after each change of a source. Reloads a changed site. */
async function dev() {
  let server;
  // Ctrl-C in a terminal also reaches the server. A signal from npm reaches only this process.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, stop);
  let formerSources;
  let formerSite;
  for (;;) {
    const sources = stampOfSources();
    const site = stampOf(filesIn('pages/sample', 'data/site'));
    if (sources !== formerSources) await restart();
    else if (site !== formerSite) await reload();
    formerSources = sources;
    formerSite = site;
    await setTimeout(200);
  }

  /** Without this, the server would go on, and keep its port and its lock. */
  function stop() {
    server?.kill();
    process.exit();
  }

  async function restart() {
    if (!(await freshen())) return;
    if (server?.kill()) await once(server, 'exit');
    server = spawn(process.execPath, ['server.js'], { stdio: 'inherit' });
  }

  /** If no server runs, no signal is sent, and the next start reads the site. */
  async function reload() {
    const isSent = server?.kill('SIGHUP');
    if (!isSent) await restart();
  }
}

/**
 * Runs given test files as TypeScript, or all files of some suites, named `*.<suite>.ts`. If a
 * folder is given (`test/docs`), only its files run. Suites are compiled first, because tsx takes
 * 0.2 s for each file. With `--update`, a test that compares with a file writes the file.
 */
async function test(...words) {
  if (!(await freshen())) fail();
  const given = words.filter((word) => word !== '--update');
  if (given.length < words.length) process.env.GUESTLIST_TEST_UPDATE = '1';
  const files = given.filter((name) => name.endsWith('.ts'));
  const folders = given.filter((name) => !files.includes(name) && name.includes('/'));
  const suites = given.filter((name) => !files.includes(name) && !folders.includes(name));
  const kinds = files.length > 0 ? files : suites.map((suite) => `.${suite}.ts`);
  if (kinds.some((kind) => NEEDS_PACKAGES.test(kind))) await packages();
  // Node would read these certificates at each start. Only release tests use the internet.
  if (!suites.includes('release')) delete process.env.NODE_EXTRA_CA_CERTS;
  // Tests wait for processes. A browser keeps a core busy by itself.
  const waiting = suites.includes('browser') ? 1 : 2;
  const options = [`--test-concurrency=${os.availableParallelism() + waiting}`];
  const results = { 'node-test-reporter': 'stdout', tap: `test-results-${suites.join('-')}.tap` };
  for (const [reporter, file] of Object.entries(results))
    options.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${file}`);
  const first = './test/support/running-test';
  if (files.length > 0) {
    options.push('--import=tsx', `--import=${first}.ts`);
    if (!(await runTests(options, files, limitOf(files)))) fail();
    return;
  }
  options.push(`--import=${first}.js`);
  const sources = filesIn('test', 'scripts', 'pages').filter((file) => file.endsWith('.ts'));
  const compiled = sources.map((file) => file.replace(/ts$/, 'js'));
  const isSuited = (file) => suites.some((suite) => file.endsWith(`.${suite}.js`));
  const isChosen = (file) => folders.some((folder) => file.startsWith(path.join(folder, '/')));
  const suited = compiled.filter(
    (file) => isSuited(file) && (folders.length === 0 || isChosen(file)),
  );
  if (suited.length === 0) fail(`no tests in ${given.join(' ')}`);
  // Ctrl-C ends the compiler. This process goes on, to remove the compiled files.
  process.on('SIGINT', () => undefined);
  const isPassed = run(TSC, '--noCheck') && (await runTests(options, suited, limitOf(suited)));
  for (const file of compiled) fs.rmSync(file, { force: true });
  if (!isPassed) fail();
}

async function packages() {
  try {
    await installTestPackages();
  } catch (error) {
    fail(error.message);
  }
}

const COMMANDS = {
  async build() {
    if (!(await build())) fail();
  },
  packages,
  /** npm calls this after an installation. A production installation has no compiler. */
  async prepare() {
    if (hasTools) await prestart();
  },
  prestart,
  dev,
  test,
};

const [name, ...args] = process.argv.slice(2);
await COMMANDS[name](...args);
