/** Common to all tools: help, a missing store, wrong usage. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { siteForAll } from '../support/site.ts';

describe('every tool', () => {
  const site = siteForAll();

  for (const [tool, form] of [
    ['invite', 'invite remove <email>'],
    ['joins', 'joins for <email>'],
    ['events', 'events list'],
    ['backup', 'backup restore <file> '],
    ['person', 'person forget <email> [--snapshots] [--yes]'],
    ['doctor', 'doctor'],
  ] as const)
    it(`${tool} --help prints its usage, exit 0`, () => {
      const { status, stdout } = site.tool(tool, '--help');
      assert.equal(status, 0);
      assert.match(stdout, new RegExp(`^usage: ${tool}\\b.*\\n\\n  ${tool} .*\\w`));
      assert.ok(stdout.includes(form));
    });

  for (const tool of ['invite', 'joins', 'events']) {
    it(`${tool} says that there is no store yet, and creates none`, () => {
      const { status, stdout, stderr } = site.tool(tool, 'list', '--json');
      assert.deepEqual([status, stdout], [0, '[]\n']);
      assert.match(stderr, /^there is no store at .* yet; the first invite creates it/);
      assert.equal(site.tool(tool, 'list').stdout, 'none yet\n');
      assert.ok(!fs.existsSync(site.store));
    });
  }

  for (const tool of ['invite', 'joins', 'events', 'backup', 'person'])
    it(`${tool} without a command is wrong usage, status 2`, () => {
      const { status, stdout, stderr } = site.tool(tool);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, /usage: .* \(--help tells more\)\n$/);
    });
});
