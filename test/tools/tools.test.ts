/**
 * Common to all tools: help, wrong usage, a missing store, other users, and the process of a shell.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { toTable } from '../../lib/cli/terminal.ts';
import { withDatabase } from '../support/database.ts';
import { lacksRoot } from '../support/lacks.ts';
import { within } from '../support/limit.ts';
import { runToEnd } from '../support/process.ts';
import { installationForAll, temporaryFolder } from '../support/temporary.ts';
import { toolsForEach } from '../support/tools.ts';

const { file, invite, says, tool } = toolsForEach();

for (const [name, usage, form] of [
  ['invite', 'add|remove|list|admin add|admin remove|admin list|log', 'add [email] [first name…]'],
  ['joins', 'list|summary|for|stats', 'for <email> [--limit <n>]'],
  ['events', 'list|summary|for|stats', 'list [--type <type>] [--from <day>] [--to <day>]'],
  ['backup', 'create|list', 'list [--limit <n>]'],
  ['person', 'export|forget', 'forget <email> [email…] [--yes]'], // extra: erasure
  ['site', 'init|check', 'check [folder]'],
  ['doctor', '', 'check settings'], // extra: doctor
] as const)
  it(`${name} --help prints every command; without a command, status 2`, async () => {
    const { status, stdout, stderr } = await tool(`${name} --help`);
    assert.deepEqual([status, stderr], [0, '']);
    assert.ok(stdout.startsWith(`usage: ${name} ${usage}`.trimEnd()), stdout);
    assert.ok(stdout.includes(form), stdout);
    if (!usage) return;
    const without = await tool(name);
    const commands = usage
      .split('|')
      .slice(0, 2)
      .join(', ')
      .replace(/^\w+, \w+$/, '.+');
    assert.deepEqual([without.status, without.stdout], [2, '']);
    assert.match(
      without.stderr,
      new RegExp(`^${name} needs a command: ${commands}.* or [\\w ]+\n`),
    );
  });

for (const [call, reason] of [
  ['invite nonsense', 'admin list or log, not "nonsense"\n'],
  ['invite admin', 'or log, not "admin"'],
  ['person', 'person needs a command: export or forget\n'], // extra: erasure
  ['invite add', 'invite add takes <email>'],
  ['invite add nonsense', '"nonsense" is not an email address'],
  [`invite add a@example.com ${'x'.repeat(101)}`, 'a first name has at most 100 characters'],
  ['joins stats x', 'unexpected argument: "x"'],
  ['joins for', '<email> is missing'],
  ['invite add ada@example.com --name Ada', 'unknown option --name\n'],
  ['invite list --limt=5', 'unknown option --limt; do you mean --limit?\n'],
  ['doctor -v', 'unknown option -v\nusage: doctor [--json] (see'], // extra: doctor
  ['joins list --limit', '--limit needs a value\n'],
  ['joins list --limit=', '--limit needs a value\n'],
  ['joins list --limit --json', '--limit needs a value\n'],
  ['joins list --limit -5', '--limit is "-5"; it must be a whole number above 0\n'],
  ['joins list --limit 1 --limit 2', '--limit is given twice\n'],
  ['joins list --json=no', '--json takes no value\n'],
  ['joins list --limit 0', '--limit is "0"; it must be a whole number above 0'],
  ['invite list --status came', 'must be one of pending, logged_in, viewed, joined'],
  ['invite list --from 2026-02-30', '--from is "2026-02-30"; it must be a day, like 2026-03-01'],
  ['joins stats --from 2026-03-02 --to 2026-03-01', '--from is after --to'],
] as const)
  it(`wrong usage is refused with status 2 and the reason: ${call.slice(0, 60)}`, async () => {
    const { status, stdout, stderr } = await tool(call);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(stderr.includes(reason), stderr);
    assert.match(stderr, /^[^\n]+\nusage: .* \(see --help\)\n$/);
    assert.ok(!fs.existsSync(file));
  });

it('without a store, lists say so, and create none', async () => {
  for (const name of ['invite', 'joins', 'events']) {
    const { status, stdout, stderr } = await tool(`${name} list --json`);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^there is no store at .* yet; the first invite creates it/);
  }
  assert.ok(!fs.existsSync(file));
});

describe('control characters of a row', () => {
  const NAME = 'A\u001b[2K\u009b1A\u007f\nb';
  const rows = () => invite('ada@example.com', NAME);

  it('are visible in tables, as are bidirectional controls', async () => {
    rows();
    assert.match(await says('invite list'), / A\\u001b\[2K\\u009b1A\\u007f\\u000ab /);
    const table = toTable(
      '',
      ['name', 'meta'],
      [{ name: '\u202eb\u200f', meta: { '\u2066c': '\u001b' } }],
    );
    assert.equal(table, 'name      meta\n\\u202eb\u200f  \\u2066c \\u001b\n');
  });

  it('stay in JSON and CSV', async () => {
    rows();
    const [row] = JSON.parse(await says('invite list --json'));
    assert.equal(row.firstName, NAME);
    assert.ok((await says('invite list --csv')).includes(`"${NAME}"`)); // extra: export
  });
});

it('all tools refuse a store that this user may not read', { skip: lacksRoot }, async () => {
  invite('ada@example.com');
  await says('backup create');
  const calls = [
    ...['invite list', 'invite remove ada@example.com', 'joins stats', 'events list --json'],
    ...['backup create', 'backup list'],
    'backup restore x.db', // extra: restore
    ...['person export ada@example.com', 'person forget ada@example.com --yes'], // extra: erasure
  ];
  // Loads the tools, because the checkout may be closed to others.
  for (const call of calls) await tool(`${call.split(' ')[0]} --help`);
  process.seteuid?.(65_534);
  try {
    for (const call of calls) {
      const { status, stdout, stderr } = await tool(call);
      assert.deepEqual([status, stdout], [1, ''], `${call}: ${stderr}`);
      assert.match(stderr, /^.*(EACCES|that this user may read).*\n$/);
    }
  } finally {
    process.seteuid?.(0);
  }
});

it('root is refused where data/ belongs to another user', {
  skip: lacksRoot,
}, () => {
  const installation = installationForAll();
  const data = path.dirname(installation.store);
  fs.mkdirSync(data);
  fs.chownSync(data, 12_345, 12_345);
  const added = installation.tool('invite', 'add', 'bo@example.com', 'Bo Lee');
  for (const [{ status, stdout, stderr }, command] of [
    [added, "tools/invite.js add bo@example.com 'Bo Lee'"],
    [installation.run(), 'server.js'],
  ] as const) {
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^data\/ belongs to another user: sudo -u '#12345' .*\n$/);
    assert.ok(stderr.endsWith(`/${command}\n`), stderr);
  }
  assert.deepEqual(fs.readdirSync(data), [], 'no file of root is left');
});

it('messages name the folder that data/ is a link to', () => {
  const installation = installationForAll();
  const folder = fs.realpathSync(temporaryFolder());
  fs.symlinkSync(folder, path.dirname(installation.store));
  const { stderr } = installation.tool('invite', 'list');
  assert.ok(stderr.includes(`there is no store at ${folder}/guestlist.db yet`), stderr);
  installation.invite('ada@example.com');
  const { stdout } = installation.tool('backup', 'create');
  assert.ok(stdout.startsWith(`${folder}/backups/guestlist-`), stdout);
});

describe('the process of a tool', () => {
  /** More bytes than a pipe holds. */
  const CLICKS = 50_000;
  const installation = installationForAll();
  const script = (name: string) => path.join(installation.root, 'tools', `${name}.js`);

  it('runs when it is called by a link, too', () => {
    const link = path.join(installation.root, 'link.js');
    fs.symlinkSync(script('invite'), link);
    const command = [process.execPath, link, 'add', 'bo@example.com'];
    const { stdout } = runToEnd(command);
    assert.match(stdout, /^bo@example\.com is invited\n/);
    const { status, stderr } = installation.tool('invite', 'remove', 'eve@example.com');
    assert.deepEqual([status, stderr.split('\n').length], [1, 2], stderr);
  });

  it('sends long output whole to a slow reader', async () => {
    withDatabase(installation.store, (db) =>
      db.exec(`with recursive numbers (i) as (
          select 1 union all select i + 1 from numbers where i < ${CLICKS})
        insert into project_joins (email, session_id, clicked_at)
        select 'bo@example.com', 'a session', i from numbers`),
    );
    for (const leaves of [false, true]) {
      const child = spawn(process.execPath, [script('joins'), 'list', '--json']);
      const stderr = text(child.stderr);
      const ended = once(child, 'close');
      let lines = 0;
      for await (const chunk of child.stdout) {
        if (leaves) break;
        lines += String(chunk).split('\n').length - 1;
        await setImmediate();
      }
      assert.deepEqual([(await ended)[0], await stderr], [0, '']);
      assert.equal(lines, leaves ? 0 : CLICKS + 2);
    }
  });

  // extra: bulk
  it('waits for pipes that do not block', async (t) => {
    const folder = temporaryFolder();
    const input = openPipe(path.join(folder, 'input'));
    const output = openPipe(path.join(folder, 'output'));
    t.after(() => fs.closeSync(input.reader));
    // The shell lets them as they are. Node would make the first three block.
    const command = `exec "$0" "$1" add --file - --json <&3 >&4`;
    const child = spawn('sh', ['-c', command, process.execPath, script('invite')], {
      stdio: ['ignore', 'ignore', 'pipe', input.reader, output.writer],
    });
    const stderr = text(child.stderr as Readable);
    const ended = once(child, 'close');
    fs.closeSync(output.writer);
    // More than a pipe holds, so both ends wait.
    const people = Array.from({ length: 3000 }, (_, i) => `person${i}@example.com\n`);
    const written = once(
      new Socket({ fd: input.writer, readable: false }).end(people.join('')),
      'close',
    );
    const printed = text(new Socket({ fd: output.reader, writable: false }));
    await within('the list to be read', written);
    assert.deepEqual([(await within('the tool to end', ended))[0], await stderr], [0, '']);
    assert.equal(JSON.parse(await printed).people.length, 3000);
  });
  // end: bulk

  const skip = !fs.existsSync('/dev/full') && 'needs /dev/full';
  it('ends with status 1 if its output cannot be written', { skip }, (t) => {
    const full = fs.openSync('/dev/full', 'w');
    t.after(() => fs.closeSync(full));
    const command = [process.execPath, script('joins'), 'stats'];
    const { status, stderr } = runToEnd(command, { stdio: ['ignore', full, 'pipe'] });
    assert.equal(status, 1);
    assert.match(stderr, /^the output cannot be written: .*\bENOSPC\b.*\n$/);
  });
});

// extra: bulk
/** Makes a pipe of which neither end blocks. */
function openPipe(name: string): { readonly reader: number; readonly writer: number } {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants;
  assert.equal(spawnSync('mkfifo', [name]).status, 0);
  const reader = fs.openSync(name, O_RDONLY | O_NONBLOCK);
  return { reader, writer: fs.openSync(name, O_WRONLY | O_NONBLOCK) };
}
// end: bulk
