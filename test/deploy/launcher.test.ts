/** The command `guestlist`, which runs the service and its tools, in the shells that it is for. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacks, lacksRoot } from '../support/lacks.ts';
import { runToEnd } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

// Another user reads the files, whatever umask the tests were started with.
process.umask(0o022);
const outer = temporaryFolder();
const opt = path.join(outer, 'opt');
const etc = path.join(outer, 'etc');
const bin = path.join(outer, 'bin');
for (const each of [opt, etc, bin]) fs.mkdirSync(each);
fs.chmodSync(outer, 0o755);
fs.symlinkSync(process.execPath, path.join(bin, 'node'));
const script = fs.readFileSync(path.join(root, 'guestlist'), 'utf8');
// A user that every Debian has stands in for guestlist.
const moved = script.replaceAll('/etc/', `${etc}/`).replace('user=guestlist ', 'user=mail ');
const print = `const { GUESTLIST_COMMAND, NODE_ENV, PORT } = process.env;
  const words = [process.getuid(), ...process.argv.slice(2), GUESTLIST_COMMAND, PORT, NODE_ENV];
  console.log(words.join('|'));`;

/** Makes a program in a folder of /opt, as an installation does. */
function install(name: string, text = withNode(moved)): string {
  const folder = path.join(opt, name);
  fs.mkdirSync(path.join(folder, 'tools'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'guestlist'), text, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "version": "1.2.3", "type": "commonjs" }');
  for (const each of ['server', 'tools/echo', 'tools/backup'])
    fs.writeFileSync(path.join(folder, `${each}.js`), print);
  return folder;
}

/** This Node comes first on the path. */
function withNode(text: string): string {
  return text.replace('PATH="', `PATH="${bin}:`);
}

/** Only these folders and those of the caller are on the path. */
function withPath(...folders: readonly string[]): string {
  const own = `export PATH="${folders.join(':')}\${PATH:+:$PATH}"`;
  return moved.replace(/^export PATH=.*$/m, () => own);
}

const folder = install('guestlist-1');
fs.symlinkSync('guestlist-1', path.join(opt, 'guestlist'));
const link = path.join(outer, 'guestlist');
fs.symlinkSync('opt/guestlist/guestlist', link);
const cwd = temporaryFolder();

/** Runs it with the PATH of cron, in a folder such as /root, which its user may not read. */
function call(
  args: readonly string[],
  exported: NodeJS.ProcessEnv = {},
  command: string | readonly string[] = link,
) {
  const env = { PATH: '/usr/bin:/bin', ...exported };
  const { status, stdout, stderr } = runToEnd([...[command].flat(), ...args], { cwd, env });
  return [status, stdout, stderr];
}

const user = lacksRoot ? runToEnd(['id', '-un']).stdout.trim() : 'mail';
const uid = runToEnd(['id', '-u', user]).stdout.trim();
const [, usage] = call(['--help']);

/** Runs a test with settings in /etc. */
function withSettings(content: string | Buffer, test: (file: string) => void, name = 'guestlist') {
  const file = path.join(etc, `${name}.env`);
  fs.writeFileSync(file, content, { mode: 0o644 });
  try {
    test(file);
  } finally {
    fs.rmSync(file);
  }
}

it('runs the service or a tool as its user, and nothing else', () => {
  assert.deepEqual(call(['serve']), [0, `${uid}|1||\n`, '']);
  assert.deepEqual(call(['echo', 'a b', '--c', '']), [0, `${uid}|a b|--c||1||\n`, '']);
  for (const args of [[], ['none', 'x'], ['../server'], ['../tools/echo'], ['serve', 'x']])
    assert.deepEqual(call(args), [2, '', usage], args.join(' '));
});

it('prints its usage and the version before its user exists', () => {
  const early = path.join(folder, 'early');
  const text = withNode(script).replace('user=guestlist ', 'user=nobody-yet ');
  fs.writeFileSync(early, text, { mode: 0o755 });
  assert.deepEqual(call(['--help'], {}, early), [0, usage, '']);
  assert.deepEqual(call(['--version'], {}, early), [0, '1.2.3\n', '']);
  if (lacksRoot) return;
  const missing =
    'guestlist: there is no user nobody-yet; make it with useradd, as docs/install.md does ' +
    '(Alpine: addgroup -S nobody-yet && adduser -S -H -G nobody-yet nobody-yet)\n';
  assert.deepEqual(call(['echo'], {}, early), [1, '', missing]);
});

it('gives the settings of /etc to the service and to tools', () => {
  const exported = { PORT: '2', NODE_ENV: 'test' };
  withSettings('PORT=1\n', () => {
    assert.deepEqual(call(['serve'], exported), [0, `${uid}|1|2|test\n`, '']);
    assert.deepEqual(call(['echo'], exported), [0, `${uid}|1|1|\n`, '']);
  });
});

it('reads the settings of the link that leads to its folder', () => {
  withSettings('PORT=1\n', () => {
    const ways = [link, path.join(opt, 'guestlist/guestlist'), path.join(folder, 'guestlist')];
    for (const way of ways)
      assert.deepEqual(call(['echo'], {}, way), [0, `${uid}|1|1|\n`, ''], way);
  });
});

for (const name of ['guestlist-en', 'guest list'])
  it(`reads the settings of a second site, ${name}, and names its command`, () => {
    install(`${name}-1`);
    const site = path.join(opt, name);
    fs.symlinkSync(`${name}-1`, site);
    const command = path.join(site, 'guestlist');
    const plain = path.join(opt, `${name}-1`, 'guestlist');
    const short = path.join(outer, name);
    fs.symlinkSync(command, short);
    withSettings('PORT=1\n', () =>
      withSettings(
        'PORT=2\n',
        () => {
          for (const way of [command, plain, short])
            assert.deepEqual(call(['echo'], {}, way), [0, `${uid}|${command}|2|\n`, ''], way);
        },
        name,
      ),
    );
  });

// What systemd gives the service, and the launcher a tool.
for (const [text, port] of [
  ['PORT=3000 # text', '3000 # text'],
  ['PORT = 3000\t ', '3000'],
  ['  PORT="3000" ', '3000'],
  ["PORT='3000'", '3000'],
  ['PORT=" 3000 # x"\n', ' 3000 # x'],
  ['PORT=3000\r\nNODE_ENV=\r\n', '3000'],
  ['# PORT=1\n; PORT=2 \\ "\n \nPORT=3\nPORT=4', '4'],
  ['XPORT=1\nPORTS=2\nNODE_ENV=é ü', ''],
] as const)
  it(`reads ${JSON.stringify(text)} as systemd does`, () => {
    const nodeEnv = /NODE_ENV=(.+ .)/.exec(text)?.[1] ?? '';
    withSettings(text, (file) => {
      assert.deepEqual(call(['echo']), [0, `${uid}|1|${port}|${nodeEnv}\n`, '']);
      if (fs.existsSync(READER)) assert.equal(readBySystemd(file), port);
    });
  });

/** A program of systemd that reads a file as EnvironmentFile= is read. */
const READER = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator';

function readBySystemd(settings: string): string {
  const config = temporaryFolder();
  fs.mkdirSync(path.join(config, 'environment.d'));
  fs.copyFileSync(settings, path.join(config, 'environment.d', 'a.conf'));
  const { stdout } = runToEnd([READER], { env: { XDG_CONFIG_HOME: config } });
  // `PORT=3000`, or `PORT="3000 # text"`
  return /^PORT="?(.*?)"?$/m.exec(stdout)?.[1] ?? '';
}

const CLOSED = (file: string) =>
  `the user ${user} cannot read ${file}; run as root: chmod a+r ${file}`;
const MARKED = (file: string) =>
  `${file} begins with a byte order mark; save it as UTF-8 without one`;
const oddLine = (line: string) => (file: string) =>
  `${file} has the line ${line}, which systemd does not read as it looks; write NAME=value`;

for (const [what, content, fault] of [
  ['that its user cannot read', undefined, CLOSED],
  ['with a byte order mark', '\ufeffPORT=1\n', MARKED],
  ['in UTF-16', Buffer.from('\ufeffPORT=1\n', 'utf16le'), MARKED],
  ['that end in UTF-16', Buffer.from('\ufeffPORT=1\n', 'utf16le').swap16(), MARKED],
  ['that a shell exports', 'PORT=1\nexport PORT=1\n', oddLine('export PORT=1')],
  ['without a value', 'PORT', oddLine('PORT')],
  ['behind quotes', 'PORT="3000" # text', oddLine('PORT="3000" # text')],
  ['in several quotes', `PORT='30''00'`, oddLine(`PORT='30''00'`)],
  ['that quotes leave open', 'OTHER="\nPORT=1\n"', oddLine('OTHER="')],
  ['on two lines', 'PORT=30\\\n1', oddLine('PORT=30\\')],
  ['that a comment goes on to', '# PORT is \\\nPORT=1', oddLine('# PORT is \\')],
  ['with an escape', 'PORT="\\n"', oddLine('PORT="\\n"')],
] as const)
  it(`serves and takes snapshots with settings ${what}, and refuses the other tools`, {
    skip: content === undefined && lacksRoot,
  }, () => {
    withSettings(content ?? 'PORT=1\n', (file) => {
      if (content === undefined) fs.chmodSync(file, 0o600);
      const line = `guestlist: ${fault(file)}\n`;
      const exported = { PORT: '2' };
      for (const word of ['serve', 'backup'])
        assert.deepEqual(call([word], exported), [0, `${uid}|1|2|\n`, line]);
      assert.deepEqual(call(['echo'], exported), [1, '', line]);
    });
  });

it('refuses tools without the settings that the unit of systemd names', () => {
  const units = path.join(etc, 'systemd/system');
  const settings = path.join(etc, 'guestlist.env');
  const missing =
    `guestlist: there is no ${settings}, so links would lead to localhost; ` +
    'write it again, as docs/install.md does\n';
  const refuse = () => {
    assert.deepEqual(call(['echo']), [1, '', missing]);
    assert.deepEqual(call(['backup']), [0, `${uid}|1||\n`, missing]);
  };
  fs.symlinkSync('nowhere', settings);
  try {
    refuse();
  } finally {
    fs.rmSync(settings);
  }
  fs.mkdirSync(units, { recursive: true });
  const unit = fs.readFileSync(path.join(root, 'deploy/guestlist.service'), 'utf8');
  fs.writeFileSync(path.join(units, 'guestlist.service'), unit.replaceAll('/etc/', `${etc}/`));
  try {
    refuse();
  } finally {
    fs.rmSync(units, { recursive: true });
  }
  assert.deepEqual(call(['echo']), [0, `${uid}|1||\n`, '']);
});

describe('another shell', () => {
  for (const program of ['dash', 'bash', 'busybox'] as const)
    it(`runs it: ${program}`, { skip: lacks(program) }, () => {
      const shell = program === 'busybox' ? [program, 'sh'] : [program];
      const command = [...shell, path.join(opt, 'guestlist/guestlist')];
      withSettings('NODE_ENV="a b"\nPORT=1 # é\n', () =>
        assert.deepEqual(call(['echo', 'a b'], {}, command), [0, `${uid}|a b|1|1 # é|a b\n`, '']),
      );
    });
});

it('says to another user that root may run it', { skip: lacksRoot }, () => {
  const data = path.join(folder, 'data');
  fs.mkdirSync(data, { mode: 0o700 });
  const command = ['setpriv', '--reuid=daemon', '--clear-groups', '--', link];
  const refusal = `the user daemon may not read ${data}; run this as root: sudo ${link} echo a`;
  assert.deepEqual(call(['echo', 'a'], {}, command), [1, '', `guestlist: ${refusal}\n`]);
  fs.chmodSync(data, 0o755);
  assert.equal(call(['echo', 'a'], {}, command)[0], 0);
  fs.rmdirSync(data);
});

it('says what its user cannot read after umask 077, and the remedy', {
  skip: lacksRoot,
}, () => {
  const place = install('closed');
  const command = path.join(place, 'guestlist');
  const line = (what: string, remedy: string) => [
    1,
    '',
    `guestlist: the user mail cannot read ${what}; run: ${remedy}\n`,
  ];
  const data = path.join(place, 'data');
  fs.mkdirSync(data, { mode: 0o700 });
  const deep = 'lib/one/two/deep.js';
  fs.mkdirSync(path.join(place, path.dirname(deep)), { recursive: true });
  fs.writeFileSync(path.join(place, deep), '');
  // Only root may read `.git`. A dangling link leads to no file.
  fs.mkdirSync(path.join(place, '.git'), { mode: 0o700 });
  fs.symlinkSync('nowhere', path.join(place, 'lib', 'lost'));
  for (const file of ['', 'package.json', 'tools', 'tools/echo.js', deep].map((each) =>
    path.join(place, each),
  )) {
    const { mode } = fs.statSync(file);
    fs.chmodSync(file, 0o600);
    const remedy = `chmod -R go+rX '${place}' && chmod -R go= '${data}'`;
    assert.deepEqual(call(['echo'], {}, command), line(file, remedy));
    fs.chmodSync(file, mode);
  }
  fs.chmodSync(opt, 0o700);
  assert.deepEqual(call(['echo'], {}, command), line(opt, `chmod go+x '${opt}'`));
  fs.chmodSync(opt, 0o755);
  assert.deepEqual(call(['echo'], {}, command), [0, `${uid}|${command}||\n`, '']);
});

it('takes a Node of the system before one of the caller', () => {
  const home = path.join(outer, 'home');
  fs.mkdirSync(home);
  fs.writeFileSync(path.join(home, 'node'), '#!/bin/sh\necho own\n', { mode: 0o755 });
  const PATH = `${home}:/usr/bin:/bin`;
  assert.deepEqual(call(['echo'], { PATH }), [0, `${uid}|1||\n`, '']);
  const tools = path.join(outer, 'programs');
  fs.mkdirSync(tools);
  for (const name of ['sh', 'id', 'dirname', 'readlink', 'find', 'setpriv', 'true'])
    fs.symlinkSync(`/usr/bin/${name}`, path.join(tools, name));
  const command = path.join(install('no-node', withPath(tools)), 'guestlist');
  const given = (folder: string) => call(['echo'], { PATH: folder }, ['/bin/sh', command]);
  assert.deepEqual(given(home), [0, 'own\n', '']);
  const where = 'for all users, in /usr/local (see docs/install.md)';
  assert.deepEqual(given(tools), [1, '', `guestlist: Node is missing; install it ${where}\n`]);
  if (lacksRoot) return;
  fs.chmodSync(home, 0o700);
  const closed = `guestlist: the user mail cannot execute ${home}/node; install Node ${where}\n`;
  assert.deepEqual(given(home), [1, '', closed]);
});

it('says that root needs another setpriv than that of BusyBox', {
  skip: lacksRoot || lacks('busybox'),
}, () => {
  const programs = path.join(outer, 'busybox');
  fs.mkdirSync(programs);
  const file = path.join(programs, 'setpriv');
  fs.writeFileSync(file, '#!/bin/sh\nexec busybox setpriv "$@"\n', { mode: 0o755 });
  const command = path.join(install('alpine', withPath(programs, bin)), 'guestlist');
  const needs =
    'root cannot become the user mail by the setpriv of util-linux (Alpine: apk add setpriv)';
  const [status, stdout, stderr] = call(['echo'], {}, command);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(String(stderr), /^[^\n]+: setpriv: unrecognized option [^\n]*\n$/);
  assert.ok(stderr?.toString().startsWith(`guestlist: ${needs}: `), String(stderr));
});

it('needs no programs but BusyBox, the setpriv of util-linux, and Node', {
  skip: lacks('busybox'),
}, () => {
  const applets = path.join(outer, 'applets');
  fs.mkdirSync(applets);
  const [busybox, setpriv] = ['busybox', 'setpriv'].map((program) =>
    runToEnd(['sh', '-c', `command -v ${program}`]).stdout.trim(),
  ) as [string, string];
  const names = runToEnd([busybox, '--list']).stdout.trim().split('\n');
  for (const name of names)
    fs.symlinkSync(name === 'setpriv' ? setpriv : busybox, path.join(applets, name));
  const command = path.join(install('applets', withPath(applets, bin)), 'guestlist');
  const exported = { PATH: applets, NODE_ENV: 'test' };
  withSettings(
    'PORT=1\nNODE_ENV=production\n',
    () => {
      const serve = call(['serve'], exported, [busybox, 'sh', command]);
      assert.deepEqual(serve, [0, `${uid}|${command}|1|test\n`, '']);
      const tool = call(['echo'], exported, [busybox, 'sh', command]);
      assert.deepEqual(tool, [0, `${uid}|${command}|1|production\n`, '']);
    },
    'applets',
  );
});

it('says that it is not built, and how to build it', () => {
  const place = install('not built');
  fs.rmSync(path.join(place, 'server.js'));
  const commands = 'npm ci --include=dev && npm prune --omit=dev';
  const line = `guestlist: not built; in ${place}, run: ${commands}\n`;
  for (const word of ['serve', 'echo'])
    assert.deepEqual(call([word], {}, path.join(place, 'guestlist')), [1, '', line]);
});
