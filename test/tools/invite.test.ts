/** The invite tool: invites, administrators, and ended sessions. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { it } from 'node:test';
import { invitedIn, queryOne } from '../support/database.ts';
import { toolsForEach } from '../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const ORIGIN = 'http://localhost:3000';
const LOCAL = `on this computer: ${ORIGIN}/#${ADA}`;

const { file, folder, invite, json, says, tool, withInput, write } = toolsForEach();

const addFrom = (input: string) => withInput(input, 'invite add --file -');
const begin = (email: string) => write(({ sessions }) => sessions.begin(email, Date.now()).id);
const sessions = () => queryOne(file, 'select count(*) from sessions');
const refuses = async (call: string, reason: string) => {
  const { status, stderr } = await tool(call);
  assert.deepEqual([status, stderr.includes(reason)], [1, true], stderr);
};

it('add <email> invites, trimmed and lower-cased, and makes the store; again, it only sets the name', async () => {
  const added = await says('invite add', ' Ada@Example.COM ', 'Ada', 'Lovelace');
  assert.equal(added, `${ADA} is invited\n${LOCAL}\n`);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  write(({ invites }) => invites.setAdmin(ADA, true));
  const known = `${ADA} was already invited; `;
  assert.equal(await says(`invite add ${ADA}`), `${known}nothing changed\n${LOCAL}\n`);
  const renamed = `${known}the first name is now Augusta\n${LOCAL}\n`;
  assert.equal(await says(`invite add ${ADA} Augusta`), renamed);
  const [{ firstName, isAdmin, invitedBy, status } = {}] = await json('invite list');
  assert.deepEqual([firstName, isAdmin, invitedBy, status], ['Augusta', true, 'cli', 'pending']);
});

it('add --file invites everybody in a file, or on standard input, each once, and prints the names', async () => {
  const list = `${folder}/people.csv`;
  fs.mkdirSync(folder);
  const text = `Email,First name,Firma\r\n${ADA},"Ada, the first",X\r\n\r\n"${GRACE}",\r\n`;
  fs.writeFileSync(list, `\uFEFF${text}`, 'utf16le');
  assert.equal(
    await says(`invite add --file ${list}`),
    `email              first name      link
ada@example.com    Ada, the first  ${ORIGIN}/#${ADA}
grace@example.com                  ${ORIGIN}/#${GRACE}
the links lead to this computer; set PUBLIC_ORIGIN to get those to send
First names may be wrong. Before you send invitations, check these: “Ada, the first”.
ignored: Firma
2 invited; 0 already invited, 0 of them with a new first name; 0 duplicate
`,
  );
  const people =
    'Name;Mail\nEve X;eve@example.com\n;ADA@example.com\nEva;EVE@example.com\n;ole@gmial.com';
  assert.match(
    (await addFrom(people)).stdout,
    /^email .*\neve@.* Eve .*\nole@.*\nthe links .*\nole@gmial.com: did you mean gmail.com\?\nFirst names are .*\n2 invited; 1 already .*; 1 duplicate\n$/,
  );
  assert.deepEqual(invitedIn(file), [ADA, 'eve@example.com', GRACE, 'ole@gmial.com']);
});

it('add --file is all or nothing on bad lines, which it names', async () => {
  const { status, stderr } = await addFrom(`${ADA}\nx@\n${GRACE}\n•eve@example.com`);
  const bad = 'line 2: "x@": invalid address\nline 4: "•eve@example.com": invalid address\n';
  const remedy = 'no one was invited: correct what is named, and try again\n';
  assert.deepEqual([status, stderr], [1, bad + remedy]);
  await refuses(
    'invite add --file /no/such/file',
    "ENOENT: no such file or directory, open '/no/such/file'\n",
  );
  assert.match((await addFrom('\n')).stderr, /contains no addresses/);
  assert.ok(!fs.existsSync(file));
});

it('add prints the link to send, with a readable domain, and a list those of new people', async () => {
  const env = { PUBLIC_ORIGIN: 'https://preview.example.com/x' };
  const link = (fragment: string) => `https://preview.example.com/#${fragment}`;
  const one = await withInput('', 'invite add Bo+1@xn--bcher-kva.example.com', env);
  const readable = 'bo+1@bücher.example.com';
  const sent = link('bo%2B1@b%C3%BCcher.example.com');
  assert.equal(one.stdout, `${readable} is invited\n${sent}\n`);
  const list = await withInput(`${ADA}\n${readable}\n`, 'invite add --file - --json', env);
  const [ada, known] = JSON.parse(list.stdout).people;
  assert.deepEqual(ada, { email: ADA, firstName: null, outcome: 'invited', link: link(ADA) });
  assert.equal(known.outcome, 'known');
  const wrong = await withInput('', `invite add ${GRACE}`, { PUBLIC_ORIGIN: 'preview' });
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^PUBLIC_ORIGIN is "preview"; it must be an http or https address /);
  assert.ok(!invitedIn(file).includes(GRACE));
});

it('list --letters --csv is the file of a mail merge', async () => {
  invite(ADA, 'Ada');
  invite(GRACE);
  const env = { PUBLIC_ORIGIN: 'https://preview.example.com' };
  for (const [kind, subject, words] of [
    ['invitation', 'Your invitation to Halden', 'You are invited to'],
    ['reminder', 'Reminder: your invitation to Halden', 'is still open:'],
  ] as const) {
    const call = `invite list --status pending --csv --letters ${kind}`;
    const { stdout } = await withInput('', call, env);
    assert.match(stdout, /^\uFEFFemail,firstName,link,subject,message\r\n/);
    const link = `https://preview.example.com/#${ADA}`;
    assert.ok(stdout.includes(`\n${ADA},Ada,${link},${subject},"Hello Ada,\n\nYou`), stdout);
    assert.ok(stdout.includes(`${subject},"Hello,\n\nYou`));
    assert.equal(stdout.split(words).length, 3);
  }
  assert.match(await says('invite list --letters reminder'), /^email +first name +link\n/);
});

it('remove <email> says how many sessions stay open; --end-sessions ends them, also afterwards', async () => {
  for (const email of [ADA, GRACE]) invite(email);
  for (const email of [ADA, ADA, GRACE]) begin(email);
  const removed = await says(`invite remove ${ADA}`);
  assert.match(removed, /no longer invited; 2 sessions left open until 30 days after login/);
  await refuses(`invite remove ${ADA}`, 'not on the invite list; 2 sessions left open');
  const call = `invite remove ${ADA} --end-sessions`;
  assert.equal(await says(call), `${ADA} is not on the invite list; 2 sessions ended\n`);
  assert.deepEqual(await json(call), { email: ADA, removed: false, sessionsEnded: 0 });
  const ended = await says(`invite remove ${GRACE} --end-sessions`);
  assert.match(ended, /no longer invited; 1 session ended\n$/);
  assert.deepEqual([sessions(), invitedIn(file)], [0, []]);
});

it('admin add, admin list, admin remove set and clear is_admin', async () => {
  for (const email of [ADA, GRACE]) invite(email);
  const added = await says('invite admin add GRACE@example.com');
  assert.equal(added, `${GRACE} is now an administrator\n`);
  const admins = (await json('invite admin list')).map(({ email }) => email);
  assert.deepEqual(admins, [GRACE]);
  await refuses(`invite admin add ${GRACE}`, 'is already an administrator');
  await says(`invite admin remove ${GRACE}`);
  await refuses(`invite admin remove ${GRACE}`, 'is not an administrator');
  assert.deepEqual(await json('invite admin list'), []);
  const unknown = 'eve@example.com is not on the invite list; ';
  await refuses('invite remove eve@example.com', `${unknown}0 sessions open\n`);
  const remedy = 'add it first: node tools/invite.js add eve@example.com\n';
  await refuses('invite admin add eve@example.com', unknown + remedy);
});
