/** Lists of people to invite, as the page and the tool read them: what each line is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddressList } from '../../../lib/extras/bulk/address-list.ts';
import { readInviteFile } from '../../../lib/extras/bulk/invite-file.ts';

const [a, b, c] = ['ada@example.com', 'bo@example.com', 'cyd@example.com'];
const [A, B] = [`${a}=Ada`, `${b}=Bo`];

/** The people of a list, as `address` or `address=First name`; of another line, its mistake. */
const people = (text: string) =>
  readAddressList(text).entries.map(
    ({ email, firstName, reason }) => reason ?? (firstName ? `${email}=${firstName}` : email),
  );

const invalid = (lines: number) => Array<string>(lines).fill('invalid_email');

type Case = readonly [name: string, text: string, expected: readonly string[]];

const CASES: readonly Case[] = [
  // Addresses
  ['one address a line', `${a}\r\n\n ${b} \r\u200b\n;;\n${c}`, [a, b, c]],
  ['addresses with delimiters behind them', `${a};\n${b},,\n\t${c}\t`, [a, b, c]],
  ['several addresses in a line', `${a}, ${b}\n${c};`, [a, b, c]],
  ['an international domain', 'eva@MÜNCHEN.example.com', ['eva@xn--mnchen-3ya.example.com']],
  ['invisible characters around them', `\uFEFF\u2068${a}\u2069\n\u00a0${b}\u200b`, [a, b]],
  ['the same address again', `${a}\nADA@example.com,Ada`, [a, 'twice']],
  // A mail program
  ['a name and an address', `Ada Lovelace <${a}>\nBo<${b}>\n<${c}>`, [A, B, c]],
  ['several of them', `Ada Lovelace <${a}>; Bo <${b}>; ${c};`, [A, B, c]],
  ['several between commas', `Ada <${a}>, "Bauer, Bo" <${b}>`, [A, B]],
  ['quoted names, last names first', `"Lovelace, Ada" <${a}>\n'Bauer, Bo' <${b}>`, [A, B]],
  ['Outlook, last names first', `Lovelace, Ada <${a}>; Bauer, Bo Maria <${b}>`, [A, B]],
  ['an address for a name', `${a} <${a}>\n'${b}' <${b}>`, [a, b]],
  ['quoted addresses', `'${a}'; ${b}; "${c}"\n“d@b.c”\n'e@b.c`, [a, b, c, 'd@b.c', "'e@b.c"]],
  ['names between bidirectional controls', `\u202aAda\u202c L <${a}>\n\u2068Bo\u2069,${b}`, [A, B]],
  ['the same in columns', `Email,Vorname\n${a},A\u202ed\u202ca\n${b},\u2067\u2069`, [A, b]],
  // Without a header row
  ['one other cell, behind', `${a},Ada Lovelace\n${b};"Bauer, Bo"`, [A, B]],
  ['one other cell, in front', `Ada\t\t${a}\nBo\t${b}\t`, [A, B]],
  ['two other cells', `Ada,Lovelace,${a}\n1;Bo;${b}`, [a, b]],
  ['last names first between commas', `Lovelace, Ada <${a}>, Bo <${b}>`, ['several_addresses']],
  // First words
  ['initials', `A. Lovelace <${a}>\nB Bauer <${b}>\nC.D. Cyd <${c}>`, [a, b, c]],
  ['titles', `Dr. Ada <${a}>\nFRAU Bauer <${b}>\nSeñora Cyd <${c}>`, [a, b, c]],
  ['a degree behind a comma', `"Ada Lovelace, PhD" <${a}>\n"Bo Bauer, M.D.",${b}`, [a, b]],
  ['groups', `The Halden Team <${a}>\nFamilie Bauer;${b}\nPress Office;${c}`, [a, b, c]],
  ['several people', `Ada & Bo Bauer;${a}\n"Ada/Bo";${b}\nAda and Bo;${c}`, [a, b, c]],
  ['no names', `-;${a}\n12;${b}\n(Cyd);${c}`, [a, b, c]],
  ['quoted first words', `“Ada” Lovelace <${a}>\n«Bo»;${b}`, [a, B]],
  [
    'names of other scripts',
    `मीरा;${a}\nЮлія Б;${b}\n山田 太郎;${c}`,
    [`${a}=मीरा`, `${b}=Юлія`, `${c}=山田`],
  ],
  // Below a header row
  ['columns', `Firma;Vorname;E-Mail\nX;Ada;${a}\nY;Bo;${b}`, [A, B]],
  [
    'a sheet of guests',
    `Name,Company,E-Mail,Kind\nAda Lovelace,X,${a},vip\n"Bauer, Bo",,${b},`,
    [A, B],
  ],
  ['a first name as it is', `Email,First name\n${a},"Ada, Dr. A."`, [`${a}=Ada, Dr. A.`]],
  ['no first name in its column', `Email,First name\n${a},-\n${b},${b}\n${c},`, [a, b, c]],
  ['the address for a name', `Email,Name\nAda <${a}>,\n<${b}>,Bo B.`, [A, B]],
  ['columns without a name', `Email,Phone\n${a},1\n${b},Bo`, [a, b]],
  ['one column', `E-Mail\n${a}\nBo <${b}>\n`, [a, B]],
  ['an empty column of addresses', `Email,Mail,Name\n,${a},Ada\n,${b},Bo`, [A, B]],
  ['titles above it', `Guests 2026;\n;\nfor Halden;\nName;Email\nAda;${a}`, [A]],
  ['the line of Excel', `sep=;\r\nVorname;E-Mail\r\nAda;${a}`, [A]],
  ['addresses above it', `${c}\nVorname;E-Mail\nAda;${a}`, [c, A]],
  ['it in the sixth row', `1\n2\n3\n4\n5\nEmail\n${a}`, [...invalid(6), a]],
  ['it again', `Email,Name\n${a},Ada\nEmail,Name`, [A, 'invalid_email']],
  ['other delimiters than in it', `Email,First name\n${a};Ada`, ['invalid_email']],
  ['an empty address', `Vorname;E-Mail;Von\nAda;;${b}`, ['invalid_email']],
  ['more cells than in it', `Email,Name,Kind\n${a},Lovelace, Ada,x`, ['extra_cells']],
  ['empty cells behind', `Email,Name\n${a},Ada,,`, [A]],
  // Quotes
  ['quotes', `\uFEFF\n"First name","Email"\n"Ada","${a}"\n "Bo" , "${b}"`, [A, B]],
  ['lines in quotes', `Name,Notes,Email\nAda,"a\n\nb, ""c""\n",${a}\nBo,,${b}`, [A, B]],
  // Mistakes
  ['no address', 'nobody\nno@tld\ntwo@@example.com\nto: a@b.c\n(a@b.c)\na@b.c d@e.f', invalid(6)],
  ['addresses between other marks', `${a}|${b}\n${a}/${b}\n${a}，${b}\n• ${a}`, invalid(4)],
  ['lost characters', `M\uFFFDller,${a}\n\uFFFD${b}`, ['lost_characters', 'lost_characters']],
  ['a long name', `Vorname,Email\n${'x'.repeat(101)},${a}\n,${a}`, ['invalid_first_name', a]],
  ['a long address', `${'x'.repeat(250)}@example.com`, ['invalid_email']],
];

describe('a list of people', () => {
  for (const [name, text, expected] of CASES)
    it(`may have ${name}`, () => assert.deepEqual(people(text), expected));

  it('has the number and the text of each line', () => {
    const list = 'sep=;\nMail;Notes\n\na@b.c;"1\r\n2"\n\tx';
    const rows = Array.from(readAddressList(list).entries, ({ line, text }) => [line, text]);
    assert.deepEqual(rows, [
      [4, 'a@b.c;"1\n2"'],
      [6, '\tx'],
    ]);
  });

  it('of 100,000 characters of any one kind is read', () => {
    for (const kind of ['"', '"a,', '@', '<', ' ', 'x', 'a@b.c,', '\t"', '"\n', ',""', 'Email,'])
      for (const end of ['', `"${a}`])
        assert.ok(people(kind.repeat(100_000 / kind.length) + end).length <= 50_000);
  });
});

const FULL = 'First names are the first words of “Name”. Check them before you send invitations.';
const rows = (count: number) => Array.from({ length: count }, (_, i) => `x${i}@b.c`).join('\n');

for (const [what, text, warning, ignored = []] of [
  ['a name beside each address', `${a},Ada\n${b},Bo`, null],
  ['first names', `Email,Vorname,Name\n${a},Ada,L`, null, ['Name']],
  ['names of two words', `Name, Firma ,,E-Mail\nAda L,X,,${a}`, FULL, ['Firma']],
  [
    'full names that may be wrong',
    `Name,Email\nAda L,${a}\n"Bo Bauer, Cy Cyd",${b}\nSMITH Dee,${c}\nInfo,d@b.c\n山田 太郎,e@b.c`,
    'First names are the first words of “Name”. Before you send invitations, check these: ' +
      '“Cy”, “SMITH”, “Info”, “山田”.',
  ],
  [
    'first names that may be wrong',
    `Email,Vorname\n${a},Ada Maria\n${b},Dr. Bo\n${c},Team\nd@b.c,Dee & Eve`,
    'First names may be wrong. Before you send invitations, check these: “Dr. Bo”, “Team”, “Dee & Eve”.',
  ],
  ['no name below "Name"', `Name,Email\n,${a}`, null],
  ['two cells that may be a name', `${a}\nAda,Lovelace,${b}`, 'Add a header row to use names.'],
  ['a word in over a quarter of the lines', `${rows(8)}\n${a},Ada\n${b},Ada\n${c},Ada`, 'Ada'],
  ['it in a quarter of them', `${rows(9)}\n${a},Ada\n${b},Ada\n${c},Ada`, null],
] as const)
  it(`a list with ${what} has its warning and ignored columns`, () => {
    const list = readAddressList(text);
    const times = /^“(\w+)” is the first name of 3 people out of 11\.$/.exec(list.warning ?? '');
    assert.equal(times?.[1] ?? list.warning, warning);
    assert.deepEqual(list.ignored, ignored);
  });

it('a file of the tool is UTF-8 or UTF-16 with its mark, and another one is refused', () => {
  const text = 'zoe@example.com,Zoë';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const nameIn = (bytes: Buffer) => readInviteFile(() => bytes, '-').entries[0]?.firstName;
  for (const bytes of [Buffer.from(text), Buffer.from(`\uFEFF${text}`), utf16])
    assert.equal(nameIn(bytes), 'Zoë');
  assert.equal(nameIn(Buffer.from(utf16).swap16()), 'Zoë');
  const turkish = Buffer.from(text.replace('ë', '\xfd'), 'latin1');
  for (const bytes of [turkish, Buffer.from(text, 'utf16le'), Buffer.from('PK\x03\x04\0')])
    assert.throws(() => nameIn(bytes), /^Error: standard input is not UTF-8; .* as CSV UTF-8/);
});
