/** The README shows the real output of the tools, byte for byte. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { installDemo } from '../support/demo-site.ts';

const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

/** Each command with its output, in order. */
const examples = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((example) => {
    const [command = '', ...shown] = example.trimEnd().split('\n');
    return { command, shown };
  });

const site = installDemo();
after(() => site.remove());

it('the command guestlist and the README name every tool', () => {
  const tools = fs.readdirSync(path.join(root, 'tools')).filter((name) => name.endsWith('.ts'));
  const names = tools.map((name) => name.replace('.ts', '')).sort();
  const command = fs.readFileSync(path.join(root, 'guestlist'), 'utf8');
  const [, usage = ''] = /guestlist ([\w|]+) …/.exec(command) ?? [];
  assert.deepEqual(usage.split('|').sort(), names);
  const rows = [...readme.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
  assert.deepEqual(rows.sort(), names);
});

it('.ci/run calls the tests as the README says', () => {
  const [command] = readme.match(/(?<=^ {4})npm ci && npm test\b/m) ?? [];
  const ci = fs.readFileSync(path.join(root, '.ci', 'run'), 'utf8');
  assert.ok(command && ci.includes(`\n${command} ||`));
});

it('README.md has examples of the tools', () => assert.ok(examples.length > 3));

for (const { command, shown } of examples)
  it(`README.md: ${command} prints what is shown, on the data of the demonstration`, () => {
    const [, tool = '', args = ''] = /^node tools\/(\w+)\.js (.+)$/.exec(command) ?? [];
    const { stdout, stderr } = site.tool(tool, ...args.split(' '));
    assert.deepEqual((stdout + stderr).trimEnd().split('\n'), shown);
  });
