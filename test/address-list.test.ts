/** Lists of people to invite, as the page and the tool read them: what each line is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeFile, readList, writeList } from '../lib/address-list.ts';

/** The people of a list, as `address` or `address=First name`; of another line, what it is. */
const people = (text: string) =>
  readList(text)
    .filter(({ what }) => what !== 'heading')
    .map(({ email, firstName, what }) =>
      what !== 'new' ? what : firstName ? `${email}=${firstName}` : email,
    );

const [a, b] = ['ada@example.com', 'bo@example.com'];
const [A, B] = [`${a}=Ada`, `${b}=Bo`];

const CASES: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
  // Several addresses
  ['addresses, one a line', `${a}\r\n\n ${b} \n\u200b\n;;\n`, [a, b]],
  ['addresses between commas', `${a}, ${b}`, [a, b]],
  ['addresses between semicolons', `${a}; ${b}; cyd@example.com`, [a, b, 'cyd@example.com']],
  ['addresses between spaces', `${a} ${b}`, [a, b]],
  [
    'addresses between commas and semicolons',
    `${a},${b};cyd@example.com`,
    [a, b, 'cyd@example.com'],
  ],
  ['several addresses below a heading', `Email\n${a}, ${b}`, [a, b]],
  ['several addresses in a cell of a column', `Vorname;Email\nAda;${a} ${b}`, [a, b]],
  [
    'addresses between other marks',
    `${a}|${b}\n${a}/${b}\n${a}，${b}`,
    Array(3).fill('invalid_email'),
  ],
  // Names beside addresses
  ['a mail program', `Ada Lovelace <${a}>; Bo <${b}>;`, [A, B]],
  ['names in front', `Ada Lovelace <${a}>\nBo<${b}>`, [A, B]],
  ['names behind', `${a} - Ada\n${b} (Bo)`, [A, B]],
  ['a quoted name, last name first', `"Lovelace, Ada" <${a}>`, [A]],
  ['quoted names, last names first', `"Lovelace, Ada" <${a}>; "Bauer, Bo" <${b}>`, [A, B]],
  ['Outlook, last names first', `Lovelace, Ada <${a}>; Bauer, Bo Maria <${b}>;`, [A, B]],
  ['last names first between commas', `Lovelace, Ada <${a}>, Bauer, Bo <${b}>`, [A, B]],
  ['a header of a mail', `To: Ada <${a}>, "Bauer, Bo" <${b}>`, [A, B]],
  ['a numbered list', `1. Ada Lovelace <${a}>\n2. Bo ${b}`, [A, B]],
  ['no name with punctuation at its ends', `A. Lovelace <${a}>\nB., ${b}`, [a, b]],
  ['no name from an encoded one', `=?UTF-8?Q?Ad=C3=A4?= <${a}>`, [a]],
  // Columns
  ['the address first', `${a}\tAda\tLovelace\n${b}\tBo\tBauer`, [A, B]],
  ['the name first', `Ada;${a}\r\nBo;${b};Bauer`, [A, B]],
  ['numbered columns', `1;Ada;${a}\n2;Bo;${b}`, [A, B]],
  ['a whole name beside', `Ada Maria,${a}\n${b},"Bauer, Bo"`, [`${a}=Ada Maria`, B]],
  ['two names before the address', `Lovelace;Ada;${a}\n${b}`, ['unclear_name', b]],
  // Headings
  ['headings', `Firma;Vorname;E-Mail\nX;Ada;${a}\nY;Bo;${b}`, [A, B]],
  ['headings of a mail program', `Name,Given Name,E-mail 1 - Value\nL,Ada,${a}`, [A]],
  ['headings with a name like _', `Name\tFirst_Name\tPhone\tEmail address\nL\tAda\t1\t${a}`, [A]],
  ['an unknown heading of addresses', `Last name,First name,Kontakt\nX,Ada,${a}`, [A]],
  ['any heading in the other of two columns', `Rufname;E-Mail\nAda;${a}`, [A]],
  ['no name from other columns', `email,company,phone\n${a},Analytical Engines,1`, [a]],
  ['whole names below "Name"', `Name;Email\nLovelace, Ada;${a}\nBo;${b}`, [A, B]],
  ['people below "Name"', `Name\nAda Lovelace <${a}>\n${b}`, [A, b]],
  ['any text below "First name"', `Email,First name\n${a},"Ada, the 1st."`, [`${a}=Ada, the 1st.`]],
  ['other separators than the headings', `Email,First name\n${a};Ada`, [A]],
  ['an empty address beside another', `Vorname;E-Mail;Von\nAda;;${b}`, ['invalid_email']],
  ['an address where the name should be', `Vorname;E-Mail\n${b};${a}`, [a]],
  // Quotes and marks
  ['quotes', `\uFEFF\n"First name","Email"\n"Ada","${a}"\n "Bo" , "${b}"`, [A, B]],
  [
    'quotes in quotes',
    `Company,First name,Email\n"X, Y; ""Z""","say ""hi""",${a}`,
    [`${a}=say "hi"`],
  ],
  ['marks around addresses', `<${a}>\n'${b}'; (cyd@example.com).`, [a, b, 'cyd@example.com']],
  ['links', `mailto:${a}\n<mailto:${b}?subject=Hello:>`, [a, b]],
  ['invisible marks', `\u200b${a}\u202c;\u2068Ada\u2069\n\u2068${b}\u2069`, [A, b]],
  [
    'invisible marks inside',
    `ad\u200ba@example.com\na\u00ad@example.com`,
    Array(2).fill('invalid_email'),
  ],
  ['capitals', 'ADA@Example.com,Ada', [A]],
  ['an international domain', 'eva@MÜNCHEN.example.com', ['eva@xn--mnchen-3ya.example.com']],
  // Mistakes
  ['no address', 'nobody\nno@tld\ntwo@@example.com', Array(3).fill('invalid_email')],
  ['the same address again', `${a}\nADA@example.com,Ada`, [a, 'twice']],
  ['lost characters', `M\uFFFDller,${a}`, ['lost_characters']],
  ['a long name', `${'x'.repeat(101)},${a}\n${a}`, ['invalid_first_name', a]],
  ['a long address', `${'x'.repeat(250)}@example.com`, ['invalid_email']],
];

describe('a list of people', () => {
  for (const [name, text, expected] of CASES)
    it(`may have ${name}`, () => assert.deepEqual(people(text), expected));

  it('has the number of each line, and the address as it is typed', () => {
    const [first, second] = readList(`\n${a}\n\n<Eva@MÜNCHEN.example.com>, Eva`);
    assert.deepEqual([first?.line, second?.line], [2, 4]);
    assert.equal(second?.address, 'Eva@MÜNCHEN.example.com');
  });

  it('the lines that are left are a list with the same columns', () => {
    const entries = readList(`Last;First;Mail\nX;Ada;${a}\nY;Bo;bo`);
    const left = writeList(entries.filter(({ what }) => what !== 'new'));
    assert.equal(left, 'Last;First;Mail\nY;Bo;bo');
    assert.deepEqual(people(left.replace(/bo$/, b)), [B]);
    assert.equal(writeList(entries.filter(({ what }) => what === 'heading')), '');
  });

  it('of 200,000 characters of any one kind is read', { timeout: 20_000 }, () => {
    for (const kind of ['"', ',', '"a,', '@', '<', ' ', "'", ':', '-', 'x', 'a@b.c,', '\t"', '" '])
      for (const end of ['', `"${a}`])
        assert.ok(readList(kind.repeat(200_000 / kind.length) + end).length <= 50_000);
  });
});

it('a file is UTF-8, UTF-16 with its mark or Windows-1252', () => {
  const text = 'Zoë,zoe@example.com';
  assert.equal(decodeFile(Buffer.from(text)), text);
  assert.equal(decodeFile(Buffer.from(text, 'latin1')), text);
  assert.equal(decodeFile(Buffer.from(`\uFEFF${text}`, 'utf16le')), text);
});
