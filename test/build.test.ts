import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../lib/root.ts';

it('npm run build removes compiled files whose source is gone, and compiles the rest in place', () => {
  const orphans = ['lib/http/gone.js', 'tools/gone.js', 'pages/gone.js'].map((name) =>
    path.join(root, name),
  );
  for (const orphan of orphans) fs.writeFileSync(orphan, '');
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root });
  assert.equal(status, 0);
  for (const orphan of orphans) assert.ok(!fs.existsSync(orphan), orphan);
  for (const name of ['server.js', 'lib/app.js', 'tools/invite.js', 'pages/entry.js']) {
    assert.ok(fs.existsSync(path.join(root, name)), name);
  }
});

it('npm run build leaves a copied file alone that is as it should be, since npm run dev watches it', () => {
  const file = path.join(root, 'pages/svcops-uplot.css');
  const written = fs.statSync(file).mtimeMs;
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root });
  assert.equal(status, 0);
  assert.equal(fs.statSync(file).mtimeMs, written);
});
