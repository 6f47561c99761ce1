/** Reads the lists that people have: each keeps everybody, and gives nobody a wrong name. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeFile, toCsv } from '../lib/csv.ts';
import { guestsOf, type List, ListError, readList } from '../lib/guest-list.ts';

type Case = {
  readonly name: string;
  readonly text: string;
  /** The number of the column that the person chooses for first names; else the proposal counts. */
  readonly chosen?: number;
  readonly firstWordOnly?: boolean;
  /** Addresses are `…@example.com`; the first name follows, if there is one. */
  readonly guests: readonly string[];
  /** Numbers of lines. */
  readonly problems?: readonly number[];
  readonly duplicates?: readonly number[];
  readonly withoutAddress?: readonly number[];
};

const utf16 = (text: string) => Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le'));

const OUR_OWN = toCsv(
  ['email', 'firstName', 'invitedBy', 'invitedAt', 'link'],
  [
    {
      email: '+ada@example.com',
      firstName: '=Ada',
      invitedBy: 'root@example.com',
      invitedAt: 0,
      link: 'https://preview.example.com/#+ada@example.com',
    },
    {
      email: 'bob@example.com',
      firstName: 'Bob "B", Jr',
      invitedBy: 'root@example.com',
      invitedAt: 0,
      link: 'https://preview.example.com/#bob@example.com',
    },
  ],
);

const CASES: readonly Case[] = [
  {
    name: 'addresses in lines',
    text: 'ada@example.com\n\n  Bob@Example.com \n',
    guests: ['ada', 'bob'],
  },
  {
    name: 'addresses with commas and semicolons between them',
    text: 'ada@example.com, bob@example.com;eve@example.com,\n',
    guests: ['ada', 'bob', 'eve'],
  },
  {
    name: 'a column with a heading',
    text: 'Email\nada@example.com\nbob@example.com',
    guests: ['ada', 'bob'],
  },
  {
    name: 'a title above, and a total below',
    text: 'Guests of the party;;\n\nE-Mail;Vorname;Ort\nada@example.com;Ada;\n2 people;;',
    guests: ['ada Ada'],
    withoutAddress: [1, 5],
  },
  {
    name: 'words around the addresses of a letter',
    text: 'Please invite\nada@example.com, bob@example.com\nThanks',
    guests: ['ada', 'bob'],
    withoutAddress: [3],
  },
  {
    name: 'recipients of a mail program',
    text: '"Lovelace, Ada" <ada@example.com>, Bob B <bob@example.com>, eve@example.com',
    chosen: 2,
    guests: ['ada Lovelace, Ada', 'bob Bob B', 'eve'],
  },
  {
    name: 'recipients of Outlook',
    text: 'Lovelace, Ada <ada@example.com>; Bob B <bob@example.com>; eve@example.com',
    guests: ['ada', 'bob', 'eve'],
  },
  {
    name: 'links of a page',
    text: 'mailto:ada@example.com?subject=Hello\nMAILTO:bob@example.com',
    guests: ['ada', 'bob'],
  },
  {
    name: 'a table with commas',
    text: 'First Name,Last Name,Email\r\nAda,Lovelace,ada@example.com\r\nBob,,bob@example.com\r\n',
    guests: ['ada Ada', 'bob Bob'],
  },
  {
    name: 'a table with commas, where somebody has two addresses',
    text: 'Forename,Email\nAda,ada@example.com\nBob,bob@example.com;b@example.com',
    guests: ['ada Ada'],
    problems: [3],
  },
  {
    name: 'a table with semicolons, and commas inside its cells',
    text: 'Prénom;Adresse;Courriel\nAda;12, rue X, Paris, France;ada@example.com',
    guests: ['ada Ada'],
  },
  {
    name: 'a table with tabs, as a spreadsheet copies it',
    text: 'ada@example.com\tAda\nbob@example.com\tBob, Jr',
    chosen: 2,
    guests: ['ada Ada', 'bob Bob, Jr'],
  },
  {
    name: 'quoted cells with line breaks, quotation marks and separators',
    text: 'Note,Email,Forename\n"two\nlines, ""so""",ada@example.com,Ada\n,bob,Bob\n,eve@,Eve',
    guests: ['ada Ada'],
    problems: [5],
    withoutAddress: [4],
  },
  {
    name: 'names in a column that may hold full names',
    text: 'Nom;Entreprise;Courriel\nDupont Marie;X;marie@example.com\nLe Gall Yann;Y;yann@example.com',
    guests: ['marie', 'yann'],
  },
  {
    name: 'full names, of which the person takes the first word',
    text: 'Name;Email\nAda Lovelace;ada@example.com\n Grace  Hopper;grace@example.com\n;bob@example.com\nSchmidt, Eve;eve@example.com',
    chosen: 1,
    firstWordOnly: true,
    guests: ['ada Ada', 'grace Grace', 'bob', 'eve Schmidt'],
  },
  {
    name: 'names that end with the first name',
    text: 'Nombre,Correo\nDe La Cruz Ana,ana@example.com',
    guests: ['ana'],
  },
  {
    name: 'Cyrillic',
    text: 'Имя;Фамилия;Почта\nАда;Лавлейс;ada@example.com\nГрейс;Хоппер;grace@example.com',
    guests: ['ada Ада', 'grace Грейс'],
  },
  {
    name: 'UTF-8 with a byte order mark',
    text: decodeFile(Buffer.from('\uFEFFfirst name,email\nZoë,zoe@example.com')),
    guests: ['zoe Zoë'],
  },
  {
    name: 'UTF-16, as Excel saves Unicode text',
    text: decodeFile(utf16('Vorname\tE-Mail\r\nZoë\tzoe@example.com\r\n')),
    guests: ['zoe Zoë'],
  },
  {
    name: 'Windows-1252, as Excel saves CSV',
    text: decodeFile(
      Buffer.from('Vorname;E-Mail\nJos\xe9 \x93\x8ai\x94;jose@example.com', 'latin1'),
    ),
    guests: ['jose José “Ši”'],
  },
  {
    name: 'lines that end as on an old Macintosh',
    text: 'ada@example.com\rbob@\rbob@example.com',
    guests: ['ada', 'bob'],
    problems: [2],
  },
  {
    name: 'two columns of addresses',
    text: 'Manager,Email,Firstname\n,ada@example.com,Ada\nada@example.com,bob@example.com,Bob',
    guests: ['ada Ada', 'bob Bob'],
  },
  {
    name: 'a first row without an address',
    text: 'Given name,Email\nAda,\nBob,bob@example.com',
    guests: ['bob Bob'],
    withoutAddress: [2],
  },
  {
    name: 'a first row without an address, and no headings',
    text: 'Ada,\nBob,bob@example.com',
    guests: ['bob'],
    withoutAddress: [1],
  },
  {
    name: 'people who are in it twice, wrong addresses and a wrong name',
    text: 'Vorname;Mail\nAda;ada@example.com\nA.;ADA@example.com\nBob;bob@example\n"E\nve";eve@example.com',
    guests: ['ada Ada'],
    problems: [4, 5],
    duplicates: [3],
  },
  {
    name: '92 columns, as an event service exports them, where one buyer has several tickets',
    text: [
      ['Buyer email', ...Array(89).fill('Question'), 'First name', 'Attendee email'],
      ['buyer@example.com', ...Array(89).fill('a, b'), 'Ada', 'ada@example.com'],
      ['buyer@example.com', ...Array(89).fill('"'), 'Bob', 'bob@example.com'],
    ]
      .map((cells) => cells.map((cell) => `"${cell.replace('"', '""')}"`).join(','))
      .join('\n'),
    guests: ['ada Ada', 'bob Bob'],
  },
  {
    name: 'our own CSV',
    text: OUR_OWN,
    guests: ['+ada =Ada', 'bob Bob "B", Jr'],
  },
];

for (const { name, text, chosen, firstWordOnly = false, ...expected } of CASES)
  test(`reads ${name}`, () => {
    const list = readList(text);
    const firstName = chosen === undefined ? list.firstNameColumn : chosen - 1;
    const read = guestsOf(list, { address: addressColumnOf(list), firstName, firstWordOnly });
    const found = {
      guests: read.guests.map(({ email, firstName }) =>
        `${email.replace('@example.com', '')} ${firstName ?? ''}`.trim(),
      ),
      problems: read.problems.map(({ line }) => line),
      duplicates: read.duplicates.map(({ line }) => line),
      withoutAddress: read.withoutAddress,
    };
    assert.deepEqual(found, { problems: [], duplicates: [], withoutAddress: [], ...expected });
  });

function addressColumnOf({ addressColumn }: List): number {
  assert.ok(addressColumn !== null, 'the list has addresses');
  return addressColumn;
}

test('describes each column by its heading and three samples', () => {
  const list = readList('Name,Email\nAda,a@b.example\nBob,\nAda,A@b.example\nMia,mia@\nEve,');
  assert.deepEqual(list.columns, [
    { index: 0, heading: 'Name', samples: ['Ada', 'Bob', 'Mia'] },
    { index: 1, heading: 'Email', samples: ['a@b.example', 'A@b.example', 'mia@'] },
  ]);
});

test('says which line has too many columns, or a quotation mark that is not closed', () => {
  const wide = `ada@example.com${',x'.repeat(256)}`;
  assert.throws(() => readList(`a,b\n${wide}`), /line 2 has more than 256 columns/);
  assert.throws(() => readList('Name,Email\n"Ada,ada@example.com\n'), ListError);
});

test('finds no address in a text that has none', () => {
  for (const text of ['', '\n\n', 'Ada', 'ada@example', '@', 'a,b\nc,d', '""'])
    assert.equal(readList(text).addressColumn, null, JSON.stringify(text));
});

/** Texts that cost a reader much which looks at a cell again for each of its characters. */
const COSTLY = ['(<"', '"', '""', ',', ';,\t', ' ', '\n', '@', '<', '> ', '\u200b', 'a@b.c '];

test('reads 120,000 characters of anything in a second of a processor', () => {
  for (const part of COSTLY)
    for (const end of ['', ' <ada@example.com>', '\nada@example.com,x']) {
      const text = part.repeat(120_000 / part.length) + end;
      const start = process.cpuUsage();
      try {
        const list = readList(text);
        guestsOf(list, { address: 0, firstName: 1, firstWordOnly: true });
      } catch (error) {
        assert.ok(error instanceof ListError);
      }
      const { user } = process.cpuUsage(start);
      assert.ok(user < 1e6, `${JSON.stringify(part + end)} took ${user} µs`);
    }
});
