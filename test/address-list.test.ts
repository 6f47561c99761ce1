/** Lists of people to invite, as the page and the tool read them: what each line is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddressList } from '../lib/address-list.ts';
import { readInviteFile } from '../lib/cli/invite-file.ts';

/** The people of a list, as `address` or `address=First name`; of another line, what it is. */
const people = (text: string) =>
  readAddressList(text).map(
    ({ email, firstName, reason }) => reason ?? (firstName ? `${email}=${firstName}` : email),
  );

const [a, b] = ['ada@example.com', 'bo@example.com'];
const [A, B] = [`${a}=Ada`, `${b}=Bo`];

const invalid = (lines: number) => Array<string>(lines).fill('invalid_email');

const CASES: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
  // Several addresses
  ['addresses, one a line', `${a}\r\n\n ${b} \n\u200b\n;;\n`, [a, b]],
  ['addresses between commas', `${a}, ${b}`, [a, b]],
  ['addresses between semicolons', `${a}; ${b}; cyd@example.com`, [a, b, 'cyd@example.com']],
  ['addresses between spaces', `${a} ${b}`, [a, b]],
  ['addresses between both', `${a},${b};cyd@example.com`, [a, b, 'cyd@example.com']],
  ['several addresses below a heading', `Email\n${a}, ${b}`, [a, b]],
  ['several addresses in a cell of a column', `Vorname;Email\nAda;${a} ${b}`, [a, b]],
  ['addresses between other marks', `${a}|${b}\n${a}/${b}\n${a}，${b}`, invalid(3)],
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
  // Titles and groups
  ['titles', `Mr. Ada Lovelace <${a}>\nProf. Dr. Bo Bauer <${b}>`, [A, B]],
  ['titles after a comma', `"Lovelace, Dr. Ada" <${a}>; "Bauer, Bo" <${b}>`, [A, B]],
  ['no last name after a title', `Frau Lovelace <${a}>\nHerr Bauer;${b}`, [a, b]],
  ['no title for a name', `Mrs <${a}>\nDr.,${b}`, [a, b]],
  ['a title in its own cell', `Frau;Ada;${a}\n${b};Herr;Bo`, [A, B]],
  ['titles below "Name"', `Name;Email\nFrau Ada;${a}\n"Bauer, Dr. Bo";${b}`, [a, B]],
  ['no name of a group', `The Halden Team <${a}>\nFamilie Bauer;${b}`, [a, b]],
  ['a name that begins like a title', `Drew <${a}>\n${b},Missy`, [`${a}=Drew`, `${b}=Missy`]],
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
  ['the line of Excel', `sep=;\r\nVorname;E-Mail\r\nAda;${a}`, [A]],
  ['the line of Excel in quotes', `"sep=\t"\n${a}\tAda`, [A]],
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
  ['quotes in quotes', `Firma,Vorname,Email\n"X, Y; ""Z""","""hi""",${a}`, [`${a}="hi"`]],
  ['marks around addresses', `<${a}>\n'${b}'; (cyd@example.com).`, [a, b, 'cyd@example.com']],
  ['links', `mailto:${a}\n<mailto:${b}?subject=Hello:>`, [a, b]],
  ['invisible marks', `\u200b${a}\u202c;\u2068Ada\u2069\n\u2068${b}\u2069`, [A, b]],
  ['invisible marks inside', `ad\u200ba@example.com\na\u00ad@example.com`, invalid(2)],
  ['capitals', 'ADA@Example.com,Ada', [A]],
  ['an international domain', 'eva@MÜNCHEN.example.com', ['eva@xn--mnchen-3ya.example.com']],
  // Mistakes
  ['no address', 'nobody\nno@tld\ntwo@@example.com', invalid(3)],
  ['the same address again', `${a}\nADA@example.com,Ada`, [a, 'twice']],
  ['it again with a dotted I', 'İpek@example.com\nipek@example.com', ['ipek@example.com', 'twice']],
  ['lost characters', `M\uFFFDller,${a}`, ['lost_characters']],
  ['a long name', `${'x'.repeat(101)},${a}\n${a}`, ['invalid_first_name', a]],
  ['a long address', `${'x'.repeat(250)}@example.com`, ['invalid_email']],
];

describe('a list of people', () => {
  for (const [name, text, expected] of CASES)
    it(`may have ${name}`, () => assert.deepEqual(people(text), expected));

  it('has the number of each line', () => {
    const lines = readAddressList(`sep=;\nName;Mail\n\n${a}\n${b}`).map(({ line }) => line);
    assert.deepEqual(lines, [4, 5]);
  });

  it('of 200,000 characters of any one kind is read', { timeout: 20_000 }, () => {
    for (const kind of ['"', ',', '"a,', '@', '<', ' ', "'", ':', '-', 'x', 'a@b.c,', '\t"', '" '])
      for (const end of ['', `"${a}`])
        assert.ok(readAddressList(kind.repeat(200_000 / kind.length) + end).length <= 50_000);
  });
});

/** What the tool reads of a file. */
function read(content: string | Buffer) {
  const readInput = () => Buffer.from(content);
  return readInviteFile(readInput, '-').map(({ email, firstName }) => [email, firstName]);
}

it('a file of the tool is refused if it is not UTF-8', () => {
  const latin1 = Buffer.from('ada@example.com,Ada\nzoe@example.com,Zoë\n', 'latin1');
  assert.throws(() => read(latin1), /^Error: standard input is not UTF-8; nobody was/);
  const utf16 = Buffer.from('\uFEFFada@example.com\n', 'utf16le');
  assert.throws(() => read(utf16), /^Error: standard input is not UTF-8/);
});

it('a file of the tool is refused with its first bad line, and why it is bad', () => {
  for (const [line, why] of [
    ['not an address', /line 3: "not an address": not an address; nobody was invited/],
    ['x@example.com|y@example.com', /: not an address/],
    [`${'y'.repeat(101)};x@example.com`, /: first name over 100 characters/],
    ['Lovelace;Ada;x@example.com', /: two names without a header row/],
    ['x@example.com,\uFFFD', /: has lost characters/],
  ] as const)
    assert.throws(() => read(`ada@example.com\n\n${line}\nworse`), why);
});
