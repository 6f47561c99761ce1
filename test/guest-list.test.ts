/** Reads the lists that people have: each keeps everybody, and gives nobody a wrong name. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type List, readList, readPeople } from '../lib/guest-list.ts';

/**
 * How a list is read: guests with their first names, then others after the first letter of their
 * result, then the lines without an address. `…@example.com` is left out. Without a column that the
 * person chose for full names, from 1, the list is read as it is proposed.
 */
type Case = readonly [name: string, text: string, read: string, fullNames?: number];

// biome-ignore format: one line a case
const CASES: readonly Case[] = [
  // Mail programs
  ['lines', 'Ada\rada@example.com\n\n  Bob@Example.com \n', 'ada, bob, 1'],
  ['separators', 'ada@example.com bob@example.com, eve@example.com;mia@example.com,\n', 'ada, bob, eve, mia'],
  ['Gmail', '"Lovelace, Ada" <ada@example.com>, Bob B <bob@example.com>', 'ada, bob'],
  ['Outlook', 'Lovelace, Ada <ada@example.com>; Bob B <bob@example.com>', 'ada, bob'],
  ['a reply', 'ada@example.com<mailto:ada@example.com>; x\nOn 1 May Bob <bob@example.com> wrote:', 'ada, bob'],
  ['source', '&lt;ada@example.com&gt;\n„bob@example.com“.\neve@example.com_x000D_\n-_-', 'ada, bob, eve, 4'],
  ['a vCard', 'BEGIN:VCARD\nFN:Ada\nEMAIL;TYPE=INTERNET:ada@example.com\nEND:VCARD', 'ada, 1, 2, 4'],
  // Chat and minutes
  ['bullets', '• ada@example.com\n- bob@example.com\n* eve@example.com\n– mia@example.com', 'ada, bob, eve, mia'],
  ['a sentence', 'Hi, ask “ada@example.com”, bob@example.com and (eve@example.com)!\nThanks', 'ada, bob, eve, 2'],
  ['names between', 'Dear all,\nask Ada, ada@example.com, and Bob, bob@example.com.', 'ada, bob, 1'],
  ['chat', '[9:41] Max: @Kim *ada@example.com*, eve@example.com…\nmeet @ 5', 'ada, eve, 2'],
  ['Markdown', '| Name | Email |\n|---|---|\n| Ada | [ada@example.com](mailto:ada@example.com) |', 'ada, 1, 2'],
  ['JSON', '[{"name":"Ada","email":"ada@example.com"},{"email":"bob@example.com"}]', 'ada, bob'],
  ['what may be two things', 'a=b@example.com\nanna/hr@example.com\nbob@example.com?', 'i:a=b, i:anna/hr, bob'],
  ['links with a query', 'mailto:ada@example.com?subject=Hi\nhttps://x.example/?mail=bob@example.com', 'ada, bob'],
  ['our links', 'https://x.example/#ada@example.com\nhttps://x.example/#bob@example.com', 'ada, bob'],
  ['typing mistakes', 'ada@example\nbob@@example.com\neve@\nmia@example.com', 'i:ada@example, i:bob@, i:eve@, mia'],
  ['Chinese', '邮箱：ada@example.com，bob@example.com；（eve@example.com）', 'ada, bob, eve'],
  // Spreadsheets
  ['a column', 'Email\nada@example.com\nbob@example.com', 'ada, bob, 1'],
  ['a wrong address', 'E-Mail\tVorname\nada@example.com\tAda\nx\tBob', 'ada Ada, 3'],
  ['cells', 'ada@example.com\tAda\nbob@example.com\tBob, Jr', 'ada Ada, bob', 2],
  ['commas', 'First Name,Last Name,Email\rAda,Lovelace,ada@example.com\r\nBob,5",bob@example.com\r\n', 'ada Ada, bob Bob'],
  ['semicolons', 'Courriel; Adresse; Prénom\nada@example.com; "12, rue X; Paris"; Ada', 'ada Ada'],
  ['a title and a total', 'Guests of the party;;\n\nE-Mail;Vorname;Ort\nada@example.com;Ada;\n2 people;;', 'ada Ada, 1, 5'],
  ['quoted cells', 'Note,Email,Forename\n"two\nlines, ""so""",ada@example.com,Ada\n,bob,Bob\n,eve@,Eve', 'ada Ada, i:eve@, 4'],
  ['an open quotation mark', 'Name,Email\nAda,ada@example.com\nBob,bob@example.com\n"Eve,eve@example.com', 'ada, bob, eve, 1'],
  ['two addresses', 'Forename,Email\nAda,ada@example.com\nBob,bob@example.com;b@example.com', 'ada Ada, bob, b'],
  ['a typing mistake in the first row', 'Ada,ada @example.com\nBob,bob@example.com', 'bob, 1'],
  ['a title of two cells', 'Export;1 May;\nEmail;First name;Firm\nada@example.com;Ada;X', 'ada Ada, 1'],
  ['headings and no name', 'Given name,Email\nAda,\nBob,bob@example.com', 'bob Bob, 2'],
  ['no headings and no address', 'Ada,L,\nBob,B,bob@example.com', 'bob, 1'],
  ['repeats and a wrong name', 'Vorname;Mail\nA;ada@example.com\nB;ADA@example.com\n"E\nve";eve@example.com', 'ada A, r:ada, i:eve'],
  ['no names', 'Mail;Vorname\na@example.com;#N/A\nb@example.com;NULL\nc@example.com;-\nd@example.com;3\ne@example.com;Eve', 'a, b, c, d, e Eve'],
  ['managers', 'Manager,Email\nmax@example.com,ada@example.com\nmax@example.com,bob@example.com\nmax@example.com,eve@example.com', 'ada, bob, eve, e:max'],
  ['another column', 'Forename,Email,Note\nAda,ada@example.com,\nBob,,bob@example.com\nEve,eve@example.com,see https://e.example', 'ada Ada, eve Eve, e:bob'],
  ['surnames', 'Nombre,Correo\nDe La Cruz Ana,ana@example.com', 'ana'],
  // Services
  ['our own CSV', 'email,firstName,invitedBy,link\na@example.com,"Ada ""A"", B",cli,https://x.example/#a@example.com', 'a Ada "A", B'],
  ['profiles', 'Forename,Email,Web\nAda,ada@example.com,https://x.example/@ada', 'ada Ada'],
  // First words
  ['full names', 'Name;Email\nAda Lovelace;a@example.com\nSchmidt, Eve;e@example.com\n;b@example.com', 'a Ada, e Eve, b', 1],
  ['titles', 'Name;Email\nvon Neumann, Dr. John;a@example.com\nFrau Smith;b@example.com\nT. S. Eliot;c@example.com\nKing, PhD;d@example.com', 'a, b, c, d', 1],
];

function read(text: string): List {
  const list = readList(text);
  assert.ok(list);
  return list;
}

for (const [name, text, expected, fullNames] of CASES)
  test(`reads ${name}`, () => {
    const list = read(text);
    const names = fullNames ? { firstName: fullNames - 1, firstWordOnly: true } : {};
    const people = readPeople(list, { ...list.proposal, ...names });
    const shown = people.map(({ email, firstName, result }) => {
      const start = result === 'guest' ? '' : `${result.charAt(0)}:`;
      const end = result === 'guest' && firstName !== null ? ` ${firstName}` : '';
      return `${start}${email.replace('@example.com', '')}${end}`;
    });
    assert.equal([...shown, ...list.withoutAddress].join(', '), expected);

    // Nobody is lost, and nobody is two things.
    const written = new Set(text.toLowerCase().match(/(?<![\w=/])\w+@[a-z.]+[a-z]/g));
    const once = people.filter(({ result }) => result !== 'repeat').map(({ email }) => email);
    for (const email of written)
      assert.equal(once.filter((each) => each === email).length, 1, email);
  });

test('a person with a wrong name is a guest by a later row', () => {
  const list = read('Vorname;Mail\n"E\nve";eve@example.com\nEve;eve@example.com');
  const results = readPeople(list, list.proposal).map(({ result }) => result);
  assert.deepEqual(results, ['invalid_first_name', 'guest']);
});

test('names the columns of addresses if there are several', () => {
  const found = (text: string) => read(text).addressColumns.map(({ name }) => name);
  const rows = 'x@example.com,ada@example.com\ny@example.com,bob@example.com\n,eve@example.com';
  assert.deepEqual(found(`Partner,Email\n${rows}`), ['Partner', 'Email']);
  assert.deepEqual(found(`Partner,Email\n${rows.replace('y@', 'x@')}`), ['Email']);
  assert.deepEqual(found('Email,Confirm\nada@example.com,ADA@example.com'), ['Email']);
  assert.deepEqual(found('Chat,Email\n@ada@chat.example,ada@example.com'), ['Email']);
});

test('describes each column by its heading or number, and three samples', () => {
  const { columns } = read('Name,Email,\nAda,a@b.example\nBob,\nAda,A@b.example\nMia,mia@\nEve,,x');
  assert.deepEqual(columns, [
    { name: 'Name', samples: ['Ada', 'Bob', 'Mia'] },
    { name: 'Email', samples: ['a@b.example', 'A@b.example', 'mia@'] },
    { name: 'Column 3', samples: ['x'] },
  ]);
});

/** Texts that cost a reader much which looks at a cell again for each of its characters. */
const COSTLY = ['(<"', '"', '""', ';,\t', ' ', '\n', 'a@', 'http://a', '?a', '\u200b', 'a@b.c '];

test('reads 120,000 characters of anything in a second of a processor', () => {
  for (const part of COSTLY)
    for (const end of ['', ' <ada@example.com>', '\nada@example.com,x']) {
      const text = part.repeat(120_000 / part.length) + end;
      const start = process.cpuUsage();
      const list = readList(text);
      if (list) readPeople(list, { address: 0, firstName: 1, firstWordOnly: true });
      const { user } = process.cpuUsage(start);
      assert.ok(user < 1e6, `${JSON.stringify(part + end)} took ${user} µs`);
    }
});
