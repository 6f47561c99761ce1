/** The invite tool by a table of commands: invites, administrators, ended sessions, and their log. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { invitedIn } from '../support/database.ts';
import { newStoreFile } from '../support/site.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const [ADA, GRACE, ROOT] = ['ada@example.com', 'grace@example.com', 'root@example.com'];
const ORIGIN = 'http://localhost:3000';
const LOCAL = `on this computer: ${ORIGIN}/#${ADA}\n`;
const OPEN = 'sessions still open for up to 30 days (--end-sessions ends them)';

/** Commands on one store, and what they print; on stderr with status 1. Ada has 2 sessions. */
const COMMANDS: readonly (readonly [call: string, text: string | RegExp, status?: 1])[] = [
  ['invite add ADA@Example.com Ada Lovelace', `${ADA} is invited\n${LOCAL}`],
  [`invite admin add ${ADA}`, `${ADA} is now an administrator\n`],
  [`invite add ${ADA}`, `${ADA} was already invited; nothing changed\n${LOCAL}`],
  [`invite add ${ADA} Ida`, `${ADA} was already invited; the first name is now Ida\n${LOCAL}`],
  [`invite add ${GRACE}`, /grace@example\.com is invited\n/],
  ['invite admin list', /^.*\nada@example\.com +Ida +yes +cli +\S+ \S+ +pending\n$/],
  [`invite admin add ${ADA}`, `${ADA} is already an administrator\n`, 1],
  [`invite admin remove ${ADA}`, `${ADA} is no longer an administrator\n`],
  [`invite admin remove ${ADA}`, `${ADA} is not an administrator\n`, 1],
  [
    `invite admin add ${ROOT}`,
    `${ROOT} is not on the invite list; add it first: node tools/invite.js add ${ROOT}\n`,
    1,
  ],
  [`invite remove ${ROOT}`, `${ROOT} is not on the invite list; 0 sessions open\n`, 1],
  [`invite remove ${ADA}`, `${ADA} is no longer invited; 2 ${OPEN}\n`],
  [`invite remove ${ADA}`, `${ADA} is not on the invite list; 2 ${OPEN}\n`, 1],
  [`invite remove ${ADA} --end-sessions`, `${ADA} is not on the invite list; 2 sessions ended\n`],
  [
    `invite remove ${GRACE} --end-sessions --json`,
    `{"email":"${GRACE}","removed":true,"sessionsEnded":0}\n`,
  ],
  ['invite list', 'none yet\n'],
  [
    `invite log ${ADA} --limit 6`,
    new RegExp(
      `^.*\n${['sessions_ended', 'removed', 'no_longer_admin', 'name_changed', 'made_admin']
        .map((what) => `.* cli +${what} +${ADA}.*\n`)
        .join('')}.* invited .*\n$`,
    ),
  ],
];

describe('on one store', () => {
  const { tool, write } = toolsOn(newStoreFile());
  write(({ sessions }) => [1, 2].map(() => sessions.begin(ADA, Date.now())));
  for (const [call, text, status = 0] of COMMANDS)
    it(call, async () => {
      const { stdout, stderr, ...ended } = await tool(call);
      assert.equal(ended.status, status, stderr);
      const [printed, nothing] = status === 0 ? [stdout, stderr] : [stderr, stdout];
      if (typeof text === 'string') assert.equal(printed, text);
      else assert.match(printed, text);
      assert.equal(nothing, '');
    });
});

const { file, folder, invite, json, says, tool, withInput, write } = toolsForEach();

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
    (await withInput(people, 'invite add --file -')).stdout,
    /^email .*\neve@.* Eve .*\nole@.*\nthe links .*\nole@gmial.com: did you mean gmail.com\?\nFirst names are .*\n2 invited; 1 already .*; 1 duplicate\n$/,
  );
  assert.deepEqual(invitedIn(file), [ADA, 'eve@example.com', GRACE, 'ole@gmial.com']);
});

it('add --file is all or nothing on bad lines, which it names', async () => {
  const bad = `line 3: "not an address": invalid address
line 4: "•eve@example.com": invalid address
line 5: "Ada;${ADA};${GRACE}": more than one address
line 6: "${GRACE},Zo\uFFFD": has lost characters (\uFFFD)
`;
  const lines = `\n\nnot an address\n•eve@example.com\nAda;${ADA};${GRACE}\n${GRACE},Zo\uFFFD\n${ADA}`;
  const remedy = 'no one was invited: correct these lines, and try again\n';
  for (const [input, stderr] of [
    [ADA + lines, bad + remedy],
    ['\n', 'standard input contains no addresses\n'],
  ] as const)
    assert.deepEqual(await withInput(input, 'invite add --file -'), {
      ...{ status: 1, stdout: '' },
      stderr,
    });
  const { stderr } = await tool('invite add --file /no/such/file');
  assert.equal(stderr, "ENOENT: no such file or directory, open '/no/such/file'\n");
  assert.ok(!fs.existsSync(file));
});

it('prints links to send, with a readable domain, and letters as the file of a mail merge', async () => {
  const env = { PUBLIC_ORIGIN: 'https://preview.example.com/x' };
  const origin = 'https://preview.example.com';
  const one = await withInput('', 'invite add Bo+1@xn--bcher-kva.example.com', env);
  const readable = 'bo+1@bücher.example.com';
  const link = `${origin}/#bo%2B1@b%C3%BCcher.example.com`;
  assert.equal(one.stdout, `${readable} is invited\n${link}\n`);
  const list = await withInput(`${ADA}\n${readable}\n`, 'invite add --file - --json', env);
  const [ada, known] = JSON.parse(list.stdout).people;
  assert.deepEqual(ada, {
    ...{ email: ADA, firstName: null, outcome: 'invited', link: `${origin}/#${ADA}` },
  });
  assert.equal(known.outcome, 'known');
  const wrong = await withInput('', `invite add ${GRACE}`, { PUBLIC_ORIGIN: 'preview' });
  assert.match(wrong.stderr, /^PUBLIC_ORIGIN is "preview"; it must be an http or https address /);
  assert.ok(!invitedIn(file).includes(GRACE));
  await says(`invite add ${ADA} Ada`);
  for (const [kind, subject] of [
    ['invitation', 'Your invitation to Halden'],
    ['reminder', 'Reminder: your invitation to Halden'],
  ] as const) {
    const call = `invite list --status pending --csv --letters ${kind}`;
    const { stdout } = await withInput('', call, env);
    assert.match(stdout, /^\uFEFFemail,firstName,link,subject,message\r\n/);
    const letter = `\n${ADA},Ada,${origin}/#${ADA},${subject},"Hello Ada,\n\nYou`;
    assert.ok(stdout.includes(letter), stdout);
    assert.ok(stdout.includes(`${subject},"Hello,\n\nYou`), stdout);
  }
  assert.match(await says('invite list --letters reminder'), /^email +first name +link\n/);
});

describe('the log', () => {
  it('has the invites of the page with the administrator; an erasure takes the addresses', async () => {
    invite(ROOT);
    const added = { email: ADA, firstName: null, invitedBy: ROOT, invitedAt: 1 };
    write(({ invites }) => invites.add(added, { by: ROOT, via: 'page', at: 1 }));
    const row = `2,1970-01-01T00:00:00.001Z,${ROOT},page,invited,${ADA},`;
    const csv = `\uFEFFid,at,by,via,what,email,detail\r\n${row}\r\n`;
    assert.equal(await says(`invite log ${ADA} --csv`), csv);
    await says(`person forget ${ROOT} --yes`);
    const log = (await json('invite log')).map(({ by, what, email }) => [by, what, email]);
    assert.deepEqual(
      [log.length, log[0]?.slice(1), ...log.slice(1)],
      [3, ['erased', 'erased'], ['erased', 'invited', ADA], [log[0]?.[0], 'invited', 'erased']],
    );
  });

  it('has the user who called sudo, else the one who has logged in, else a number', async (t) => {
    const { env } = process;
    t.after(() => {
      process.env = env;
    });
    for (const [user, variables] of [
      ['ada', { SUDO_USER: 'ada', LOGNAME: 'root' }],
      ['grace', { LOGNAME: 'grace' }],
      [`uid ${process.getuid?.()}`, {}],
    ] as const) {
      process.env = { ...env, SUDO_USER: '', LOGNAME: '', ...variables };
      await says(`invite add ${user.replace(' ', '-')}@example.com`);
      assert.equal((await json('invite log --limit 1'))[0]?.by, user);
    }
  });
});
