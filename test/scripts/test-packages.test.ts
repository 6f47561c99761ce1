/**
 * Who installs the packages of test/package.json, and when. The npm of these tests fetches nothing.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { until } from '../support/limit.ts';
import { type Running, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder();
const inFolder = (name: string) => path.join(folder, name);
const LOCK_FILE = inFolder('test/package-lock.json');
const INSTALLED = inFolder('test/node_modules/.package-lock.json');
const SAYS = 'installing the packages of test/package.json';

/** A package in a lock file. */
type Entry = { readonly optionalDependencies?: object };

/** Notes each call, and installs after a certain file exists. */
const NPM = `#!/bin/sh
echo "$*" >> ../calls
until [ -e ../go-on ]; do sleep 0.02; done
[ ! -e ../fails ] || exit 1
mkdir -p node_modules
echo '{}' > node_modules/.package-lock.json
`;

fs.mkdirSync(inFolder('bin'));
fs.writeFileSync(inFolder('bin/npm'), NPM, { mode: 0o755 });
fs.cpSync(path.join(root, 'scripts/test-packages.mjs'), inFolder('test-packages.mjs'));

/** Begins what `npm run test:browser` does first. */
function begin(): Running {
  const script = `import { installTestPackages } from './test-packages.mjs';
    await installTestPackages();`;
  const env = { ...process.env, PATH: `${inFolder('bin')}:${process.env.PATH}` };
  const command = [process.execPath, '--input-type=module', '-e', script];
  return startProcess(command, { cwd: folder, env });
}

const calls = (): number =>
  fs.existsSync(inFolder('calls'))
    ? // Without a line, the file is only opened yet.
      fs.readFileSync(inFolder('calls'), 'utf8').split('\n').length - 1
    : 0;
const letGoOn = () => fs.writeFileSync(inFolder('go-on'), '');
const isLocked = () => fs.existsSync(inFolder('test/.installing'));

beforeEach(() => {
  for (const name of ['calls', 'go-on', 'fails', 'test'])
    fs.rmSync(inFolder(name), { recursive: true, force: true });
  fs.mkdirSync(inFolder('test'));
  fs.writeFileSync(LOCK_FILE, '{}');
});

it('are installed if they are missing or older than the lock file', async () => {
  letGoOn();
  const said = async () => {
    const running = begin();
    assert.equal(await running.ends(), 0, running.stderr.join('\n'));
    return running.stdout;
  };
  assert.deepEqual(await said(), [SAYS]);
  assert.deepEqual(await said(), []);
  // The packages were installed two minutes ago, and the lock file has changed since.
  const now = Date.now() / 1000;
  fs.utimesSync(INSTALLED, now - 120, now - 120);
  fs.utimesSync(LOCK_FILE, now - 60, now - 60);
  assert.deepEqual(await said(), [SAYS]);
  assert.ok(!isLocked());
});

it('two suites that begin at once install them once', async () => {
  const suites = [begin(), begin(), begin()];
  await until('npm to be called', () => calls() > 0);
  letGoOn();
  for (const suite of suites) assert.equal(await suite.ends(), 0);
  assert.equal(calls(), 1);
  assert.equal(suites.flatMap(({ stdout }) => stdout).join(), SAYS);
});

it('after a suite was killed, the next one waits for its npm', async () => {
  const killed = begin();
  await until('npm to be called', () => calls() > 0);
  killed.process.kill('SIGKILL');
  const next = begin();
  letGoOn();
  assert.equal(await next.ends(), 0);
  assert.equal(calls(), 1);
});

it('the lock of a killed suite does not block others', async () => {
  begin();
  await until('npm to be called', () => calls() > 0);
  const pids = () => fs.readFileSync(inFolder('test/.installing/pids'), 'utf8').trim().split(' ');
  // The script writes the number of npm after npm has begun.
  await until('the numbers of both processes', () => pids().length === 2);
  for (const each of pids()) process.kill(Number(each), 'SIGKILL');
  letGoOn();
  assert.equal(await begin().ends(), 0);
  assert.equal(calls(), 2);
  assert.ok(!isLocked());
});

it('after npm fails, there is no lock, and the reason is printed', async () => {
  letGoOn();
  fs.writeFileSync(inFolder('fails'), '');
  const running = begin();
  assert.equal(await running.ends(), 1);
  assert.match(running.stderr.join('\n'), /the packages of test\/package\.json could not be /);
  assert.ok(!isLocked());
});

describe('the lock files of npm', () => {
  const read = (name: string) => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));
  const LOCK_FILES = ['package-lock.json', 'test/package-lock.json'];

  it('name no host of a registry', () => {
    for (const name of LOCK_FILES)
      assert.doesNotMatch(JSON.stringify(read(name)), /"resolved":"http/, name);
  });

  it('have the packages of all platforms, because npm ci needs them', () => {
    for (const file of LOCK_FILES) {
      const { packages } = read(file);
      for (const { optionalDependencies = {} } of Object.values<Entry>(packages))
        for (const name of Object.keys(optionalDependencies))
          assert.ok(`node_modules/${name}` in packages, name);
    }
  });

  it('of npm ci has none of the packages of the tests', () => {
    const { packages } = read('package-lock.json');
    for (const name of Object.keys(read('test/package.json').dependencies))
      assert.ok(!(`node_modules/${name}` in packages), name);
  });
});
