/** The command `guestlist`, which runs the service and its tools. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacksRoot } from '../support/lacks.ts';
import { runToEnd } from '../support/process.ts';
import { temporaryFolder } from '../support/site.ts';

// Another user reads the files, whatever umask the tests were started with.
process.umask(0o022);
const outer = temporaryFolder();
const folder = path.join(outer, 'version 1');
const [link, settings] = [path.join(outer, 'guestlist'), path.join(outer, 'guestlist.env')];
for (const part of ['bin', 'tools']) fs.mkdirSync(path.join(folder, part), { recursive: true });
const script = fs.readFileSync(path.join(root, 'guestlist'), 'utf8');
// A user that every Debian has stands in for guestlist.
const moved = script
  .replaceAll('/etc/guestlist.env', `'${settings}'`)
  .replaceAll('=guestlist ', '=mail ')
  .replace('PATH=', `PATH='${path.join(folder, 'bin')}':`);
fs.writeFileSync(path.join(folder, 'guestlist'), moved, { mode: 0o755 });
fs.symlinkSync(process.execPath, path.join(folder, 'bin', 'node'));
fs.writeFileSync(path.join(folder, 'package.json'), '{ "version": "1.2.3", "type": "commonjs" }');
const print = `const { GUESTLIST_COMMAND, NODE_ENV, PORT } = process.env;
  const words = [process.getuid(), ...process.argv.slice(2), GUESTLIST_COMMAND, PORT, NODE_ENV];
  console.log(words.join('|'));`;
for (const name of ['server', 'tools/echo'])
  fs.writeFileSync(path.join(folder, `${name}.js`), print);
fs.symlinkSync(path.join(folder, 'guestlist'), link);
for (const each of [outer, folder]) fs.chmodSync(each, 0o755);
const cwd = temporaryFolder();

/** Runs it by a link, with the PATH of cron, in a folder such as /root, which its user may not read. */
function call(args: readonly string[], exported: NodeJS.ProcessEnv = {}, command = link) {
  const env = { PATH: '/usr/bin:/bin', ...exported };
  const { status, stdout, stderr } = runToEnd([command, ...args], { cwd, env });
  return [status, stdout, stderr];
}
const uid = lacksRoot ? process.getuid?.() : Number(runToEnd(['id', '-u', 'mail']).stdout);
const [, usage] = call(['--help']);

it('runs the service or a tool as its user, and nothing else', () => {
  assert.deepEqual(call(['serve']), [0, `${uid}|1||\n`, '']);
  assert.deepEqual(call(['echo', 'a b', '--c', '']), [0, `${uid}|a b|--c||1||\n`, '']);
  for (const args of [[], ['none', 'x'], ['../server'], ['../tools/echo'], ['serve', 'x']])
    assert.deepEqual(call(args), [2, '', usage], args.join(' '));
});

it('prints its usage and the version before its user exists', () => {
  const early = path.join(folder, 'early');
  fs.writeFileSync(early, script.replaceAll('=guestlist ', '=nobody-yet '), { mode: 0o755 });
  assert.deepEqual(call(['--help'], process.env, early), [0, usage, '']);
  assert.deepEqual(call(['--version'], process.env, early), [0, '1.2.3\n', '']);
});

it('gives the settings of /etc to the service and to tools', () => {
  fs.writeFileSync(settings, 'PORT=1\n', { mode: 0o644 });
  const exported = { PORT: '2', NODE_ENV: 'test' };
  assert.deepEqual(call(['serve'], exported), [0, `${uid}|1|2|test\n`, '']);
  assert.deepEqual(call(['echo'], exported), [0, `${uid}|1|1|\n`, '']);
  fs.chmodSync(settings, 0o600);
  if (!lacksRoot) assert.deepEqual(call(['echo']), [0, `${uid}|1||\n`, ''], 'unreadable settings');
  fs.rmSync(settings);
});

it('says that it is not built, and how to build it', () => {
  fs.rmSync(path.join(folder, 'server.js'));
  const commands = 'npm ci --include=dev && npm prune --omit=dev';
  const line = `guestlist: not built; in ${folder}, run: ${commands}\n`;
  for (const word of ['serve', 'echo']) assert.deepEqual(call([word]), [1, '', line]);
});
