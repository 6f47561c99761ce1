/** The invite tool, run as an operator runs it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { beginSession } from '../../lib/store/sessions.ts';
import { openDatabase } from '../../lib/store/sqlite.ts';
import { enter, install, startService, temporaryFolder } from '../service.ts';
import { callTool } from './tool.ts';

const PUBLIC = { PUBLIC_ORIGIN: 'https://preview.example.com' };

/** What an operator types, the exit status, and what the tool then says. */
type Step = readonly [command: string, status: number, said: string | RegExp];

function walk(folder: string, steps: readonly Step[], env: NodeJS.ProcessEnv = PUBLIC): void {
  for (const [command, status, said] of steps) {
    const result = callTool(folder, command, { env });
    const text = status === 0 ? result.stdout : result.stderr;
    assert.equal(result.status, status, `${command}: ${result.stdout}${result.stderr}`);
    assert.equal(status === 0 ? result.stderr : result.stdout, '', command);
    if (typeof said === 'string') assert.equal(text, `${said}\n`, command);
    else assert.match(text, said, command);
  }
}

test('invites, names, promotes and removes', () => {
  const folder = install();
  const link = 'To send:\nhttps://preview.example.com/#ada@example.com';
  const notInvited = 'eve@example.com is not on the invite list';
  const known = 'Already invited: Ada <ada@example.com>';
  walk(folder, [
    ['invite add " Ada@Example.com" Ada', 0, `Invited Ada <ada@example.com>\n${link}`],
    ['invite add ada@example.com', 0, `${known}\n${link}`],
    ['invite list', 0, /^ada@example\.com +Ada +pending +false +cli +\S+Z$/m],
    [
      'invite add ada@example.com "Ada L"',
      0,
      `${known}; first name changed from Ada to Ada L\n${link}`,
    ],
    ['invite add ada@example.com ""', 0, /first name changed from Ada L to none\n/],
    [
      'invite admin add eve@example.com',
      1,
      `${notInvited}; add it first: node ${folder}/tools/invite.js add eve@example.com`,
    ],
    ['invite admin remove eve@example.com', 1, notInvited],
    ['invite admin add ADA@example.com', 0, 'ada@example.com is now an administrator'],
    ['invite admin list', 0, /^email +firstName\nada@example\.com\n$/],
    ['invite admin remove ada@example.com', 0, 'ada@example.com is no longer an administrator'],
    ['invite admin list --json', 0, '[]'],
    ['invite remove ada@example.com', 0, 'Removed ada@example.com'],
    ['invite remove ada@example.com', 1, 'ada@example.com is not on the invite list'],
    ['invite list --json', 0, '[]'],
  ]);
});

test('a wrong call is answered with the usage', () => {
  const HELP = /^usage: node \/.*\/tools\/invite\.js <command>\n\nadd <email> /;
  const USAGE = /\nusage: node \/.*\/tools\/invite\.js /;
  walk(install(), [
    ['invite', 2, HELP],
    ['invite admin', 2, HELP],
    ['invite remove', 2, USAGE],
    ['invite remove ada@example.com bob@example.com', 2, USAGE],
    ['invite list --jsn', 2, USAGE],
    ['invite list --limit 0', 2, USAGE],
    ['invite remove ada', 2, '"ada" is not an email address'],
    ['invite add "a,b@example.com"', 2, /^"a,b@example\.com" is not an [^;]*$/],
    ['invite add guests.csv', 2, /^"guests\.csv" is not an [^;]*$/],
    ['invite add', 2, /^give an address, or a list with --file\n/],
    [`invite add ada@example.com ${'x'.repeat(101)}`, 2, /is too long/],
    ['invite add ada@example.com --file x', 2, /not both/],
    ['invite add ada@example.com --yes', 2, /^--yes is for lists/],
    ['invite forget ada@example.com', 2, /--yes/],
    ['invite -h', 0, HELP],
    ['invite help', 0, HELP],
    ['invite --help', 0, /^admin list \[--limit N\] \[--json\|--csv\]$/m],
  ]);
});

test('marks a link to this computer, and says how to see the one to send', () => {
  const folder = install();
  const remedy = `PUBLIC_ORIGIN=https://preview.example.com node ${folder}/tools/invite.js add ada@example.com`;
  const links = 'On this computer:\nhttp://localhost:3000/#ada@example.com';
  const hint = `For a link you can send, name your site: ${remedy}`;
  const steps: readonly Step[] = [
    ['invite add ada@example.com', 0, `Invited ada@example.com\n${links}\n${hint}`],
    ['invite list --csv', 0, /,link\r\nada@example\.com,.*,\r\n\n?$/],
  ];
  const wrong: Step = ['invite add eve@example.com', 2, /^PUBLIC_ORIGIN is "x"/];
  walk(folder, steps, {});
  walk(folder, [wrong], { PUBLIC_ORIGIN: 'x' });
  walk(folder, [['invite list --json', 0, /^((?!eve@).)*$/s]]);
});

test('removes an invite while the service runs, and ends the sessions that stay open', async () => {
  const { folder, db, get } = await startService();
  const cookie = enter(db, 'ada@example.com', 'Ada');
  beginSession(db, 'ada@example.com', Date.now());
  const me = async () => {
    const { status, text } = await get('/auth/me', cookie);
    return `${status} ${text}`;
  };
  assert.match(await me(), /^200 .*"Ada"/);
  const end = `node ${folder}/tools/invite.js end-sessions ada@example.com`;
  const removed = 'Removed ada@example.com, who was an administrator';
  walk(folder, [
    ['invite admin add ada@example.com', 0, /administrator/],
    ['invite remove ada@example.com', 0, `${removed}\nSessions still open: 2. End them: ${end}`],
  ]);
  assert.match(await me(), /^200 .*null/);
  walk(folder, [
    ['invite end-sessions Ada@example.com', 0, 'Sessions of ada@example.com ended: 2'],
    ['invite end-sessions ada@example.com', 0, 'Sessions of ada@example.com ended: 0'],
  ]);
  assert.equal(await me(), '401 ');
});

test('a printed command runs from anywhere, and runs nothing that is in an address', async () => {
  const { folder, db, get } = await startService();
  const traps = temporaryFolder();
  const emails = [
    '`id>a`@example.com',
    '$(id>b)@example.com',
    "'$(id>c)'`id>d`&id>e@example.com",
    '-anna-@example.com',
  ];
  for (const email of emails) {
    const cookie = enter(db, email);
    const tool = path.join(folder, 'tools/invite.js');
    const remove = [tool, 'remove', '--', email];
    const { stdout } = spawnSync(process.execPath, remove, { encoding: 'utf8' });
    const [, command = ''] = stdout.split(' End them: ');
    const pasted = spawnSync('sh', ['-c', command], { encoding: 'utf8', cwd: traps });
    assert.equal(pasted.stdout, `Sessions of ${email} ended: 1\n`);
    assert.equal((await get('/auth/me', cookie)).status, 401);
  }
  assert.deepEqual(fs.readdirSync(traps), []);
});

test('shows how a list is read, and invites it with --yes', () => {
  const folder = install();
  const file = path.join(temporaryFolder(), 'my list.csv');
  fs.writeFileSync(
    file,
    'Name;Vorname;Mail\nL;Ada;ada@example.com\nx;Bob;bob@\n-;A;ADA@example.com\nSum;3;\nH;G.;grace@example.com',
  );
  const call = `invite add --file "${file}"`;
  const reading = `\
line  result         email              firstName
2     guest          ada@example.com    Ada
3     invalid_email  bob@               Bob
4     repeat         ada@example.com    A
6     guest          grace@example.com  G.

guest: 2, invalid_email: 1, repeat: 1
columns: "Name", "Vorname", "Mail"
line 5 has no address
Nobody has been invited yet. If this list is right, run the command again with --yes.`;
  const invited = /^Invited: 1\. Already on the list: 1\.\nTo send:\n.*#ada@.*\n.*#grace@.*\n$/m;
  walk(folder, [
    ['invite add ada@example.com Countess', 0, /^Invited/],
    [`invite add "${file}"`, 2, /; a list\? --file '.*my list\.csv'\n$/],
    [call, 0, reading],
    ['invite list --json', 0, /^((?!grace).)*$/s],
    [`${call} --yes`, 0, invited],
    ['invite list', 0, /^grace@example\.com +G\. .*^ada@example\.com +Countess /ms],
  ]);
});

test('reads a list from its input, and refuses anything else in one line', () => {
  const folder = install();
  const notText = /^this file is not UTF-8 text; save the list as CSV UTF-8\n$/;
  const twoColumns = 'Boss,Email\nmax@example.com,ada@example.com';
  const cases: readonly (readonly [input: string | Buffer, said: RegExp])[] = [
    ['ada@example.com\r\nbob@example.com\r\n', /^Invited: 2\. /m],
    ['ada@example.com\tAda', /^No first names: name their column "First name", or choose it/m],
    ['Ada\n', /^there is no email address to invite in this list\n$/],
    [twoColumns, /^several columns have addresses, "Boss", "Email": delete all but one, or choose/],
    ['PK\x03\x04\0', notText],
    [Buffer.from('\xa3ukasz,lukasz@example.com', 'latin1'), notText],
  ];
  for (const [input, said] of cases) {
    const result = callTool(folder, 'invite add --file - --yes', { input, env: PUBLIC });
    assert.match(result.stdout || result.stderr, said);
  }
  assert.match(callTool(folder, 'invite add --file /nowhere').stderr, /^ENOENT: [^\n]*nowhere'\n$/);
});

test('erases a person from every column, every byte and the sight of a running service', async () => {
  const { folder, db, get, post } = await startService();
  const cookie = enter(db, 'ada@example.com', 'Ada-the-Countess');
  const admin = enter(db, 'root@example.com');
  db.exec(`update invites set is_admin = 1, invited_by = 'ada@example.com'`);
  await get('/timeline', cookie);
  await post('/api/project-join', {}, cookie);
  const { stdout } = callTool(folder, 'backup create');
  const [snapshot] = stdout.split('\n');
  // A backup that was killed left it. No process has this number.
  const draft = path.join(folder, 'data/backups/draft-9999999.db');
  fs.writeFileSync(draft, 'ada@example.com');
  walk(folder, [
    [
      'invite forget ADA@example.com --yes',
      0,
      'Erased ada@example.com; rows: 4\nGuests whom this person invited stay on the list: 1\n' +
        `These snapshots still have the address:\n${draft}\n${snapshot}`,
    ],
    ['invite forget eve@example.com --yes', 0, /^Nothing is stored about eve@example\.com\n/],
    ['invite list --csv', 0, /^root@example\.com,,pending,true,erased,/m],
  ]);
  assert.equal((await get('/auth/me', cookie)).status, 401);
  assert.equal((await get('/svcops', admin)).status, 200);
  for (const name of ['guestlist.db', 'guestlist.db-wal'])
    assert.doesNotMatch(
      fs.readFileSync(path.join(folder, 'data', name), 'latin1'),
      /ada@|Countess/,
    );
});

test('says so when another program keeps erased bytes on disk', () => {
  const folder = install();
  const forget = 'invite forget ada@example.com --yes';
  const remedy = /Erased ada@example.com, but old copies may still be on disk/;
  walk(folder, [['invite add ada@example.com', 0, /^Invited/]]);
  const reader = openDatabase(path.join(folder, 'data/guestlist.db'));
  reader.exec('begin; select * from invites');
  // The tool waits 5 s for the reader.
  walk(folder, [[forget, 1, remedy]]);
  reader.close();
  walk(folder, [[forget, 0, 'Nothing is stored about ada@example.com']]);
});
