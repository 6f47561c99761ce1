/** How a run of hanging tests is ended, and that it leaves nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { until } from '../support/limit.ts';
import { type Running, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder();
/** The process ids of the programs that the tests have started. */
const pids = path.join(folder, 'pids');

/** A test that starts a program. It never ends, because of its last statement. */
const hanging = (statement: string) => `
  import { spawn } from 'node:child_process';
  import fs from 'node:fs';
  import { it } from 'node:test';
  it('sound', () => undefined);
  it('hanging', async () => {
    const { pid } = spawn('sleep', ['1000']);
    fs.appendFileSync('${pids}', pid + ' ');
    ${statement}
  });`;

/** Writes such a test, and a script that runs it. @param limit ms; @returns the script */
function scriptFor(name: string, statement: string, limit: number): string {
  const test = path.join(folder, `${name}.mjs`);
  fs.writeFileSync(test, hanging(statement));
  const script = path.join(folder, `run-${name}.mjs`);
  fs.writeFileSync(
    script,
    `import { runTests } from '${path.join(root, 'scripts/suites.mjs')}';
    delete process.env.NODE_TEST_CONTEXT;
    const options = ['--import=tsx', '--import=./test/support/running-test.ts'];
    const isPassed = await runTests(options, ['${test}'], ${limit});
    process.exitCode = isPassed ? 0 : 1;`,
  );
  return script;
}

const run = (statement: string, limit: number): Running =>
  startProcess([process.execPath, scriptFor('x', statement, limit)], { cwd: root });

/** A file that exists may still be empty. */
const started = (): readonly string[] =>
  (fs.existsSync(pids) ? fs.readFileSync(pids, 'utf8') : '').split(' ').filter(Boolean);

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

async function assertNothingRuns(programs = 1): Promise<void> {
  assert.equal(started().length, programs);
  await until('the programs of the test to end', () => !started().some(isRunning));
}

beforeEach(() => fs.rmSync(pids, { force: true }));

describe('a test that never ends', () => {
  for (const [what, statement] of [
    ['waits', 'await new Promise((resolve) => setTimeout(resolve, 100_000));'],
    ['blocks', 'for (;;);'],
  ] as const)
    it(`because it ${what} is ended, and named, with what it started`, async () => {
      const running = run(statement, 3000);
      assert.equal(await running.ends(), 1);
      assert.match(running.stderr.join('\n'), /^Hung:\n.*x\.mjs: hanging: was ended$/m);
      await assertNothingRuns();
    });

  it('is ended with the suite whose test runs it', async () => {
    const inner = scriptFor('inner', 'for (;;);', 100_000);
    const running = run(`spawn(process.execPath, ['${inner}']); for (;;);`, 8000);
    assert.equal(await running.ends(), 1);
    await assertNothingRuns(2);
  });

  it('is ended by Ctrl-C with what it started', async () => {
    const running = run('for (;;);', 100_000);
    await until('the test to begin', () => started().length > 0);
    assert.equal(await running.stop('SIGINT'), 1);
    await assertNothingRuns();
  });
});
