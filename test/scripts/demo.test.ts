/** npm run demo: two people to log in with, the examples of the README, and no file left behind. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { runToEnd, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
const [, examples = ''] = /^```console\n([\s\S]*?)^```$/m.exec(readme) ?? [];

// Its own temporary folder, so that the test sees which files are left.
const temporary = temporaryFolder();
const { PUBLIC_ORIGIN, PORT, ...env } = process.env;
const demo = startProcess(
  [process.execPath, '--import', 'tsx', path.join(root, 'scripts', 'demo.ts')],
  { env: { ...env, PORT: '0', TMPDIR: temporary }, cwd: root },
);
after(() => demo.stop('SIGINT'));
await demo.prints(/^listening on /m);
const printed = demo.stdout.join('\n');
const [origin = ''] = /(?<=^listening on ).*/m.exec(printed) ?? [];

it('has the data that the README shows, whatever the day', () => {
  const [, cwd = ''] = /cd "(.+)", then /.exec(printed) ?? [];
  const commands = examples.match(/(?<=^\$ ).*/gm) ?? [];
  const outputs = commands.map((command) => {
    const { stdout, stderr } = runToEnd(['sh', '-c', command], { cwd, env });
    return `$ ${command}\n${stdout}${stderr}`;
  });
  assert.ok(commands.length > 3);
  assert.equal(outputs.join('').replace(/\n+/g, '\n'), examples.replace(/\n+/g, '\n'));
});

it('lets two people log in, and leaves nothing at Ctrl-C', async () => {
  const statuses = [];
  for (const email of printed.match(/\S+@example\.com/g) ?? []) {
    const cookie = await logIn(origin, email);
    statuses.push((await send(origin, 'GET /svcops', { cookie })).status);
  }
  assert.deepEqual(statuses, [404, 200]);
  await demo.stop('SIGINT');
  // tsx keeps a cache there.
  const left = fs.readdirSync(temporary).filter((name) => !/^(tsx|node)-/.test(name));
  assert.deepEqual(left, []);
  await assert.rejects(send(origin, 'GET /'));
});
