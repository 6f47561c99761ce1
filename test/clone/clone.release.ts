/**
 * The README's first command and a first visit in a clean clone, with this machine's Node and npm,
 * and with others from the npm registry.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The only files that the build writes. */
const COMPILED = /^(server\.js|(lib|pages|tools)\/.*\.js)$/;

/** The oldest Node that is supported, and the newest of each major version, each with an npm. */
const OTHERS = [
  ['20.12', '10'],
  ['20', '11'],
  ['22', '11'],
  ['24', '12'],
  ['26', '12'],
] as const;

/** How long an installation may take, in ms. */
const BUILD_LIMIT = 300_000;

/** A warning of npm, but not of a machine's settings, or of Node. */
const WARNING = /^npm (error|warn (?!Unknown (user|env) config)).*|^\(node:\d+\).*/im;

const skip = process.env.SHORT ? 'takes minutes' : false;

const folder = temporaryFolder();
const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

/** Installs a package from the registry once. @returns the folder that holds its `node_modules` */
function fetched(spec: string): string {
  const prefix = path.join(folder, spec);
  if (!fs.existsSync(prefix))
    execFileSync('npm', ['install', '--silent', '--no-audit', '--prefix', prefix, spec]);
  return path.join(prefix, 'node_modules');
}

/** An environment without what npm and the test runner have set, in which these are found first. */
function environment(node: string, npm: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_(?!EXTRA_CA_CERTS))/.test(name),
  );
  // SQLite compiles in a quarter of the time.
  const env = { ...Object.fromEntries(kept), PORT: '0', CFLAGS: '-O0', CXXFLAGS: '-O0' };
  if (node === '') return env;
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = path.join(fetched(`${name}@${node}`), name);
  const places = [path.join(fetched(`npm@${npm}`), '.bin'), path.join(prefix, 'bin')];
  const PATH = [...places, process.env.PATH].join(path.delimiter);
  // Node's own headers, so that compiling downloads none.
  return { ...env, PATH, npm_config_nodedir: prefix };
}

for (const [node, npm] of [['', ''], ...OTHERS] as const) {
  const name = node ? `Node ${node} and npm ${npm}` : "this machine's Node and npm";
  test(`a clone works by the README's first command, with ${name}`, { skip }, async () => {
    const cwd = path.join(folder, `a clone ${node}`);
    const env = environment(node, npm);
    const run = (command: string, ...args: readonly string[]) =>
      execFileSync(command, args, { cwd, env, encoding: 'utf8' });
    execFileSync('git', ['clone', '-q', root, cwd]);

    const [command = ''] = readme.match(/(?<=^ {4})npm ci && npm start\b/m) ?? [];
    const started = startProcess(['sh', '-c', `exec 2>&1; ${command}`], {
      cwd,
      env,
      // A process group of its own, as in a terminal.
      detached: true,
    });
    const output = () => started.stdout.join('\n');
    let origin = '';
    try {
      // It may compile SQLite.
      await started.prints(/^listening on /m, BUILD_LIMIT);
      origin = /^listening on (.+)$/m.exec(output())?.[1] ?? '';
      run('node', 'tools/invite.js', 'add', 'ada@example.com', 'Ada');
      const cookie = await logIn(origin, 'ada@example.com');
      for (const target of ['GET /', 'GET /timeline', 'POST /api/project-join'])
        assert.equal((await send(origin, target, { cookie })).status, 200, target);
      assert.match(run('node', 'tools/joins.js', 'list'), /ada@example\.com/);
    } finally {
      // Ctrl-C.
      const { pid, exitCode } = started.process;
      if (pid && exitCode === null) process.kill(-pid, 'SIGINT');
      await started.ends();
    }
    await assert.rejects(send(origin, 'GET /'), 'it has stopped');
    assert.doesNotMatch(output(), WARNING);
    assert.equal(run('git', 'status', '--porcelain'), '', 'git ignores all that was made');

    run('npm', 'test', '--', 'test/address.test.ts');
    const ignored = run('git', 'ls-files', '--others', '--', ':!node_modules').split('\n');
    const elsewhere = ignored.filter((name) => name.endsWith('.js') && !COMPILED.test(name));
    assert.deepEqual(elsewhere, []);
  });
}
