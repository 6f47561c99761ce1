/**
 * The commands of the documents, as written, by root, from the installation to the goodbye. Folders
 * of the test lie over those of the machine, in a mount namespace, and scripts stand in for
 * systemctl and ssh. not-run.ts has the commands that are not run, with the reasons.
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
import { send, sessionCookie } from '../support/client.ts';
import { lacks, lacksRoot } from '../support/lacks.ts';
import { type Running, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Block, commandsOf, DOCUMENTS } from './commands.ts';
import { NOT_RUN } from './not-run.ts';

const ADA = 'ada@example.com';
const REPOSITORY = 'https://git.example.com/guestlist.git';

/** How long a command may take, in ms. */
const COMMAND_LIMIT = 300_000;

/** The paths that the commands write to. */
const PLACES = ['/opt', '/etc', '/var/lib', '/var/backups', '/usr/local/bin', '/root'];

/** The files of root's own folder that npm needs. */
const OF_ROOT = ['.npm', '.cache', '.npmrc'];

/** Serves, backs up and copies as the units say, instead of the systemd that a container lacks. */
const SYSTEMCTL = `#!/bin/sh
units=/etc/systemd/system
stop() {
  [ ! -e /opt/pid ] || { kill "$(cat /opt/pid)"; while kill -0 "$(cat /opt/pid)"; do sleep 0.1; done; } 2>/dev/null
  rm -f /opt/pid /opt/log
}
start() {
  stop
  setsid $(sed -n 's/^ExecStart=//p' $units/guestlist.service) > /opt/log 2>&1 < /dev/null &
  echo $! > /opt/pid
  until grep -qs '^listening' /opt/log; do kill -0 $! || exit 1; sleep 0.1; done
}
copy() {
  . /etc/guestlist-copy.env
  OPTIONS=$(sed -n 's/^Environment="OPTIONS=\\(.*\\)"$/\\1/p' $units/guestlist-copy.service)
  eval "$(sed -n 's/^ExecStart=//p' $units/guestlist-copy.service)"
}
action=$1
shift
for unit in "$@"; do
  case "$action \${unit%.service}" in
  "start guestlist" | "restart guestlist" | "enable guestlist") start ;;
  "stop guestlist" | "disable guestlist") stop ;;
  "reload guestlist") kill -HUP "$(cat /opt/pid)" ;;
  "start guestlist-backup") guestlist backup create ;;
  "start guestlist-copy") copy ;;
  esac
done
`;

/** Runs the command here, without a connection. rsync gives the user by an option. */
const SSH = `#!/bin/sh
[ "$1" != -l ] || shift 2
# The account of the copies has its own folder.
[ "$1" != backup.example.com ] || { mkdir -p /opt/copies && cd /opt/copies; }
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

/** The blocks that the tests below run. */
const taken = new Set<string>();

const nameOf = ({ document, heading, commands }: Block) =>
  `${document}, ${heading}: ${commands.split('\n')[0]}`;

const isNotRun = (block: Block) =>
  NOT_RUN.some(
    ({ document, heading, begins }) =>
      block.document === document && block.heading === heading && block.commands.startsWith(begins),
  );

/** The commands below a heading, but not those of the list. */
function take(document: string, heading: string): readonly string[] {
  const all = commandsOf(document).filter((block) => block.heading === heading);
  const blocks = all.filter((block) => !isNotRun(block));
  assert.ok(blocks.length > 0, `${document} has no commands below ${heading}`);
  for (const block of blocks) taken.add(nameOf(block));
  return blocks.map(({ commands }) => commands);
}

const OWN_COMPUTER = [
  ...take('README.md', 'Run it'),
  ...take('README.md', 'The first invitation'),
  ...take('docs/content.md', 'Begin'),
].flatMap((commands) => commands.split('\n'));

const FILMS = take('docs/content.md', 'Pictures and videos');
const ROWS = take('docs/operations.md', 'Change rows by hand');

describe('an installation from git', { skip: lacksRoot || lacks('rsync') || cannot() }, () => {
  // Do this before the folder is removed.
  after(async () => {
    run('kill "$(cat /opt/pid)"');
    await holder.stop();
  });
  const folder = temporaryFolder();
  const repository = path.join(folder, 'repository');
  const place = (name: string) => path.join(folder, name.replaceAll('/', '_'));
  // The server ends while this process is blocked, so no connection stays open.
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

  /** Runs the commands below a heading, for a version. */
  function follow(document: string, heading: string, version = '1.0.0') {
    const text = take(document, heading).join('\n');
    return run(text.replace(/^version=.*/gm, `version=${version}`).replace('=3000', `=${port}`));
  }

  /** Runs the commands below a heading, which must succeed. @returns what they print */
  function succeed(document: string, heading: string, version?: string): string {
    const { status, output } = follow(document, heading, version);
    assert.equal(status, 0, output);
    return output;
  }

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
  const logInAgain = async () => {
    const request = { json: { email: ADA } };
    const answer = await send(`http://127.0.0.1:${port}`, 'POST /auth/login', request, agent);
    assert.equal(answer.status, 200, answer.text);
    cookie = sessionCookie(answer);
  };
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
    // A machine without Caddy lacks it.
    for (const name of ['systemd/system', 'caddy'])
      fs.mkdirSync(path.join(place('/etc'), name), { recursive: true });
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(repository, 'node_modules'));
    const bin = place('/usr/local/bin');
    fs.copyFileSync(process.execPath, path.join(bin, 'node'));
    const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' });
    fs.symlinkSync(npm.trim(), path.join(bin, 'npm'));
    fs.writeFileSync(path.join(bin, 'systemctl'), SYSTEMCTL, { mode: 0o755 });
    fs.writeFileSync(path.join(bin, 'ssh'), SSH, { mode: 0o755 });
    const mounts = PLACES.map((name) => `mount --rbind ${place(name)} ${name}`);
    for (const name of OF_ROOT) {
      const file = `/root/${name}`;
      if (!fs.existsSync(file)) continue;
      const copy = path.join(place('/root'), name);
      if (fs.statSync(file).isFile()) fs.copyFileSync(file, copy);
      else {
        fs.mkdirSync(copy);
        mounts.unshift(`mount --bind ${file} ${copy}`);
      }
    }
    const script = [...mounts, 'echo ready', 'exec sleep infinity'].join(' && ');
    holder = startProcess(['unshare', '--mount', 'sh', '-c', script]);
    await holder.prints(/ready/);
  });

  it('serves, by the commands of docs/install.md', async () => {
    const { output } = follow('docs/install.md', 'Install');
    assert.match(output, /ada@example\.com is invited\n/);
    // No machine has this domain.
    assert.deepEqual(output.match(/^FAULT +\w+/gm), ['FAULT  public'], output);
    await logInAgain();
    await isServing('1.0.0');
    assert.equal(run('stat -c %U /var/lib/guestlist/guestlist.db').output, 'guestlist\n');
    const caddyfile = fs.readFileSync(path.join(place('/etc'), 'caddy/Caddyfile'), 'utf8');
    assert.match(caddyfile, /^preview\.example\.com \{$/m);
  });

  it('shows a site that is made on the machine', async () => {
    succeed('docs/install.md', 'Make the site');
    run("until grep -q 'was reloaded' /opt/log; do sleep 0.1; done");
    await isServing('1.0.0');
    succeed('docs/install.md', 'Try it as a guest');
    assert.equal(run('guestlist invite list').output.includes('test@example.com'), false);
  });

  it('has a second site by the commands of docs/operations.md', () => {
    succeed('docs/operations.md', 'A second site');
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
    // An upgrade runs the block again.
    succeed('docs/operations.md', 'A second site');
    assert.equal(
      fs.existsSync(path.join(place('/opt'), 'guestlist-en-1.0.0/guestlist-1.0.0')),
      false,
    );
    const link = path.join(place('/opt'), 'guestlist-en-1.0.0/data');
    assert.equal(fs.readlinkSync(link), '/var/lib/guestlist-en');
    // Later tests go on with the first site.
    run('rm -r /opt/guestlist-en* /etc/guestlist-en.env /usr/local/bin/guestlist-en');
  });

  for (const line of OWN_COMPUTER)
    it(`runs on the owner's computer: ${line}`, async () => {
      // test/clone has npm ci.
      const command = ['sh', '-c', line.replace('npm ci && ', 'exec ')];
      const env = { ...process.env, PORT: '0', PUBLIC_ORIGIN: '' };
      const running = startProcess(command, { cwd: repository, env, detached: true });
      const { pid = 0 } = running.process;
      if (/npm (run|start)/.test(line)) {
        await running.prints(/http:/, COMMAND_LIMIT);
        // Ctrl-C reaches the whole group.
        process.kill(-pid, 'SIGINT');
        await running.ends();
      } else assert.equal(await running.ends(COMMAND_LIMIT), 0, running.stderr.join('\n'));
    });

  it('makes a film and its poster', { skip: lacks('ffmpeg') }, () => {
    const films = path.join(folder, 'films');
    fs.mkdirSync(films);
    const test = 'ffmpeg -loglevel error -f lavfi -i testsrc=duration=1:size=640x360 film.mov';
    execFileSync('sh', ['-ec', [test, ...FILMS].join('\n')], { cwd: films, stdio: 'pipe' });
    assert.deepEqual(fs.readdirSync(films).sort(), ['film.jpg', 'film.mov', 'film.mp4']);
  });

  it('shows the site that is copied from a computer', async () => {
    const file = path.join(repository, 'data/site/content.json');
    fs.writeFileSync(
      file,
      fs.readFileSync(file, 'utf8').replace('by invitation only', 'for friends'),
    );
    run(': > /opt/log');
    const { status, output } = run(
      `cd ${repository}\n${take('docs/content.md', 'Publish').join('\n')}`,
    );
    assert.equal(status, 0, output);
    run("until grep -q 'was reloaded' /opt/log; do sleep 0.1; done");
    const { text } = await send(`http://127.0.0.1:${port}`, 'GET /', {}, agent);
    assert.match(text, /This preview is for friends\./);
  });

  it('invites a list, writes the letters, and mails the joins', () => {
    fs.writeFileSync(path.join(repository, 'guests.csv'), GUESTS);
    const outputs = ['Invite a list', 'Write to many guests', 'Watch it'].map((heading) => {
      const commands = take('docs/operations.md', heading).join('\n');
      const { status, output } = run(
        `cd ${repository}\n${commands.replace('2026-11-17', '2226-11-17')}`,
      );
      assert.equal(status, 0, output);
      return output;
    });
    assert.match(outputs[0] ?? '', /^grace@example\.com +Grace +http/m);
    assert.match(outputs[0] ?? '', /^edsger@example\.com +http/m);
    assert.match(outputs[0] ?? '', /^ignored: Company, Kind, Notes$/m);
    for (const name of ['invitations.csv', 'reminders.csv'])
      assert.match(
        fs.readFileSync(path.join(repository, name), 'utf8'),
        /^grace@example\.com,Grace,https:\/\/preview\.example\.com\/#grace@example\.com,/m,
      );
    const crontab = fs.readFileSync(path.join(place('/etc'), 'cron.d/guestlist'), 'utf8');
    const [, note = ''] = /^0 7 \* \* \* root (.*)$/m.exec(crontab) ?? [];
    const { status, output } = run(note.replaceAll('\\%', '%'));
    assert.equal(status, 0, output);
    assert.match(output, /^no joins/m);
  });

  it('serves on while npm ci fails, and can be restarted', async () => {
    const before = pid();
    // There is no such file.
    release('1.1.0', () => {
      const file = path.join(repository, 'package.json');
      const text = fs.readFileSync(file, 'utf8');
      fs.writeFileSync(file, text.replace(/"ua-parser-js": ".*"/, '"ua-parser-js": "999.0.0"'));
    });
    const { status, output } = follow('docs/install.md', 'Upgrade', '1.1.0');
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
    succeed('docs/install.md', 'Upgrade', '1.2.0');
    await isServing('1.2.0');
    succeed('docs/operations.md', 'Roll back', '1.0.0');
    await isServing('1.0.0');
    // One line for each time that isServing asked.
    const { output } = run('guestlist events list --type timeline_view --json');
    assert.equal(JSON.parse(output).length, 6);
  });

  it('restores a snapshot by the commands of docs/operations.md', async () => {
    run('guestlist invite add later@example.com');
    assert.match(succeed('docs/operations.md', 'The disk is full'), /guestlist-\w+Z\.db/);
    const [snapshot = ''] = /guestlist-\w+Z\.db/.exec(run('guestlist backup list').output) ?? [];
    const commands = take('docs/operations.md', 'Restore a snapshot').join('\n');
    const { status, output } = run(commands.replace(/guestlist-\w+Z\.db/g, snapshot));
    assert.equal(status, 0, output);
    assert.doesNotMatch(run('guestlist invite list').output, /later/);
    await logInAgain();
    await isServing('1.0.0');
  });

  it('moves to another machine by the commands of docs/operations.md', async () => {
    run(`guestlist invite add --file - < ${repository}/guests.csv`);
    succeed('docs/install.md', 'Back up');
    const [leave = '', arrive = ''] = take('docs/operations.md', 'Move to another machine');
    const left = run(leave);
    assert.equal(left.status, 0, left.output);
    run('rm -r /var/lib/guestlist/*; systemctl start guestlist');
    const { status, output } = run(arrive);
    assert.equal(status, 0, output);
    await logInAgain();
    await isServing('1.0.0');
    const { text } = await send(`http://127.0.0.1:${port}`, 'GET /', {}, agent);
    assert.match(text, /This preview is for friends\./);
  });

  it('helps, removes and erases guests by the commands of the documents', () => {
    const { output } = follow('docs/operations.md', 'Find a fault');
    assert.match(output, /^FAULT +public/m);
    assert.match(succeed('docs/operations.md', 'A guest cannot get in'), /grace@example\.com/);
    run(`guestlist invite add --file - < ${repository}/guests.csv`);
    assert.match(succeed('docs/install.md', 'Write to them'), /no longer invited/);
    succeed('docs/operations.md', 'Remove or erase a person');
    assert.match(run('cat /root/grace.json').output, /"grace@example\.com"/);
    assert.doesNotMatch(run('guestlist invite list').output, /grace|edsger/);
    succeed('docs/standby.md', 'Set it up');
  });

  it('logs everybody out by hand', { skip: lacks('sqlite3') }, async () => {
    const { status, output } = run(ROWS.join('\n'));
    assert.equal(status, 0, output);
    const { status: answer } = await send(
      `http://127.0.0.1:${port}`,
      'GET /auth/me',
      { cookie },
      agent,
    );
    assert.equal(answer, 401);
  });

  it('exports all, and leaves no data, by the commands of docs/install.md', () => {
    const [keep = '', end = ''] = take('docs/install.md', 'Say goodbye');
    const kept = run(keep);
    assert.equal(kept.status, 0, kept.output);
    const [invites, events] = ['invites', 'events'].map((name) =>
      fs.readFileSync(path.join(place('/root'), `${name}.csv`), 'utf8'),
    );
    assert.match(invites ?? '', /^ada@example\.com,/m);
    assert.match(events ?? '', /,timeline_view,ada@example\.com,/);
    const { status, output } = run(end);
    assert.equal(status, 0, output);
    assert.equal(fs.existsSync(path.join(place('/var/lib'), 'guestlist')), false);
    assert.deepEqual(
      fs
        .readdirSync(place('/root'))
        .filter((name) => !OF_ROOT.includes(name))
        .sort(),
      ['grace.json'],
    );
  });

  it('has run every command of the documents except those with a reason', () => {
    const blocks = DOCUMENTS.flatMap(commandsOf).filter((block) => !isNotRun(block));
    assert.deepEqual(
      blocks.map(nameOf).filter((name) => !taken.has(name)),
      [],
    );
  });
});
