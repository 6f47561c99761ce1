/** What npm ci, npm start and npm run dev run, on a copy, because other tests use the checkout. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { send } from '../support/client.ts';
import { until } from '../support/limit.ts';
import { runToEnd, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = path.join(temporaryFolder(), 'a name with spaces');
const inFolder = (name: string) => path.join(folder, name);
const exists = (name: string) => fs.existsSync(inFolder(name));

// Without compiled files, as a clone is.
const isSource = (file: string) => !file.endsWith('.js');
const SOURCES = ['package.json', 'server.ts', 'lib', 'pages', 'scripts', 'sql', 'tools'];
for (const name of [...SOURCES, 'tsconfig.json', 'tsconfig.build.json'])
  fs.cpSync(path.join(root, name), inFolder(name), { recursive: true, filter: isSource });
fs.mkdirSync(inFolder('node_modules'));
for (const name of fs.readdirSync(path.join(root, 'node_modules')))
  fs.symlinkSync(path.join(root, 'node_modules', name), inFolder(`node_modules/${name}`));

function run(command: string) {
  return runToEnd([process.execPath, 'scripts/run.mjs', command], { cwd: folder });
}

/** @returns whether it has built */
function builds(command: 'prepare' | 'prestart'): boolean {
  const time = () => fs.statSync(inFolder('server.js'), { throwIfNoEntry: false })?.ctimeMs;
  const before = time();
  const { status, stdout, stderr } = run(command);
  assert.equal(status, 0, stdout + stderr);
  return time() !== before;
}

it('npm ci replaces all compiled files', () => {
  const gone = ['lib/http/gone.js', 'pages/built/gone.css'];
  fs.mkdirSync(inFolder('pages/built'), { recursive: true });
  fs.writeFileSync(inFolder('tools/new.ts'), '');
  for (const name of gone) fs.writeFileSync(inFolder(name), '');
  assert.ok(builds('prepare'));
  assert.deepEqual(gone.filter(exists), []);
  for (const name of ['server', 'lib/app', 'tools/invite', 'pages/built/everyone/entry'])
    assert.ok(exists(`${name}.js`), name);
});

it('npm start builds again after every change, and not without one', () => {
  assert.ok(!builds('prestart'));
  const source = inFolder('lib/app.ts');
  const old = inFolder('scripts/old.ts');
  fs.copyFileSync(source, old);
  fs.utimesSync(old, 0, 0);
  fs.renameSync(old, source);
  assert.ok(builds('prestart'), 'an old source is moved in');
  fs.rmSync(inFolder('tools/new.ts'));
  assert.ok(builds('prestart'), 'a source is gone');
  fs.writeFileSync(inFolder('node_modules/.package-lock.json'), '{}');
  assert.ok(builds('prestart'), 'other packages are installed');
});

it('npm run dev serves changes, and names mistakes', async (t) => {
  const command = [process.execPath, inFolder('scripts/run.mjs'), 'dev'];
  const dev = startProcess(command, { env: { ...process.env, PORT: '0' } });
  t.after(() => dev.stop());
  const served = (times: number) =>
    dev.prints(new RegExp(`(^listening on [\\s\\S]*){${times}}`, 'm'));
  const page = async () => {
    const last = dev.stdout.findLast((line) => line.startsWith('listening on '));
    return (await send(last?.replace('listening on ', '') ?? '', 'GET /')).text;
  };
  const template = inFolder('pages/everyone/entry.html');
  await served(1);
  // Some editors save a file by renaming a new one over it.
  fs.writeFileSync(`${template}~`, `${fs.readFileSync(template)}<!-- changed -->`);
  fs.renameSync(`${template}~`, template);
  await served(2);
  fs.writeFileSync(inFolder('tools/wrong.ts'), 'export const wrong: string = 1;');
  await dev.prints(/wrong\.ts.*error/);
  assert.match(await page(), /<!-- changed -->/);
  fs.rmSync(inFolder('tools/wrong.ts'));
  await served(3);
  const content = inFolder('pages/sample/content.json');
  const whole = fs.readFileSync(content, 'utf8');
  fs.writeFileSync(content, whole.replace('"title"', '"titel"'));
  await dev.reports(/^the site was not reloaded: .*"titel"/m);
  fs.writeFileSync(content, whole);
  await dev.prints(/^the site was reloaded/m);
  await dev.stop();
  await assert.rejects(page());
});

for (const signal of ['SIGINT', 'SIGHUP'] as const)
  it(`${signal} of npm run dev alone also ends the server`, async (t) => {
    const command = [process.execPath, inFolder('scripts/run.mjs'), 'dev'];
    const dev = startProcess(command, { env: { ...process.env, PORT: '0' } });
    t.after(() => dev.stop());
    await dev.prints(/^listening on/m);
    const line = dev.stdout.findLast((each) => each.startsWith('listening on '));
    const address = line?.replace('listening on ', '') ?? '';
    const isServed = () =>
      send(address, 'GET /').then(
        () => true,
        () => false,
      );
    assert.ok(await isServed());
    dev.process.kill(signal);
    await until('the server to end', async () => !(await isServed()));
  });

it('a build that fails leaves no server.js, and npm start says why', () => {
  fs.writeFileSync(inFolder('tools/wrong.ts'), 'export const wrong: string = 1;');
  const { status, stdout } = run('prestart');
  assert.equal(status, 1);
  assert.match(stdout, /wrong\.ts.*error/);
  assert.ok(!exists('server.js'));
  fs.rmSync(inFolder('tools/wrong.ts'));
  assert.ok(builds('prestart'));
});

it('without the development dependencies it keeps the build, or names the commands', () => {
  fs.rmSync(inFolder('node_modules/typescript'));
  fs.appendFileSync(inFolder('lib/app.ts'), '\n');
  assert.ok(!builds('prestart'));
  for (const command of ['test', 'dev'])
    assert.match(run(command).stderr, /^the development dependencies are missing; run: npm ci /);
  fs.rmSync(inFolder('server.js'));
  assert.ok(!builds('prepare'), 'npm ci --omit=dev succeeds');
  const { status, stdout, stderr } = run('prestart');
  const commands = 'npm ci --include=dev && npm prune --omit=dev';
  assert.deepEqual([status, stdout, stderr], [1, '', `not built; run: ${commands}\n`]);
});
