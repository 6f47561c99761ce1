/** The demonstration: plausible data, two people to log in with, and no file left behind. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/site.ts';

describe('npm run demo', () => {
  // Its own temporary folder, so that the test sees which files are left.
  const temporary = temporaryFolder();
  const command = [process.execPath, '--import', 'tsx', path.join(root, 'scripts', 'demo.ts')];
  const env = { ...process.env, PORT: '0', TMPDIR: temporary, PUBLIC_ORIGIN: '' };
  const demo = startProcess(command, { env, cwd: root });
  const printed = () => demo.stdout.join('\n');
  const tool = (...args: readonly string[]) => {
    const [, folder] = /cd "(.+)", then /.exec(printed()) ?? [];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
  };
  let origin: string;

  before(async () => {
    await demo.prints(/Ctrl-C/);
    // The host in the letters that the page writes.
    origin = /http:\/\/localhost:\d+/.exec(printed())?.[0] ?? '';
  });
  // Its server, in a process group of its own, ends with it only if it is asked to.
  after(() => demo.stop('SIGINT'));

  it("has the numbers of the README's example, whatever the day", () => {
    const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
    const [, shown = ''] = /^\$ node tools\/events\.js stats\n([^$]*)\$/m.exec(readme) ?? [];
    assert.notEqual(shown, '');
    assert.equal(tool('tools/events.js', 'stats'), shown);
  });

  it('prints the address, and two emails that log in: a visitor and an administrator', async () => {
    const [visitor = '', administrator = ''] = printed().match(/\S+@example\.com/g) ?? [];
    for (const [email, status] of [
      [visitor, 404],
      [administrator, 200],
    ] as const) {
      const cookie = await logIn(origin, email);
      assert.equal((await send(origin, 'GET /timeline', { cookie })).status, 200);
      assert.equal((await send(origin, 'GET /svcops', { cookie })).status, status);
    }
  });

  it('leaves no process and no file when it is interrupted', async () => {
    await demo.stop('SIGINT');
    // tsx keeps a cache there.
    const left = fs.readdirSync(temporary).filter((name) => !/^(tsx|node)-/.test(name));
    assert.deepEqual(left, []);
    await assert.rejects(fetch(origin));
  });
});
