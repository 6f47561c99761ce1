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
  const moved = script
    .replaceAll('/etc/guestlist.env', `'${settings}'`)
    .replaceAll('=guestlist ', '=mail ')
    .replace('PATH=', `PATH='${path.join(folder, 'bin')}':`);
  fs.writeFileSync(path.join(folder, 'guestlist'), moved, { mode: 0o755 });
  fs.symlinkSync(process.execPath, path.join(folder, 'bin', 'node'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "version": "1.2.3", "type": "commonjs" }');
  const print = 'console.log(process.getuid(), process.argv.slice(2).join("|"))';
  for (const name of ['server', 'tools/echo'])
    fs.writeFileSync(path.join(folder, `${name}.js`), print);
  fs.symlinkSync(path.join(folder, 'guestlist'), link);
  for (const each of [path.dirname(folder), folder]) fs.chmodSync(each, 0o755);
  const cwd = temporaryFolder();

  /** Runs it by a link, with the PATH of cron, in a folder such as /root, which its user may not read. */
  const call = (...args: readonly string[]) => {
    const env = { PATH: '/usr/bin:/bin', ...exported };
    const options = { cwd, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(link, args, options);
    return { status, stdout, stderr };
  };
  /** A user that every Debian has stands in for guestlist. */
  const mail = Number(spawnSync('id', ['-u', 'mail']).stdout);
  const uid = lacksRoot ? process.getuid?.() : mail;
  let exported: NodeJS.ProcessEnv = {};
  const usage = call('--help').stdout;

  for (const [what, args, status, stdout] of [
    ['runs a tool with its arguments', ['echo', 'a b', '--c', ''], 0, `${uid} a b|--c|\n`],
    ['runs the service, without arguments', ['serve'], 0, `${uid} \n`],
    ['prints the version', ['--version'], 0, '1.2.3\n'],
    ['prints its usage', ['--help'], 0, usage],
    ...[[], ['none'], ['none', 'x'], ['../server'], ['../tools/echo'], ['serve', 'x']].map(
      (args) => [`refuses ${args.join(' ') || 'no argument'}`, args, 2, ''] as const,
    ),
  ] as const)
    it(what, () => {
      const { stderr, ...result } = call(...args);
      assert.deepEqual(result, { status, stdout });
      assert.equal(stderr, status === 0 ? '' : usage);
    });

  it('prints its usage and the version before its user exists', () => {
    const early = path.join(folder, 'early');
    fs.writeFileSync(early, script.replaceAll('=guestlist ', '=nobody-yet '), { mode: 0o755 });
    const print = (arg: string) => spawnSync(early, [arg], { encoding: 'utf8' });
    for (const [arg, stdout] of [
      ['--help', usage],
      ['--version', '1.2.3\n'],
    ] as const)
      assert.deepEqual([print(arg).stdout, print(arg).stderr], [stdout, '']);
  });

  it('says that messages should name it', () => {
    const print = 'console.log(process.env.GUESTLIST_COMMAND)';
    fs.writeFileSync(path.join(folder, 'tools', 'named.js'), print);
    assert.equal(call('named').stdout, '1\n');
  });

  it('gives its search path also to an environment without one', () => {
    fs.writeFileSync(path.join(folder, 'tools', 'path.js'), 'console.log(process.env.PATH)');
    exported = { PATH: undefined };
    assert.match(call('path').stdout, /\/bin:\/usr\/local\/sbin:/);
    exported = {};
  });

  it('gives the settings of /etc to the service, after exported ones, and to tools, before them', () => {
    const printPort = 'console.log(process.env.PORT, process.env.NODE_ENV)';
    for (const name of ['server', 'tools/port'])
      fs.writeFileSync(path.join(folder, `${name}.js`), printPort);
    fs.writeFileSync(settings, 'PORT=1\n', { mode: 0o644 });
    exported = { PORT: '2', NODE_ENV: 'test' };
    assert.equal(call('serve').stdout, '2 test\n');
    assert.equal(call('port').stdout, '1 undefined\n');
    exported = {};
    assert.equal(call('serve').stdout, '1 undefined\n');
    fs.rmSync(settings);
    fs.writeFileSync(path.join(folder, 'server.js'), print);
  });

  it('says that it is not built, and how to build it', () => {
    fs.renameSync(path.join(folder, 'server.js'), path.join(folder, 'server.ts'));
    for (const word of ['serve', 'echo']) {
      const { status, stderr } = call(word);
      const commands = 'npm ci --include=dev && npm prune --omit=dev';
      assert.equal(stderr, `guestlist: not built; in ${folder}, run: ${commands}\n`);
      assert.equal(status, 1);
    }
    fs.renameSync(path.join(folder, 'server.ts'), path.join(folder, 'server.js'));
  });

  it('gives no tool the rights of root', { skip: lacksRoot }, () => {
    assert.notEqual(uid, 0);
    fs.writeFileSync(settings, '', { mode: 0o600 });
    assert.equal(call('echo').status, 0);
    fs.rmSync(settings);
  });
});
