/**
 * The npm scripts: builds, tests, serves what is being written. It imports `node:` modules only: a
 * clone has no compiled files, and an installation for production no development dependencies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const TSC = 'node_modules/typescript/bin/tsc';

/** The build writes a `.js` beside each `.ts` of lib/ and tools/; `.gitignore` has them all. */
const SOURCES = ['lib', 'pages', 'tools'];
const OTHER_INPUTS = ['server.ts', 'scripts/run.mjs', 'tsconfig.json', 'tsconfig.build.json'];
const PACKAGES = ['esbuild', 'typescript', 'uplot'].map((name) => `node_modules/${name}`);

/** What browsers load. Of the sources in pages/ nothing else is served. */
const BUNDLED = 'pages/built';
const BUNDLES = {
  visitors: [
    'everyone/entry.ts',
    'everyone/entry.css',
    'invitees/timeline.ts',
    'invitees/timeline-desktop.css',
    'invitees/timeline-mobile.css',
  ],
  administrators: ['svcops/page.ts', 'svcops/page.css'],
};

const NOT_BUILT = 'not built; run: npm ci --include=dev && npm prune --omit=dev';
const NO_TOOLS = 'the development dependencies are missing; run: npm ci --include=dev';

const filesIn = (folder) =>
  fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name));

const foldersIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Compiles in place, and bundles. A build that fails leaves no server.js. @returns if it succeeded */
async function build() {
  const compiled = SOURCES.flatMap(filesIn).filter((file) => file.endsWith('.js'));
  for (const file of ['server.js', ...compiled]) fs.rmSync(file, { force: true });
  const compile = (...args) =>
    spawnSync(process.execPath, [TSC, ...args], { stdio: 'inherit' }).status === 0;
  const succeeded =
    compile('-p', 'tsconfig.build.json') && compile('-p', 'pages', '--noEmit') && (await bundle());
  // Last, because its time is the time of the build.
  if (succeeded) fs.utimesSync('server.js', new Date(), new Date());
  else fs.rmSync('server.js', { force: true });
  return succeeded;
}

/** Writes one script and one style sheet for each page. @returns whether it succeeded */
async function bundle() {
  fs.rmSync(BUNDLED, { recursive: true, force: true });
  const { build } = await import('esbuild');
  const write = (files, options) =>
    build({
      entryPoints: files.map((file) => `pages/${file}`),
      outbase: 'pages',
      outdir: BUNDLED,
      bundle: true,
      minify: true,
      format: 'esm',
      external: ['/fonts/*'],
      ...options,
    });
  const licence = fs.readFileSync('node_modules/uplot/LICENSE', 'utf8').trim();
  const banner = { js: `/*\n${licence}\n*/` };
  try {
    await write(BUNDLES.visitors, { target: 'es2021' });
    await write(BUNDLES.administrators, { target: 'es2022', banner });
    return true;
  } catch {
    // esbuild has printed what is wrong.
    return false;
  }
}

/** Whether nothing has changed since the build. Compares change times, which cp and rsync cannot set. */
function isBuilt() {
  const changedAt = (file) => fs.statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  const inputs = [...OTHER_INPUTS, ...PACKAGES, ...SOURCES, ...SOURCES.flatMap(filesIn)];
  const isOutput = (file) => file.endsWith('.js') || file.startsWith(BUNDLED);
  const built = changedAt('server.js');
  return inputs.every((file) => isOutput(file) || changedAt(file) < built);
}

/** An installation without a compiler keeps its build. @returns whether there is a build */
async function ensureBuilt() {
  if (fs.existsSync(TSC)) return isBuilt() || build();
  return fs.existsSync('server.js');
}

async function requireBuild() {
  if (!(await ensureBuilt())) fail(fs.existsSync(TSC) ? '' : NOT_BUILT);
}

function requireTools() {
  if (!fs.existsSync(TSC)) fail(NO_TOOLS);
}

function fail(line) {
  if (line) console.error(line);
  process.exit(1);
}

/**
 * Runs the files given, as TypeScript, or a whole suite, the tests named `*.<suite>.ts`. Those are
 * compiled for its duration: tsx takes 0.2 s for each of them.
 */
async function test(suite = 'test', ...given) {
  requireTools();
  await requireBuild();
  const isWhole = given.length === 0;
  const own = filesIn('test').filter((file) => file.endsWith(`.${suite}.ts`));
  const results = `test-results-${suite}.tap`;
  const reporters = { 'node-test-reporter': 'stdout', tap: results };
  const options = Object.entries(reporters).flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${destination}`,
  ]);
  // Node would read these certificates at each start. Only tests of a release leave this machine.
  if (suite !== 'release') delete process.env.NODE_EXTRA_CA_CERTS;
  // Ctrl-C also reaches the runner of the tests, which ends first.
  process.on('SIGINT', () => undefined);
  // Tests wait for a part of the time. Files have no time limit, because a busy machine reaches any.
  const concurrency = `--test-concurrency=${os.availableParallelism() + 1}`;
  const files = isWhole ? own.map((file) => file.replace(/ts$/, 'js')).sort() : given;
  const loader = isWhole ? [] : ['--import', 'tsx'];
  const args = [...loader, '--test', concurrency, ...options, ...files];
  const run = (...command) => spawnSync(process.execPath, command, { stdio: 'inherit' }).status;
  const isCompiled = !isWhole || run(TSC, '--noCheck') === 0;
  if (isCompiled) run(...args);
  const sources = ['test', 'scripts', 'pages']
    .flatMap(filesIn)
    .filter((file) => file.endsWith('.ts'));
  if (isWhole) for (const file of sources) fs.rmSync(file.replace(/ts$/, 'js'), { force: true });
  if (!isCompiled) fail();
  summarize(results);
}

/** Prints the names of the tests that failed in TAP files, then the sums of all files in a line. */
function summarize(...files) {
  const texts = files.map((file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''));
  const text = texts.join('\n');
  const broken = text.match(/^ *not ok (?!.*# (SKIP|TODO)).*/gm) ?? [];
  for (const line of broken) console.log(line);
  const count = (what) =>
    [...text.matchAll(new RegExp(`^# ${what} (\\d+)$`, 'gm'))].reduce((sum, [, n]) => sum + +n, 0);
  const incomplete = texts.filter((each) => !/^# pass \d+$/m.test(each)).length;
  // Node does not count a describe block that throws.
  const failed = count('fail') + count('cancelled') + incomplete || broken.length;
  console.log(`${count('pass')} passed, ${failed} failed, ${count('skipped')} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Builds and serves again after each change. A change of the site is reloaded, if it has no mistake. */
function dev() {
  requireTools();
  let server;
  let watchers = [];
  let mistakes;
  let done = Promise.resolve();
  const isRunning = () => server?.exitCode === null && server.signalCode === null;
  const restart = async () => {
    watch();
    if (!(await build())) return;
    if (isRunning() && server.kill()) await once(server, 'exit');
    show();
  };
  const show = () => {
    const check = spawnSync(process.execPath, ['tools/site.js', 'check'], { encoding: 'utf8' });
    const former = mistakes;
    mistakes = check.status === 0 ? undefined : check.stderr;
    if (mistakes !== undefined) return mistakes !== former && process.stderr.write(mistakes);
    if (isRunning()) server.kill('SIGHUP');
    else server = spawn(process.execPath, ['server.js'], { stdio: 'inherit' });
  };
  const watch = () => {
    for (const watcher of watchers) watcher.close();
    const parts = [...SOURCES, 'sql', 'data/site'].filter((part) => fs.existsSync(part));
    // Not recursive: Node 20 loses files that an editor replaces.
    const folders = ['.', ...parts, ...parts.flatMap(foldersIn)].filter(
      (folder) => !folder.startsWith(BUNDLED),
    );
    watchers = folders.map((folder) => fs.watch(folder, (_, name) => changed(folder, name ?? '')));
  };
  // A file that is saved gives several events.
  const soon = (task) => {
    let due;
    return () => {
      clearTimeout(due);
      due = setTimeout(() => {
        done = done.then(task);
      }, 50);
    };
  };
  const [restartSoon, showSoon] = [soon(restart), soon(show)];
  const changed = (folder, name) => {
    if (/^(data.site|pages.sample)/.test(folder)) return showSoon();
    const isSource = folder === '.' ? name === 'server.ts' : !/\.js$|^built$/.test(name);
    if (isSource) restartSoon();
  };
  process.once('SIGTERM', () => {
    server?.kill();
    process.exit();
  });
  return restart();
}

const COMMANDS = {
  build: async () => (await build()) || fail(),
  prepare: async () => (await ensureBuilt()) || !fs.existsSync(TSC) || fail(),
  prestart: requireBuild,
  dev,
  test,
  summarize,
};

const [name, ...args] = process.argv.slice(2);
await COMMANDS[name](...args);
