/** The invite tool: invites, administrators, and ended sessions. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
import { invitedIn, queryOne } from '../support/database.ts';
import { toolsForEach } from '../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

const { file, folder, invite, json, says, tool, withInput, write } = toolsForEach();

const ORIGIN = 'http://localhost:3000';
const LOCAL = `on this computer: ${ORIGIN}/#${ADA}`;

const addFrom = (input: string) => withInput(input, 'invite add --file -');
const begin = (email: string) => write(({ sessions }) => sessions.begin(email, Date.now()).token);
const isOpen = (token = '') =>
  queryOne(file, `select count(*) from sessions where id = '${token.slice(0, 22)}'`) === 1;

it('add <email> invites, trimmed and lower-cased, invited by cli, and makes the store', async () => {
  const added = await says('invite add', ' Ada@Example.COM ', 'Ada', 'Lovelace');
  assert.equal(added, `${ADA} is invited\n${LOCAL}\n`);
  const [{ invitedAt, ...row } = {}] = await json('invite list');
  assert.deepEqual(
    [row.email, row.firstName, row.isAdmin, row.invitedBy, row.status],
    [ADA, 'Ada Lovelace', false, 'cli', 'pending'],
  );
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
});

it('add again sets the first name if one is given, changes nothing else, says so, exit 0', async () => {
  invite(ADA, 'Ada');
  write(({ invites }) => invites.setAdmin(ADA, true));
  const known = `${ADA} was already invited; `;
  assert.equal(await says(`invite add ${ADA}`), `${known}nothing changed\n${LOCAL}\n`);
  const renamed = `${known}the first name is now Augusta\n${LOCAL}\n`;
  assert.equal(await says(`invite add ${ADA} Augusta`), renamed);
  const [row] = await json('invite list');
  assert.deepEqual([row?.firstName, row?.isAdmin], ['Augusta', true]);
});

it('add --file invites everybody in a file, or on standard input, each once, and prints the names', async () => {
  const list = `${folder}/people.csv`;
  fs.mkdirSync(folder);
  const text = `Email,First name,Firma\r\n${ADA},"Ada, the first",X\r\n\r\n"${GRACE}",\r\n`;
  fs.writeFileSync(list, `\uFEFF${text}`, 'utf16le');
  assert.equal(
    await says(`invite add --file ${list}`),
    `2 invited; 0 already invited, 0 of them with a new first name; 0 duplicate
ignored: Firma
email              first name      link
ada@example.com    Ada, the first  ${ORIGIN}/#${ADA}
grace@example.com                  ${ORIGIN}/#${GRACE}
the links lead to this computer; set PUBLIC_ORIGIN to get those to send
`,
  );
  const people = 'Name;Mail\nEve X;eve@example.com\n;ADA@example.com\nEva;EVE@example.com\n';
  const { stdout } = await addFrom(people);
  assert.match(
    stdout,
    /^1 invited; 1 already .*; 1 duplicate\nFirst names are .*\nemail .*\neve@.* Eve .*\nthe links lead to/,
  );
  const invites = await json('invite list');
  assert.deepEqual(Object.fromEntries(invites.map((row) => [row.email, row.firstName])), {
    [ADA]: 'Ada, the first',
    [GRACE]: null,
    'eve@example.com': 'Eve',
  });
});

it('add prints the link to send, with a readable domain, and a list those of new people', async () => {
  const env = { PUBLIC_ORIGIN: 'https://preview.example.com/x' };
  const link = (fragment: string) => `https://preview.example.com/#${fragment}`;
  const one = await withInput('', 'invite add Bo+1@xn--bcher-kva.example.com', env);
  const readable = 'bo+1@bücher.example.com';
  const sent = link('bo%2B1@b%C3%BCcher.example.com');
  assert.equal(one.stdout, `${readable} is invited\n${sent}\n`);
  assert.match(await says(`invite admin add ${readable}`), /^bo\+1@bücher\.example\.com is now/);
  const list = await withInput(`${ADA}\n${readable}\n`, 'invite add --file - --json', env);
  const [ada, known] = JSON.parse(list.stdout).people;
  assert.deepEqual(ada, { email: ADA, firstName: null, outcome: 'invited', link: link(ADA) });
  assert.equal(known.outcome, 'known');
  const table = await withInput(`eve@example.com\n${readable}\n`, 'invite add --file -', env);
  assert.match(table.stdout, /\nemail .*\neve@example\.com .* https:\S+\/#eve@example\.com\n$/);
  for (const PUBLIC_ORIGIN of ['preview', 'preview.example.com:443']) {
    const wrong = await withInput('', `invite add ${GRACE}`, { PUBLIC_ORIGIN });
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /^PUBLIC_ORIGIN is "preview.*"; it must be a URL\n$/);
    assert.ok(!invitedIn(file).includes(GRACE));
  }
});

it('list --letters --csv is the file of a mail merge', async () => {
  invite(ADA, 'Ada');
  invite(GRACE);
  const env = { PUBLIC_ORIGIN: 'https://preview.example.com' };
  const call = 'invite list --status pending --csv --letters';
  for (const [kind, subject, words] of [
    ['invitation', 'Your invitation to Halden', 'You are invited to'],
    ['reminder', 'Reminder: your invitation to Halden', 'is still open:'],
  ] as const) {
    const { stdout } = await withInput('', `${call} ${kind}`, env);
    assert.match(stdout, /^\uFEFFemail,firstName,link,subject,message\r\n/);
    const link = `https://preview.example.com/#${ADA}`;
    assert.ok(stdout.includes(`\n${ADA},Ada,${link},${subject},"Hello Ada,\n\nYou`), stdout);
    assert.ok(stdout.includes(`${subject},"Hello,\n\nYou`));
    assert.equal(stdout.split(words).length, 3);
  }
  assert.match(await says('invite list --letters reminder'), /^email +first name +link\n/);
});

it('add --file is all or nothing on bad lines, which it names', async () => {
  const { status, stderr } = await addFrom(`${ADA}\nx@\n${GRACE}\n•eve@example.com`);
  assert.equal(status, 1);
  const bad = 'line 2: "x@": invalid address\nline 4: "•eve@example.com": invalid address\n';
  assert.equal(stderr, `${bad}no one was invited: correct what is named, and try again\n`);
  const unread = await tool('invite add --file /no/such/file');
  assert.match(unread.stderr, /^\/no\/such\/file cannot be read \(ENOENT/);
  assert.match((await addFrom('\n')).stderr, /contains no addresses/);
  assert.ok(!fs.existsSync(file));
});

it('remove <email> says how many sessions stay open; --end-sessions ends them, also afterwards', async () => {
  invite(ADA);
  const [first] = [begin(ADA), begin(ADA)];
  const removed = await says(`invite remove ${ADA}`);
  assert.match(removed, /no longer invited; 2 sessions left open until 30 days after login/);
  const again = await tool(`invite remove ${ADA}`);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /not on the invite list; 2 sessions left open .*--end-sessions/);
  assert.ok(isOpen(first));
  const call = `invite remove ${ADA} --end-sessions`;
  assert.equal(await says(call), `${ADA} is not on the invite list; 2 sessions ended\n`);
  assert.ok(!isOpen(first));
  const nothing = { email: ADA, removed: false, sessionsEnded: 0 };
  assert.deepEqual(await json(call), nothing);
  invite(GRACE);
  const graces = begin(GRACE);
  const ended = await says(`invite remove ${GRACE} --end-sessions`);
  assert.match(ended, /no longer invited; 1 session ended\n$/);
  assert.deepEqual([isOpen(graces), invitedIn(file)], [false, []]);
});

it('remove and admin add of somebody who is not invited are refused with 1', async () => {
  invite(ADA);
  for (const [call, reason] of [
    ['invite remove eve@example.com', 'no session was open\n'],
    [
      'invite admin add eve@example.com',
      'add it first: node tools/invite.js add eve@example.com\n',
    ],
  ] as const) {
    const { status, stderr } = await tool(call);
    assert.equal(status, 1);
    assert.equal(stderr, `eve@example.com is not on the invite list; ${reason}`);
  }
});

it('admin add, admin list, admin remove set and clear is_admin', async () => {
  for (const email of [ADA, GRACE]) invite(email);
  const added = await says('invite admin add GRACE@example.com');
  assert.equal(added, `${GRACE} is now an administrator\n`);
  const admins = (await json('invite admin list')).map(({ email }) => email);
  assert.deepEqual(admins, [GRACE]);
  assert.match((await tool(`invite admin add ${GRACE}`)).stderr, /is already an administrator/);
  await says(`invite admin remove ${GRACE}`);
  assert.match((await tool(`invite admin remove ${GRACE}`)).stderr, /is not an administrator/);
  assert.deepEqual(await json('invite admin list'), []);
});
