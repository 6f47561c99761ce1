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
const modules = path.join(folder, 'node_modules');
fs.mkdirSync(modules);
for (const name of fs.readdirSync(path.join(root, 'node_modules')))
  fs.symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));

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

it('scripts/is-built notices every change since the last build, so that npm start builds again', () => {
  const isBuilt = () => spawnSync(path.join(folder, 'scripts/is-built')).status === 0;
  const [source, compiled] = ['lib/app.ts', 'lib/app.js'].map((name) => path.join(folder, name));
  assert.ok(source && compiled);
  const changes: Readonly<Record<string, () => void>> = {
    'a source is written': () => fs.appendFileSync(source, '\n'),
    'an old source is moved in': () => {
      const old = path.join(folder, 'scripts/old.ts');
      fs.writeFileSync(old, fs.readFileSync(source));
      fs.utimesSync(old, 0, 0);
      fs.renameSync(old, source);
    },
    'a source is new': () => fs.writeFileSync(path.join(folder, 'tools/new.ts'), ''),
    'a source is gone': () => fs.rmSync(path.join(folder, 'tools/new.ts')),
    'a compiled file is gone': () => fs.rmSync(compiled),
    'the server is gone': () => fs.rmSync(path.join(folder, 'server.js')),
    'the clock goes back': () => {
      const ahead = Date.now() / 1000 + 3600;
      fs.utimesSync(path.join(folder, '.built'), ahead, ahead);
    },
    'a build fails': () => {
      const [commands, away] = ['.bin', '.away'].map((name) => path.join(modules, name));
      assert.ok(commands && away);
      fs.renameSync(commands, away);
      const failed = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
        cwd: folder,
      });
      fs.renameSync(away, commands);
      assert.equal(failed.status, 1, String(failed.stderr));
    },
    'an option of the compiler changes': () =>
      fs.appendFileSync(path.join(folder, 'tsconfig.json'), '\n'),
  };
  for (const [what, change] of Object.entries(changes)) {
    build();
    assert.ok(isBuilt(), `before ${what}`);
    change();
    assert.ok(!isBuilt(), what);
  }
});
