/** The script of npm test, run on a copy with an endless test and interrupted. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { endProcesses, processesOf } from '../../scripts/left-behind.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
after(async () => {
  await endProcesses(folder);
  fs.rmSync(folder, { recursive: true, force: true });
});

for (const name of ['package.json', 'scripts', 'lib/config.js', 'test/browser'])
  fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));

const ENDLESS = path.join(folder, 'test', 'endless.test.ts');
const SOURCE = `import { spawn, spawnSync } from 'node:child_process';
   import fs from 'node:fs';
   import os from 'node:os';
   import { it } from 'node:test';
   it('waits', async () => {
     const folder = fs.mkdtempSync(os.tmpdir() + '/left-');
     spawn('sleep', ['1000'], { detached: true, cwd: folder, stdio: 'ignore' });
     await new Promise((resolve) => setTimeout(resolve, 1e9));
   });`;
// The source and the compiled file, as in npm test.
for (const file of [ENDLESS, ENDLESS.replace('.ts', '.js')]) fs.writeFileSync(file, SOURCE);

const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));

const skip = process.platform !== 'linux' && 'needs /proc';

it('npm test fails if a named file is missing or a folder', () => {
  for (const name of ['test/absent.test.ts', 'test']) {
    const { status, stderr } = spawnSync('sh', ['-c', `${scripts.test} ${name}`], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [2, `there is no file ${name}\n`]);
  }
});

describe('npm test', { skip, concurrency: true, timeout: 600_000 }, () => {
  for (const [what, signal, toAll] of [
    ['Ctrl-C', 'SIGINT', true],
    ['the end of its terminal', 'SIGHUP', true],
    ['SIGTERM, which npm passes to one process alone', 'SIGTERM', false],
  ] as const)
    it(`leaves no process and no folder after ${what}`, async () => {
      const temporary = fs.mkdtempSync(path.join(folder, 'tmp-'));
      const { NODE_TEST_CONTEXT, ...inherited } = process.env;
      const command = spawn('sh', ['-c', `${scripts.test} '${ENDLESS}'`], {
        cwd: folder,
        env: { ...inherited, TMPDIR: temporary },
        stdio: 'ignore',
        detached: true,
      });
      const ended = once(command, 'exit');
      const running = () => processesOf(temporary).map(({ command: line }) => line);
      while (!running().some((line) => line.startsWith('sleep'))) {
        assert.equal(command.exitCode, null, 'the tests ended by themselves');
        await setTimeout(50);
      }
      assert.ok(command.pid);
      process.kill(toAll ? -command.pid : command.pid, signal);
      await ended;
      while (running().length > 0) await setTimeout(50);
      // tsx and Node keep caches there.
      const left = fs.readdirSync(temporary).filter((name) => !/^(tsx-|node-)/.test(name));
      assert.deepEqual(left, []);
    });
});
