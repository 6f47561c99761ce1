/** What the README shows of the tools is what they print. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { installDemo } from '../support/demo-site.ts';
import type { Installation } from '../support/installation.ts';

const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

/** Each command with the lines below it, in the order of the page. */
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

  it('shows what tools print', () => assert.ok(examples.length > 5));

  for (const { command, shown } of examples)
    it(`${command} prints what is shown`, () => {
      const [, tool = '', ...args] = /^node tools\/(\w+)\.js (.+)$/.exec(command) ?? [];
      const { stdout, stderr } = site.tool(tool, ...args.join().split(' '));
      const printed = (stdout + stderr).trimEnd().split('\n');
      // A last line of three dots stands for all that follows.
      const cut = shown.at(-1) === '…' ? shown.length - 1 : undefined;
      assert.deepEqual(printed.slice(0, cut).map(lasting), shown.slice(0, cut).map(lasting));
    });

  /** A line without what differs each time: where the installation lies, session identifiers, a snapshot's time. */
  function lasting(line: string): string {
    return line
      .replace(site.root, '/opt/guestlist/1.1.0')
      .replace(/(?<= )[\w-]{22}(?= |$)/g, '<session>')
      .replace(/\d{8}T\d{6}Z/g, '<time>');
  }
});
