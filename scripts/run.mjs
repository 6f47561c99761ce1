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

/** The build writes a `.js` beside each `.ts` of these; `.gitignore` has them all. */
const COMPILED = ['lib', 'pages', 'tools'];
const OTHER_INPUTS = ['server.ts', 'scripts/run.mjs', 'tsconfig.json', 'tsconfig.build.json'];
const PACKAGES = ['node_modules/typescript', 'node_modules/uplot'];

/** Files of the chart library, which production does not have, and their names in pages/svcops/. */
const CHART = { 'uPlot.esm.js': 'uplot.js', 'uPlot.min.css': 'uplot.css' };

/** Modules of lib/ that the administrator page imports. Each has a declaration in pages/svcops/. */
const SHARED = ['address.js', 'csv.js'];

const NOT_BUILT = 'not built; run: npm ci --include=dev && npm prune --omit=dev';
const NO_TOOLS = 'the development dependencies are missing; run: npm ci --include=dev';

const filesIn = (folder) =>
  fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name));

const foldersIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Compiles in place. A build that fails leaves no server.js. @returns whether it succeeded */
function build() {
  const compiled = COMPILED.flatMap(filesIn).filter((file) => file.endsWith('.js'));
  for (const file of ['server.js', ...compiled]) fs.rmSync(file, { force: true });
  const failed = ['tsconfig.build.json', 'pages/tsconfig.json'].some(
    (project) => spawnSync(process.execPath, [TSC, '-p', project], { stdio: 'inherit' }).status,
  );
  if (failed) {
    fs.rmSync('server.js', { force: true });
    return false;
  }
  const read = (file) => fs.readFileSync(file, 'utf8');
  const chart = 'node_modules/uplot';
  const licence = `/*\n${read(`${chart}/LICENSE`).trim()}\n*/\n`;
  for (const [from, to] of Object.entries(CHART))
    fs.writeFileSync(`pages/svcops/${to}`, licence + read(`${chart}/dist/${from}`));
  for (const name of SHARED) fs.copyFileSync(`lib/${name}`, `pages/svcops/${name}`);
  // Last, because its time is the time of the build.
  fs.utimesSync('server.js', new Date(), new Date());
  return true;
}

/** Whether nothing has changed since the build. Compares change times, which cp and rsync cannot set. */
function isBuilt() {
  const changedAt = (file) => fs.statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  const inputs = [...OTHER_INPUTS, ...PACKAGES, ...COMPILED, ...COMPILED.flatMap(filesIn)];
  const built = changedAt('server.js');
  return inputs.every((file) => file.endsWith('.js') || changedAt(file) < built);
}

/** An installation without a compiler keeps its build. @returns whether there is a build */
function ensureBuilt() {
  if (fs.existsSync(TSC)) return isBuilt() || build();
  return fs.existsSync('server.js');
}

function requireBuild() {
  if (!ensureBuilt()) fail(fs.existsSync(TSC) ? '' : NOT_BUILT);
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
function test(suite = 'test', ...given) {
  requireTools();
  requireBuild();
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
  const sources = ['test', 'scripts'].flatMap(filesIn).filter((file) => file.endsWith('.ts'));
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
    if (!build()) return;
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
    const parts = [...COMPILED, 'sql', 'data/site'].filter((part) => fs.existsSync(part));
    // Not recursive: Node 20 loses files that an editor replaces.
    const folders = ['.', ...parts, ...parts.flatMap(foldersIn)];
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
    const isSource = folder === '.' ? name === 'server.ts' : !/\.js$|^uplot\.css$/.test(name);
    if (isSource) restartSoon();
  };
  process.once('SIGTERM', () => {
    server?.kill();
    process.exit();
  });
  return restart();
}

const COMMANDS = {
  build: () => build() || fail(),
  prepare: () => ensureBuilt() || !fs.existsSync(TSC) || fail(),
  prestart: requireBuild,
  dev,
  test,
  summarize,
};

const [name, ...args] = process.argv.slice(2);
await COMMANDS[name](...args);
