/** The tools, run by somebody who may not read the store: an error, never an empty store. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { root } from '../lib/root.ts';
import { install } from './installation.ts';

/** A user who owns nothing. */
const NOBODY = { uid: 65534, gid: 65534 };

/** What the tools import, which another user may not reach where the checkout lies. */
const MODULES = ['better-sqlite3', 'bindings', 'file-uri-to-path'];

it('refuse a store that this user may not read', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('becoming another user takes root');
  const site = install();
  after(() => site.remove());
  site.tool('invite', 'add', 'ada@example.com');
  site.tool('backup', 'create');
  openToAll(site.root);
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [...args], { cwd: '/', encoding: 'utf8', ...NOBODY });
  const script = (tool: string) => path.join(site.root, 'tools', `${tool}.js`);
  if (run(script('joins'), '--help').status !== 0)
    return t.skip('another user may not reach the temporary folder or Node');

  for (const [tool = '', ...args] of [
    ['invite', 'list'],
    ['invite', 'admin', 'list', '--json'],
    ['invite', 'remove', 'ada@example.com', '--end-sessions'],
    ['joins', 'stats'],
    ['events', 'list'],
    ['person', 'export', 'ada@example.com'],
    ['person', 'forget', 'ada@example.com', '--yes'],
    ['backup', 'create'],
    ['backup', 'list'],
    ['backup', 'restore', 'x.db'],
  ]) {
    const { status, stdout, stderr } = run(script(tool), ...args);
    assert.deepEqual([status, stdout], [1, ''], `${tool} ${args.join(' ')}: ${stderr}`);
    assert.match(stderr, /^.*(EACCES|that this user may read).*\n$/);
  }
});

/** Lets everybody read an installation, but for its `data/`. */
function openToAll(folder: string): void {
  const modules = path.join(folder, 'node_modules');
  fs.rmSync(modules);
  for (const name of MODULES)
    fs.cpSync(path.join(root, 'node_modules', name), path.join(modules, name), {
      recursive: true,
      filter: (file) => !/better-sqlite3\/(deps|src|build\/Release\/obj)/.test(file),
    });
  fs.chmodSync(folder, 0o755);
  for (const part of ['lib', 'node_modules', 'sql', 'tools'])
    spawnSync('chmod', ['-R', 'a+rX', path.join(folder, part)]);
}
