/** The build, run on a copy, because other tests use the files of the checkout. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();

const SOURCES = ['package.json', 'server.ts', 'lib', 'pages', 'scripts', 'tools'];
for (const name of [...SOURCES, 'tsconfig.json', 'tsconfig.build.json'])
  fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));

/** Runs the npm script `build`. */
function build(): void {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
}

it('npm run build removes compiled files whose source is gone, and compiles the rest in place', () => {
  const gone = ['lib/http/gone.js', 'tools/gone.js', 'pages/gone.js'];
  for (const name of gone) fs.writeFileSync(path.join(folder, name), '');
  build();
  for (const name of gone) assert.ok(!fs.existsSync(path.join(folder, name)), name);
  for (const name of ['server.js', 'lib/app.js', 'tools/invite.js', 'pages/everyone/entry.js'])
    assert.ok(fs.existsSync(path.join(folder, name)), name);
});

it('npm run build does not write an unchanged copy again, because npm run dev watches it', () => {
  const file = path.join(folder, 'pages/svcops/uplot.css');
  build();
  const written = fs.statSync(file).mtimeMs;
  build();
  assert.equal(fs.statSync(file).mtimeMs, written);
});
