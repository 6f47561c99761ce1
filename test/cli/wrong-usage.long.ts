/** Wrong usage of every tool. Each case starts a process, so most of them are in the long tests. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { siteForAll } from '../support/site.ts';

const WRONG = [
  ['invite', 'nonsense'],
  ['invite', 'add'],
  ['invite', 'add', 'nonsense'],
  ['invite', 'add', '--from'],
  ['invite', 'remove', 'a@example.com', 'b@example.com'],
  ['invite', 'list', 'x'],
  ['invite', 'admin'],
  ['invite', 'admin', 'add'],
  ['invite', 'list', '--nonsense'],
  ['invite', 'add', 'a@example.com', 'x'.repeat(101)],
  ['joins', 'for'],
  ['joins', 'for', 'x'],
  ['joins', 'list', '--limit', '0'],
  ['joins', 'stats', 'x'],
  ['events', 'list', '--type', 'click'],
  ['events', 'list', '--limit', 'x'],
  ['events', 'for'],
  ['events', 'list', '--type'],
  // An option of another command.
  ['invite', 'list', '--end-sessions'],
  ['invite', 'list', '--from', 'x'],
  ['invite', 'add', 'ada@example.com', '--from', 'x'],
  ['invite', 'add', 'ada@example.com', '--end-sessions'],
  ['invite', 'remove', 'ada@example.com', '--from', 'x'],
  ['joins', 'summary', '--limit', '1'],
  ['joins', 'for', 'ada@example.com', '--limit', '1'],
  ['joins', 'stats', '--limit', '1'],
  ['events', 'stats', '--type', 'login', '--limit', '3'],
  ['events', 'summary', '--type', 'login'],
  ['events', 'for', 'ada@example.com', '--type', 'login'],
  ['person', 'find', 'ada@example.com'],
  ['person', 'forget'],
  ['person', 'export', 'ada'],
  ['person', 'export', 'ada@example.com', 'grace@example.com'],
  ['person', 'forget', 'ada@example.com', '--no'],
  ['backup', 'save'],
  ['backup', 'list', 'x'],
  ['backup', 'restore'],
  ['backup', 'restore', 'a', 'b'],
  ['person', 'export', 'ada@example.com', '--yes'],
  ['backup', 'create', 'x'],
  ['backup', 'list', '--yes'],
  ['doctor', 'x'],
  ['doctor', '--limit', '1'],
];
describe('every tool', () => {
  const site = siteForAll();

  for (const words of WRONG)
    it(`refuses wrong usage with status 2: ${words.join(' ').slice(0, 60)}`, () => {
      const [tool = '', ...args] = words;
      const { status, stdout, stderr } = site.tool(tool, ...args);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, /usage: .* \(--help tells more\)\n$/);
      assert.ok(!fs.existsSync(site.store));
    });
});
