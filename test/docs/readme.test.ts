/** The README shows the real output of the tools. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { installDemo } from '../support/demo-site.ts';
import type { Installation } from '../support/installation.ts';

const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

/** Each command with its output, in order. */
const examples = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((example) => {
    const [command = '', ...shown] = example.trimEnd().split('\n');
    return { command, shown };
  });

describe('README.md: on the data of the demonstration', () => {
  let site: Installation;
  before(async () => {
    site = await installDemo();
  });
  after(() => site.remove());

  it('has examples of the tools', () => assert.ok(examples.length > 5));

  for (const { command, shown } of examples)
    it(`${command} prints what is shown`, () => {
      const [, tool = '', ...args] = /^node tools\/(\w+)\.js (.+)$/.exec(command) ?? [];
      const { stdout, stderr } = site.tool(tool, ...args.join().split(' '));
      const printed = (stdout + stderr).trimEnd().split('\n');
      // A last line with only an ellipsis stands for the rest.
      const cut = shown.at(-1) === '…' ? shown.length - 1 : undefined;
      assert.deepEqual(printed.slice(0, cut).map(lasting), shown.slice(0, cut).map(lasting));
    });

  /** A line without the folder, session identifiers and times, which differ each time. */
  function lasting(line: string): string {
    return line
      .replace(site.root, '/srv/guestlist')
      .replace(/(?<= )[\w-]{22}(?= |$)/g, '<session>')
      .replace(/\d{8}T\d{6}Z/g, '<time>');
  }
});
