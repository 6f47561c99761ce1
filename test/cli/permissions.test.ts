/** The tools, run by a user who may not read the store, or by root for another user. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { lacksRoot } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';

/** A user without files. */
const NOBODY = { uid: 65534, gid: 65534 };

it('refuse a store that this user may not read', { skip: lacksRoot }, async (t) => {
  const site = siteForAll({ forEverybody: true });
  site.invite('ada@example.com');
  site.tool('backup', 'create');
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

it('refuse root where data/ belongs to another user, and name the command', {
  skip: lacksRoot,
}, () => {
  const site = siteForAll();
  site.invite('ada@example.com');
  fs.chownSync(path.dirname(site.store), 12_345, 12_345);
  const { status, stdout, stderr } = site.tool('invite', 'add', 'bo@example.com', 'Bo Lee');
  assert.deepEqual([status, stdout], [1, '']);
  assert.ok(stderr.startsWith("data/ belongs to another user: sudo -u '#12345' "), stderr);
  assert.ok(stderr.endsWith("/tools/invite.js add bo@example.com 'Bo Lee'\n"), stderr);
  assert.equal(site.tool('invite', '--help').status, 0);
});
