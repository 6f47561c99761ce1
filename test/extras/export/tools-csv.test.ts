/** `--csv` of a tool's list. test/lists.test.ts compares it with the export of the page. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toolsForEach } from '../../support/tools.ts';

const { invite, says, tool, write } = toolsForEach();

it('the log of the invite list has a line for each change', async () => {
  const root = 'root@example.com';
  invite(root);
  const added = { email: 'ada@example.com', firstName: null, invitedBy: root, invitedAt: 1 };
  write(({ invites }) => invites.add(added, { by: root, via: 'page', at: 1 }));
  const row = `2,1970-01-01T00:00:00.001Z,${root},page,invited,ada@example.com,`;
  const csv = `\uFEFFid,at,by,via,what,email,detail\r\n${row}\r\n`;
  assert.equal(await says('invite log ada@example.com --csv'), csv);
});

it('the help of every tool with lists names it', async () => {
  for (const name of ['invite', 'joins', 'events', 'backup'])
    assert.match((await tool(`${name} --help`)).stdout, /list .*\[--limit <n>\] \[--csv\]/);
});
