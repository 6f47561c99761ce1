/** The tools, run by a user who may not read the store, or by root for another user. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { lacksRoot } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';
import { toolsForEach } from '../support/tools.ts';

const { invite, says, tool } = toolsForEach();

/** A user without files. */
const NOBODY = 65_534;

it('refuse a store that this user may not read', { skip: lacksRoot }, async () => {
  invite('ada@example.com');
  await says('backup create');
  process.seteuid?.(NOBODY);
  try {
    const invites = ['list', 'admin list --json', 'remove ada@example.com --end-sessions'];
    const others = ['joins stats', 'events list', 'person export ada@example.com'];
    const backups = ['backup create', 'backup list', 'backup restore x.db'];
    const writers = [...backups, 'person forget ada@example.com --yes'];
    for (const call of [...invites.map((each) => `invite ${each}`), ...others, ...writers]) {
      const { status, stdout, stderr } = await tool(call);
      assert.deepEqual([status, stdout], [1, ''], `${call}: ${stderr}`);
      assert.match(stderr, /^.*(EACCES|that this user may read).*\n$/);
    }
  } finally {
    process.seteuid?.(0);
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
