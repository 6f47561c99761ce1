/** `invite add --file`: everybody in a file, or nobody. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { readInviteFile } from '../../../lib/extras/bulk/read-file.ts';
import { invitedIn } from '../../support/database.ts';
import { lacksRoot } from '../../support/lacks.ts';
import { installationForAll, temporaryFolder } from '../../support/temporary.ts';
import { toolsForEach } from '../../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const ORIGIN = 'http://localhost:3000';

const { file, folder, json, says, tool, withInput } = toolsForEach();

it('add --file invites everybody in a file or on standard input once', async () => {
  const list = `${folder}/people.csv`;
  fs.mkdirSync(folder);
  const text = `Email,First name,Firma\r\n${ADA},"Ada, the first",X\r\n\r\n"${GRACE}",\r\n`;
  fs.writeFileSync(list, `\uFEFF${text}`, 'utf16le');
  assert.equal(
    await says(`invite add --file ${list}`),
    `email              first name      link
ada@example.com    Ada, the first  ${ORIGIN}/#${ADA}
grace@example.com                  ${ORIGIN}/#${GRACE}
these links work only on this computer; set PUBLIC_ORIGIN to get links you can send
First names may be wrong. Before you send invitations, check these: “Ada, the first”.
Read addresses from “Email”, first names from “First name”.
ignored: Firma
2 invited
`,
  );
  const people =
    'Name;Mail\nEve X;eve@example.com\n;ADA@example.com\nEva;EVE@example.com\n;ole@gmial.com';
  assert.match(
    (await withInput(people, 'invite add --file -')).stdout,
    /^email .*\neve@.* Eve .*\nole@.*\nthese links .*\nole@gmial.com: did you mean gmail.com\?\nFirst names are .*\nRead addresses .*\n2 invited; 1 was already invited; 1 duplicate\n$/,
  );
  assert.deepEqual(invitedIn(file), [ADA, 'eve@example.com', GRACE, 'ole@gmial.com']);
});

it('add --file is all or nothing on bad lines, which it names', async () => {
  const bad = `lines 3–4: invalid address: "not an address", "•eve@example.com"
line 6: has lost characters (\uFFFD): "${GRACE}"
line 5: more than one address: "Ada;${ADA};${GRACE}"
`;
  const lines = `\n\nnot an address\n•eve@example.com\nAda;${ADA};${GRACE}\n${GRACE},Zo\uFFFD\n${ADA}`;
  const remedy =
    'no one was invited: correct these lines (numbers of rows in a spreadsheet) and try again\n';
  for (const [input, stderr] of [
    [ADA + lines, bad + remedy],
    ['\n', 'standard input contains no addresses\n'],
  ] as const)
    assert.deepEqual(await withInput(input, 'invite add --file -'), {
      ...{ status: 1, stdout: '' },
      stderr,
    });
  const { stderr } = await tool('invite add --file /no/such/file');
  assert.equal(stderr, 'there is no file /no/such/file\n');
  assert.ok(!fs.existsSync(file));
});

it('add --file names the rows of one mistake together', async () => {
  const cells = Array.from({ length: 149 }, (_, i) => `a${i}@example.com / b${i}@example.com`);
  const { status, stderr } = await withInput(`Email\n${cells.join('\n')}`, 'invite add --file -');
  assert.equal(status, 1);
  assert.match(stderr, /^lines 2–150: more than one address: .* and 146 more\n/);
});

it('add --file leaves out rows without an address, and counts them', async () => {
  const list = `Email,First name\n${ADA},Ada\n,Bo\n,Cy\n`;
  const { stdout } = await withInput(list, 'invite add --file -');
  assert.match(stdout, /\nRead addresses from “Email”, .* 2 rows have no address\.\n1 invited/);
});

it('add --file reads Windows-1252 only where it is told to', async () => {
  // 0x8A and 0x9E are Š and ž, which latin1 lacks.
  const bytes = Buffer.from(`Email,Prénom\n${ADA},Zoé\n${GRACE},\x8aár\x9ea\n`, 'latin1');
  fs.mkdirSync(folder);
  fs.writeFileSync(`${folder}/guests.csv`, bytes);
  const refused = await tool(`invite add --file ${folder}/guests.csv`);
  assert.match(refused.stderr, /is not UTF-8; no one was invited: .*--encoding windows-1252/);
  const said = await says(`invite add --file ${folder}/guests.csv --encoding windows-1252`);
  assert.match(said, /Read as Windows-1252\. Check these names: “Zoé”, “Šárža”\.\n/);
});

it('add --file does not say that UTF-8 was read as Windows-1252', async () => {
  fs.mkdirSync(folder);
  fs.writeFileSync(`${folder}/guests.csv`, `Email,Prénom\n${ADA},Zoé\n`);
  const said = await says(`invite add --file ${folder}/guests.csv --encoding windows-1252`);
  assert.match(said, / Zoé /);
  assert.doesNotMatch(said, /Windows-1252/);
});

it('add --file gives all people one moment', async () => {
  await withInput(`${ADA}\n${GRACE}`, 'invite add --file -');
  const moments = (await json('invite list')).map(({ invitedAt }) => invitedAt);
  assert.equal(moments[0], moments[1]);
});

it('prints the links of new people; JSON has known ones too', async () => {
  const origin = 'https://preview.example.com';
  const env = { PUBLIC_ORIGIN: `${origin}/` };
  await withInput('', `invite add ${GRACE}`, env);
  const list = await withInput(`${ADA}\n${GRACE}\n`, 'invite add --file - --json', env);
  const [ada, known] = JSON.parse(list.stdout).people;
  assert.deepEqual(ada, {
    email: ADA,
    firstName: null,
    outcome: 'invited',
    link: `${origin}/#${ADA}`,
  });
  assert.equal(known.outcome, 'known');
});

for (const call of ['invite add', `invite add ${ADA} --file x`])
  it(`${call} is refused: it takes an address or a file`, async () => {
    const { status, stderr } = await tool(call);
    assert.equal(status, 2);
    assert.match(stderr, /^invite add takes <email> or --file\n/);
  });

it('reads the standard input of its process', () => {
  const { root } = installationForAll();
  const command = [path.join(root, 'tools/invite.js'), 'add', '--file', '-'];
  const { stdout } = spawnSync(process.execPath, command, { input: `${ADA}\n`, encoding: 'utf8' });
  assert.match(stdout, /\n1 invited\n/);
});

it('add --file of root’s file says as whom it runs', {
  skip: lacksRoot,
}, () => {
  const closed = temporaryFolder();
  const list = path.join(closed, "ada's.csv");
  fs.writeFileSync(list, ADA);
  fs.chmodSync(closed, 0o700);
  const name = spawnSync('id', ['-un', '8'], { encoding: 'utf8' }).stdout.trim();
  const read = () => readInviteFile(() => Buffer.from(''), list, 'utf-8');
  const quoted = list.replace("'", "'\\''");
  const advice = `let the shell read it: guestlist invite add --file - < '${quoted}'`;
  process.env.GUESTLIST_COMMAND = '1';
  process.seteuid?.(8);
  try {
    assert.throws(read, {
      message: `this runs as the user ${name}, who cannot read ${list}; ${advice}`,
    });
    delete process.env.GUESTLIST_COMMAND;
    assert.throws(read, { message: `this user cannot read ${list}` });
  } finally {
    process.seteuid?.(0);
    delete process.env.GUESTLIST_COMMAND;
  }
});
