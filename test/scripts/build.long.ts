/** The build, run on a copy, because other tests use the files of the checkout. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();
const inFolder = (name: string) => path.join(folder, name);

const SOURCES = ['package.json', 'server.ts', 'lib', 'pages', 'scripts', 'tools'];
for (const name of [...SOURCES, 'tsconfig.json', 'tsconfig.build.json'])
  fs.cpSync(path.join(root, name), inFolder(name), { recursive: true });
fs.mkdirSync(inFolder('node_modules'));
for (const name of fs.readdirSync(path.join(root, 'node_modules')))
  fs.symlinkSync(path.join(root, 'node_modules', name), inFolder(`node_modules/${name}`));

/** Runs what npm ci, npm start and npm test run. @returns whether it has built */
function builds(): boolean {
  const time = () => fs.statSync(inFolder('.built'), { throwIfNoEntry: false })?.ctimeMs;
  const before = time();
  const { status, stdout, stderr } = spawnSync(inFolder('scripts/build-if-changed'), {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  return time() !== before;
}

it('the build removes compiled files whose source is gone, and compiles the rest in place', () => {
  const gone = ['lib/http/gone.js', 'tools/gone.js', 'pages/gone.js'];
  for (const name of gone) fs.writeFileSync(inFolder(name), '');
  assert.ok(builds());
  for (const name of gone) assert.ok(!fs.existsSync(inFolder(name)), name);
  for (const name of ['server.js', 'lib/app.js', 'tools/invite.js', 'pages/everyone/entry.js'])
    assert.ok(fs.existsSync(inFolder(name)), name);
});

it('the build does not write an unchanged copy again, because npm run dev watches it', () => {
  const written = () => fs.statSync(inFolder('pages/svcops/uplot.css')).mtimeMs;
  const before = written();
  fs.rmSync(inFolder('.built'));
  assert.ok(builds());
  assert.equal(written(), before);
});

it('it builds again after every change, and not without one', () => {
  const source = inFolder('lib/app.ts');
  const changes: Readonly<Record<string, () => void>> = {
    'a source is written': () => fs.appendFileSync(source, '\n'),
    'an old source is moved in': () => {
      const old = inFolder('scripts/old.ts');
      fs.copyFileSync(source, old);
      fs.utimesSync(old, 0, 0);
      fs.renameSync(old, source);
    },
    'a source is new': () => fs.writeFileSync(inFolder('tools/new.ts'), ''),
    'a source is gone': () => fs.rmSync(inFolder('tools/new.ts')),
    'a compiled file is gone': () => fs.rmSync(inFolder('lib/app.js')),
    'the server is gone': () => fs.rmSync(inFolder('server.js')),
    'an option of the compiler changes': () => fs.appendFileSync(inFolder('tsconfig.json'), '\n'),
  };
  for (const [what, change] of Object.entries(changes)) {
    assert.ok(!builds(), `before ${what}`);
    change();
    assert.ok(builds(), what);
  }
});

it('without the development dependencies it keeps the build', () => {
  fs.rmSync(inFolder('node_modules/.bin'));
  fs.appendFileSync(inFolder('lib/app.ts'), '\n');
  assert.ok(!builds());
});
