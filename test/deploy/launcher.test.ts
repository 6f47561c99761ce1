/** The command `guestlist`, which runs the service and its tools. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacksRoot } from '../support/lacks.ts';
import { temporaryFolder } from '../support/site.ts';

describe('the command guestlist', () => {
  const folder = path.join(temporaryFolder(), 'version 1');
  const link = path.join(path.dirname(folder), 'guestlist');
  for (const part of ['bin', 'tools']) fs.mkdirSync(path.join(folder, part), { recursive: true });
  const settings = path.join(path.dirname(folder), 'guestlist.env');
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
  for (const each of [path.dirname(folder), folder]) fs.chmodSync(each, 0o755);
  const cwd = temporaryFolder();

  /** Runs it by a link, with the PATH of cron, in a folder such as /root, which its user may not read. */
  const call = (args: readonly string[], exported: NodeJS.ProcessEnv = {}, command = link) => {
    const env = { PATH: '/usr/bin:/bin', ...exported };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const mail = Number(spawnSync('id', ['-u', 'mail']).stdout);
  const uid = lacksRoot ? process.getuid?.() : mail;
  const usage = call(['--help']).stdout;

  it('runs the service, or a tool with its arguments, as its user', () => {
    assert.equal(call(['serve']).stdout, `${uid}|1||\n`);
    assert.equal(call(['echo', 'a b', '--c', '']).stdout, `${uid}|a b|--c||1||\n`);
  });

  it('refuses other words with its usage', () => {
    for (const args of [[], ['none', 'x'], ['../server'], ['../tools/echo'], ['serve', 'x']])
      assert.deepEqual(call(args), { status: 2, stdout: '', stderr: usage }, args.join(' '));
  });

  it('prints its usage and the version before its user exists', () => {
    const early = path.join(folder, 'early');
    fs.writeFileSync(early, script.replaceAll('=guestlist ', '=nobody-yet '), { mode: 0o755 });
    for (const [arg, stdout] of [
      ['--help', usage],
      ['--version', '1.2.3\n'],
    ] as const)
      assert.deepEqual(call([arg], process.env, early), { status: 0, stdout, stderr: '' });
  });

  it('gives the settings of /etc to the service, after exported ones, and to tools, before them', () => {
    fs.writeFileSync(settings, 'PORT=1\n', { mode: 0o644 });
    const exported = { PORT: '2', NODE_ENV: 'test' };
    assert.equal(call(['serve'], exported).stdout, `${uid}|1|2|test\n`);
    assert.equal(call(['echo'], exported).stdout, `${uid}|1|1|\n`);
    fs.rmSync(settings);
  });

  it('says that it is not built, and how to build it', () => {
    fs.renameSync(path.join(folder, 'server.js'), path.join(folder, 'server.ts'));
    const commands = 'npm ci --include=dev && npm prune --omit=dev';
    const stderr = `guestlist: not built; in ${folder}, run: ${commands}\n`;
    for (const word of ['serve', 'echo'])
      assert.deepEqual(call([word]), { status: 1, stdout: '', stderr });
    fs.renameSync(path.join(folder, 'server.ts'), path.join(folder, 'server.js'));
  });

  it('reads settings that only root may read', { skip: lacksRoot }, () => {
    fs.writeFileSync(settings, '', { mode: 0o600 });
    assert.equal(call(['echo']).stdout, `${mail}|1||\n`);
  });
});
