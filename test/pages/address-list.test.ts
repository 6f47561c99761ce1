/** The list that an administrator pastes: what each line is, whatever its form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeFile, readList, writeList } from '../../pages/svcops/address-list.ts';

/** The people of a list, as `address` or `address=First name`. */
const people = (text: string) =>
  readList(text)
    .filter(({ what }) => what === 'new')
    .map(({ email, firstName }) => (firstName ? `${email}=${firstName}` : email));

const judged = (text: string) => readList(text).map(({ what }) => what);

const ADA = 'ada@example.com=Ada';
const BO = 'bo@example.com=Bo';

describe('a list of people', () => {
  for (const [name, text, expected] of [
    ['addresses, one a line', 'ada@example.com\r\n\n bo@example.com \n', [ADA, BO].map(address)],
    ['addresses on one line', 'ada@example.com, bo@example.com', [ADA, BO].map(address)],
    ['addresses between spaces', 'ada@example.com bo@example.com', [ADA, BO].map(address)],
    ['names in front', 'Ada Lovelace <ada@example.com>\nBo <bo@example.com>', [ADA, BO]],
    ['a mail program', 'Ada Lovelace <ada@example.com>; Bo <bo@example.com>;', [ADA, BO]],
    ['last names first', '"Lovelace, Ada" <ada@example.com>', [ADA]],
    ['columns', 'ada@example.com\tAda\nbo@example.com\tBo', [ADA, BO]],
    ['numbered columns', '1;Ada;ada@example.com\n2;Bo;bo@example.com', [ADA, BO]],
    [
      'headings of a mail program',
      'Name,Given Name,E-mail 1 - Value\nA L,Ada,ada@example.com',
      [ADA],
    ],
    ['an empty address beside another', 'Vorname;E-Mail;Von\nAda;;root@example.com', []],
    ['columns in the other order', 'Ada,ada@example.com\nBo,bo@example.com', [ADA, BO]],
    ['headings', 'Firma;Vorname;E-Mail\nX;Ada;ada@example.com\nY;Bo;bo@example.com', [ADA, BO]],
    ['an unknown heading', 'Last name,First name,Kontakt\nX,Ada,ada@example.com', [ADA]],
    [
      'quotes',
      '"First name","Email"\n"Ada","ada@example.com"\n "Bo" , "bo@example.com"',
      [ADA, BO],
    ],
    ['quotes between tabs', '"First name"\t"Email"\n"Ada"\t"ada@example.com"', [ADA]],
    ['commas in quotes', 'Company,First name,Email\n"X, Y; ""Z""",Ada,ada@example.com', [ADA]],
    ['links', 'mailto:ada@example.com', [address(ADA)]],
    [
      'people under "Name"',
      'Name\nAda Lovelace <ada@example.com>\nbo@example.com',
      [ADA, address(BO)],
    ],
    ['quoted addresses', "'ada@example.com'; (bo@example.com).", [ADA, BO].map(address)],
    [
      'invisible marks',
      '\u200bada@example.com\n\u2068bo@example.com\u2069',
      [ADA, BO].map(address),
    ],
    ['a byte order mark', '\uFEFFEmail,First name\nada@example.com,Ada', [ADA]],
    ['capitals', 'ADA@Example.com,Ada', [ADA]],
    ['an international domain', 'eva@MÜNCHEN.example.com', ['eva@xn--mnchen-3ya.example.com']],
  ] as const)
    it(`reads ${name}`, () => assert.deepEqual(people(text), expected));

  it('names what is wrong with a line, and reads the others', () => {
    const text = [
      'nobody',
      'Ada <ada@example.com>',
      'ADA@EXAMPLE.COM',
      'M\uFFFDller,mueller@example.com',
      `${'x'.repeat(101)},long@example.com`,
      'no@tld',
      'a"b,"c@example.com',
      'two@@example.com',
      'two@exämple@example.com',
      `${'x'.repeat(250)}@example.com`,
    ].join('\n');
    assert.deepEqual(judged(text), [
      'invalid_email',
      'new',
      'twice',
      'lost_characters',
      'invalid_first_name',
      'invalid_email',
      'new',
      'invalid_email',
      'invalid_email',
      'invalid_email',
    ]);
    assert.deepEqual(
      readList(text).map(({ line }) => line),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });

  it('the lines that are left are a list with the same columns', () => {
    const entries = readList('Last;First;Mail\nX;Ada;ada@example.com\nY;Bo;bo');
    const left = writeList(entries.filter(({ what }) => what !== 'new'));
    assert.equal(left, 'Last;First;Mail\nY;Bo;bo');
    assert.deepEqual(people(left.replace(/bo$/, 'bo@example.com')), [BO]);
    assert.equal(writeList(entries.filter(({ what }) => what === 'heading')), '');
  });

  it('reads 200,000 characters of any one kind', () => {
    for (const kind of ['"', ',', '"a,', '@', '<', ' ', 'x', 'a@b.c,', '\t"', '" '])
      assert.ok(readList(kind.repeat(200_000 / kind.length)).length <= 50_000);
    assert.equal(readList(`${"'".repeat(200_000)}@`).length, 1);
  });
});

it('a file is UTF-8, UTF-16 with its mark or Windows-1252', () => {
  const text = 'Zoë,zoe@example.com';
  assert.equal(decodeFile(Buffer.from(text)), text);
  assert.equal(decodeFile(Buffer.from(text, 'latin1')), text);
  assert.equal(decodeFile(Buffer.from(`\uFEFF${text}`, 'utf16le')), text);
});

function address(person: string): string {
  return person.replace(/=.*/, '');
}
