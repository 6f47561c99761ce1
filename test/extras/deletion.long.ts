/**
 * Extras are deleted as CONTRIBUTING.md says: the rest compiles, and without all of them it works.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { storeAt } from '../support/installation.ts';
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { deleteExtras, type Extra, MAY_HAVE_MARKS, readTable } from './marks.ts';

const ADA = 'ada@example.com';
const EXTRAS = readTable(fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8'));

/** The files of the repository: those in git, and those that git would add. */
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const FILES = listed.split('\n').filter((name) => name && fs.existsSync(path.join(root, name)));

/** Copies the repository without extras, and compiles it. @returns the folder */
function copyWithout(...extras: readonly Extra[]): string {
  const folder = temporaryFolder();
  for (const name of FILES) fs.cpSync(path.join(root, name), path.join(folder, name));
  for (const name of ['node_modules', 'test/node_modules'])
    fs.symlinkSync(path.join(root, name), path.join(folder, name));
  const marked = FILES.filter((name) => MAY_HAVE_MARKS.test(name));
  deleteExtras(folder, marked, extras);
  return folder;
}

/**
 * How much of the output of a failed program is shown, in characters. Its faults are at the end.
 */
const MOST_SHOWN = 8000;

/** Runs a program of Node to its end in a folder. @throws with its output if it fails */
function run(folder: string, ...args: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  // The reporter of the tests writes megabytes, so it is not used.
  const options = { cwd: folder, encoding: 'utf8', env, maxBuffer: 64 * 2 ** 20 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  // The reporter would print the two numbers instead of a message.
  if (status !== 0) throw new Error(`${args.join(' ')}: ${(stdout + stderr).slice(-MOST_SHOWN)}`);
  return stdout;
}

/** Compiles all of it. `npm run format` removes imports that only an extra needed. */
function compile(folder: string): void {
  const compiler = ['node_modules/typescript/bin/tsc', '--noEmit', '--noUnusedLocals', 'false'];
  run(folder, ...compiler);
  run(folder, ...compiler, '-p', 'pages');
}

for (const extra of EXTRAS)
  it(`the rest compiles without ${extra.name}`, () => compile(copyWithout(extra)));

describe('without all extras', () => {
  const folder = copyWithout(...EXTRAS);
  for (const each of ['lib/extras', 'pages/svcops/extras']) fs.rmdirSync(path.join(folder, each));
  fs.rmSync(path.join(folder, 'test/extras'), { recursive: true });
  const tool = (name: string, ...args: readonly string[]) =>
    run(folder, `tools/${name}.js`, ...args);

  it('the rest compiles, and is built', () => {
    compile(folder);
    run(folder, 'scripts/run.mjs', 'build');
  });

  it('no file names an extra or has a mark', () => {
    for (const name of FILES.filter((name) => MAY_HAVE_MARKS.test(name))) {
      // This file names extras on purpose: it has the rules for existing and future ones.
      if (name === 'test/imports.test.ts') continue;
      const file = path.join(folder, name);
      if (!fs.existsSync(file)) continue;
      assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /extra: |\/extras\//, name);
    }
  });

  it('a visitor logs in, views and joins, and an administrator sees it', async () => {
    tool('invite', 'add', ADA, 'Ada');
    tool('invite', 'admin', 'add', ADA);
    const env = { ...process.env, PORT: '0' };
    const server = startProcess([process.execPath, path.join(folder, 'server.js')], { env });
    await server.prints(/^listening on /m);
    const [origin = ''] = /http:\S+/.exec(server.stdout.join('\n')) ?? [];
    const cookie = await logIn(origin, ADA);
    assert.equal((await send(origin, 'GET /timeline', { cookie })).status, 200);
    assert.equal((await send(origin, 'POST /api/project-join', { cookie })).status, 200);
    const page = await send(origin, 'GET /svcops', { cookie });
    assert.match(page.text, /<h1>/);
    for (const file of ['page.js', 'page.css'])
      assert.equal((await send(origin, `GET /svcops/${file}`, { cookie })).status, 200);
    const { invites } = (await send(origin, 'GET /api/svcops/invites', { cookie })).json();
    assert.equal(JSON.stringify(invites).match(/"joinClicks":1/g)?.length, 1);
    await server.stop();
    const { read } = storeAt(path.join(folder, 'data/guestlist.db'));
    assert.deepEqual(
      read(({ events }) => events.list({ limit: 9 })).rows.map(({ type }) => type),
      ['timeline_view', 'login'],
    );
  });

  it('the tools that were ordered work, without the options of extras', () => {
    assert.match(tool('invite', 'list'), /ada@example\.com/);
    assert.match(tool('joins', 'stats'), /^joins/);
    assert.match(tool('backup', 'create'), /: checked/);
    assert.deepEqual(
      fs.readdirSync(path.join(folder, 'tools')).filter((name) => /person|doctor/.test(name)),
      [],
    );
    const help = ['invite', 'backup'].map((name) => tool(name, '--help')).join('');
    assert.doesNotMatch(help, /--file|--letters|--csv|restore/);
  });

  it('its own tests pass', () => {
    fs.rmSync(path.join(folder, 'data'), { recursive: true, force: true });
    // The documents still quote the extras. This test names these places to the person who deletes.
    fs.rmSync(path.join(folder, 'test/docs/documents.test.ts'));
    run(folder, 'scripts/run.mjs', 'test', 'test');
  });
});
