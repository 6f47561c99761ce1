/**
 * docs/first-preview.md, docs/install.md, and the upgrade and rollback of docs/operations.md, as
 * written, by root. Folders of the test lie over those of the machine, in a mount namespace, and
 * scripts stand in for systemctl and for ssh to this machine.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { lacks, lacksRoot } from '../support/lacks.ts';
import { type Running, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { commandsOf } from './commands.ts';

const ADA = 'ada@example.com';
const REPOSITORY = 'https://git.example.com/guestlist.git';

/** How long a command may take, in ms. */
const COMMAND_LIMIT = 300_000;

/** What the commands write to. */
const PLACES = ['/opt', '/etc', '/var/lib', '/usr/local/bin'];

/** Serves as the unit says, instead of the systemd that a container lacks. */
const SYSTEMCTL = `#!/bin/sh
stop() {
  [ ! -e /opt/pid ] || { kill "$(cat /opt/pid)"; while kill -0 "$(cat /opt/pid)"; do sleep 0.1; done; } 2>/dev/null
  rm -f /opt/pid /opt/log
}
case "$*" in
restart*|enable*)
  stop
  command=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/guestlist.service)
  setsid $command > /opt/log 2>&1 < /dev/null &
  echo $! > /opt/pid
  until grep -qs '^listening' /opt/log; do kill -0 $! || exit 1; sleep 0.1; done ;;
reload*) kill -HUP "$(cat /opt/pid)" ;;
disable*) stop ;;
esac
`;

/** Runs the command here, without a connection. rsync gives the user by an option. */
const SSH = `#!/bin/sh
[ "$1" != -l ] || shift 2
shift
exec sh -c "$*"
`;

/** An owner's list. */
const GUESTS = `Name,Company,E-Mail,Kind,Notes
"Hopper, Grace",Example Ltd,grace@example.com,press,
Dr. Dijkstra,Example Ltd,edsger@example.com,guest,calls back
`;

const cannot = () =>
  spawnSync('unshare', ['--mount', 'true']).status !== 0 && 'needs to make namespaces';

describe('an installation from git', { skip: lacksRoot || lacks('rsync') || cannot() }, () => {
  // Before the folder is removed.
  after(async () => {
    run('kill "$(cat /opt/pid)"');
    await holder.stop();
  });
  const folder = temporaryFolder();
  const repository = path.join(folder, 'repository');
  const place = (name: string) => path.join(folder, name.replaceAll('/', '_'));
  // The server ends while this process is blocked, so no connection is kept.
  const agent = new http.Agent();
  let holder: Running;
  let port = 0;
  let cookie = '';

  /** Runs commands in one shell of a strict root, as pasted: a failed one does not end it. */
  function run(commands: string) {
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|NODE_(?!EXTRA))/.test(name),
    );
    const env = {
      ...Object.fromEntries(kept),
      PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      // SQLite compiles in a quarter of the time.
      CFLAGS: '-O0',
      CXXFLAGS: '-O0',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: REPOSITORY,
    };
    const strict = `umask 077\n${commands}`;
    const inside = ['--target', String(holder.process.pid), '--mount', 'sh', '-c', strict];
    const { status, stdout, stderr } = spawnSync('nsenter', inside, { env, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  /** The commands of a part of docs/first-preview.md, by line. */
  function partOf(part: number): readonly string[] {
    const block = commandsOf('docs/first-preview.md').find(
      ({ heading }) => Number.parseInt(heading, 10) === part,
    );
    assert.ok(block);
    return block.commands.split('\n');
  }

  /** Runs what a document says under headings, for a version. */
  function follow(document: string, heading: RegExp, version: string) {
    const blocks = commandsOf(document).filter((block) => heading.test(block.heading));
    assert.ok(blocks.length > 0);
    const commands = blocks.filter(({ instead }) => instead === undefined);
    const text = commands.map((block) => block.commands).join('\n');
    return run(text.replace(/^version=.*/gm, `version=${version}`).replace('=3000', `=${port}`));
  }
  const upgrade = (version: string) => follow('docs/operations.md', /^Upgrade$/, version);

  /** Commits a change of the program's version and more. */
  function release(version: string, change: () => void = () => undefined) {
    const git = (...args: readonly string[]) => {
      const me = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
      execFileSync('git', ['-C', repository, ...me, ...args]);
    };
    change();
    const file = path.join(repository, 'package.json');
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(/"version": ".*"/, `"version": "${version}"`));
    git('commit', '-qam', version, '--allow-empty');
    git('tag', `v${version}`);
  }

  const pid = () => fs.readFileSync(path.join(place('/opt'), 'pid'), 'utf8').trim();
  const isServing = async (version: string) => {
    assert.equal(
      (await send(`http://127.0.0.1:${port}`, 'GET /timeline', { cookie }, agent)).status,
      200,
    );
    const link = fs.readlinkSync(path.join(place('/opt'), 'guestlist'));
    assert.equal(link, `guestlist-${version}`);
    assert.equal(run('guestlist --version').output, `${version}\n`);
    const command = fs.readFileSync(`/proc/${pid()}/cmdline`, 'utf8');
    assert.ok(command.includes(`/opt/${link}/server.js`), command);
  };

  before(async () => {
    const free = net.createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    port = (free.address() as net.AddressInfo).port;
    free.close();
    execFileSync('git', ['clone', '-q', root, repository]);
    release('1.0.0');
    for (const name of PLACES) fs.mkdirSync(place(name));
    execFileSync('cp', ['-a', '/etc/.', place('/etc')]);
    fs.mkdirSync(path.join(place('/etc'), 'systemd/system'), { recursive: true });
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(repository, 'node_modules'));
    const bin = place('/usr/local/bin');
    fs.copyFileSync(process.execPath, path.join(bin, 'node'));
    const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' });
    fs.symlinkSync(npm.trim(), path.join(bin, 'npm'));
    fs.writeFileSync(path.join(bin, 'systemctl'), SYSTEMCTL, { mode: 0o755 });
    fs.writeFileSync(path.join(bin, 'ssh'), SSH, { mode: 0o755 });
    const mounts = PLACES.map((name) => `mount --bind ${place(name)} ${name}`);
    const script = [...mounts, 'echo ready', 'exec sleep infinity'].join(' && ');
    holder = startProcess(['unshare', '--mount', 'sh', '-c', script]);
    await holder.prints(/ready/);
  });

  it('serves, by the commands of docs/install.md', async () => {
    const { status, output } = follow('docs/install.md', /^(Installing|1\.|3\.)/, '1.0.0');
    assert.equal(status, 0, output);
    assert.match(output, /ada@example\.com is invited\n/);
    cookie = await logIn(`http://127.0.0.1:${port}`, ADA);
    await isServing('1.0.0');
    assert.equal(run('stat -c %U /var/lib/guestlist/guestlist.db').output, 'guestlist\n');
  });

  it('has a second site by the commands of docs/install.md', () => {
    const { status, output } = follow('docs/install.md', /^A second site$/, '1.0.0');
    assert.equal(status, 0, output);
    const invited = run('guestlist-en invite add grace@example.com').output;
    assert.match(invited, /https:\/\/en\.example\.com\/#grace@example\.com/);
    assert.match(run('guestlist invite list').output, /^ada@example\.com/m);
    assert.doesNotMatch(run('guestlist invite list').output, /grace/);
    const units = path.join(place('/etc'), 'systemd/system');
    const texts = ['.service', '.socket', '-backup.service', '-backup.timer'].map((name) =>
      fs.readFileSync(path.join(units, `guestlist-en${name}`), 'utf8'),
    );
    const [service = '', socket = '', backup = ''] = texts;
    const lines = [
      'ExecStart=/opt/guestlist-en/guestlist serve',
      'EnvironmentFile=/etc/guestlist-en.env',
      'StateDirectory=guestlist-en',
      'RequiresMountsFor=/var/lib/guestlist-en',
      'Requires=guestlist-en.socket',
      'User=guestlist',
      'Group=guestlist',
    ];
    for (const line of lines) assert.ok(service.split('\n').includes(line), line);
    assert.match(socket, /^ListenStream=127\.0\.0\.1:3001$/m);
    assert.match(backup, /^ExecStart=\/opt\/guestlist-en\/guestlist backup create$/m);
    // Later tests go on with the first site.
    run('rm -r /opt/guestlist-en* /etc/guestlist-en.env /usr/local/bin/guestlist-en');
  });

  for (const line of [...partOf(1), ...partOf(2)])
    it(`runs on the owner's computer: ${line}`, async () => {
      // test/clone has npm ci.
      const command = ['sh', '-c', line.replace('npm ci && ', 'exec ')];
      const env = { ...process.env, PORT: '0', PUBLIC_ORIGIN: '' };
      const running = startProcess(command, { cwd: repository, env, detached: true });
      const { pid = 0 } = running.process;
      if (/npm run/.test(line)) {
        await running.prints(/http:/, COMMAND_LIMIT);
        // Ctrl-C reaches the whole group.
        process.kill(-pid, 'SIGINT');
        await running.ends();
      } else assert.equal(await running.ends(COMMAND_LIMIT), 0, running.stderr.join('\n'));
    });

  it('shows the site, by the commands of docs/first-preview.md', async () => {
    const file = path.join(repository, 'data/site/content.json');
    fs.writeFileSync(
      file,
      fs.readFileSync(file, 'utf8').replace('by invitation only', 'for friends'),
    );
    const { status, output } = run(['cd', repository, '&&', ...partOf(3)].join(' '));
    assert.equal(status, 0, output);
    run("until grep -q 'was reloaded' /opt/log; do sleep 0.1; done");
    const { text } = await send(`http://127.0.0.1:${port}`, 'GET /', {}, agent);
    assert.match(text, /This preview is for friends\./);
  });

  it('invites, writes and follows, by the commands of docs/first-preview.md', () => {
    fs.writeFileSync(path.join(repository, 'guests.csv'), GUESTS);
    const outputs = [4, 5, 6, 7, 8].map((part) => {
      const commands = partOf(part).join('\n').replace('2026-11-17', '2226-11-17');
      const { status, output } = run(`cd ${repository}\n${commands}`);
      assert.equal(status, 0, output);
      return output;
    });
    assert.match(outputs[1] ?? '', /^grace@example\.com +Grace +http/m);
    assert.match(outputs[1] ?? '', /^edsger@example\.com +http/m);
    assert.match(outputs[1] ?? '', /^ignored: Company, Kind, Notes$/m);
    for (const name of ['invitations.csv', 'reminders.csv'])
      assert.match(
        fs.readFileSync(path.join(repository, name), 'utf8'),
        /^grace@example\.com,Grace,https:\/\/preview\.example\.com\/#grace@example\.com,/m,
      );
    const crontab = fs.readFileSync(path.join(place('/etc'), 'cron.d/guestlist'), 'utf8');
    const [, note = ''] = /^0 7 \* \* \* root (.*)$/m.exec(crontab) ?? [];
    assert.equal(run(note.replaceAll('\\%', '%')).output, 'no joins yet\n');
  });

  it('serves on while npm ci fails, and can be restarted', async () => {
    const before = pid();
    // There is none.
    release('1.1.0', () => {
      const file = path.join(repository, 'package.json');
      const text = fs.readFileSync(file, 'utf8');
      fs.writeFileSync(file, text.replace(/"ua-parser-js": ".*"/, '"ua-parser-js": "999.0.0"'));
    });
    const { status, output } = upgrade('1.1.0');
    assert.notEqual(status, 0);
    assert.match(output, /^npm error /m);
    assert.equal(pid(), before);
    await isServing('1.0.0');
    assert.equal(run('systemctl restart guestlist').status, 0);
    await isServing('1.0.0');
  });

  it('is upgraded and rolled back as documented, and keeps its rows', async () => {
    release('1.2.0', () =>
      execFileSync('git', ['-C', repository, 'checkout', '-q', 'v1.0.0', 'package.json']),
    );
    for (const [follows, version] of [
      [() => upgrade('1.2.0'), '1.2.0'],
      [() => follow('docs/operations.md', /^Roll back$/, '1.0.0'), '1.0.0'],
    ] as const) {
      const { status, output } = follows();
      assert.equal(status, 0, output);
      await isServing(version);
    }
    // One a version that served, and two around the restart.
    const { output } = run('guestlist events list --type timeline_view --json');
    assert.equal(JSON.parse(output).length, 5);
  });

  it('exports all, and leaves no data, by the commands of docs/first-preview.md', () => {
    const { status, output } = run(['cd /opt', ...partOf(11)].join('\n'));
    assert.equal(status, 0, output);
    const [invites, events] = ['invites', 'events'].map((name) =>
      fs.readFileSync(path.join(place('/opt'), `${name}.csv`), 'utf8'),
    );
    assert.match(invites ?? '', /^edsger@example\.com,/m);
    assert.match(events ?? '', /,timeline_view,ada@example\.com,/);
    assert.equal(fs.existsSync(path.join(place('/var/lib'), 'guestlist')), false);
  });
});
