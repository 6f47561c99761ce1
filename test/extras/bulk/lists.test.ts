/**
 * Lists as programs and people write them: each file of lists/ is a list, a line `===`, and what it
 * is read as. A change of the reader is seen there.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../../lib/config.ts';
import { readList } from '../../../lib/extras/bulk/read-list.ts';
import { summarize } from './summarize.ts';

const folder = path.join(root, 'test', 'extras', 'bulk', 'lists');

/** The list of a file, and what it is read as. */
function readCase(file: string) {
  const [text = '', expected = ''] = fs
    .readFileSync(path.join(folder, file), 'utf8')
    .split('===\n');
  return { text, expected };
}

const files = fs.readdirSync(folder);

describe('a list is read as its file says', () => {
  assert.ok(files.length >= 90);
  for (const file of files)
    it(file.replaceAll('-', ' ').replace('.txt', ''), () => {
      const { text, expected } = readCase(file);
      assert.equal(summarize(text), expected);
    });
});

it('line breaks of Windows and a byte order mark change nothing', () => {
  for (const file of files) {
    const { text, expected } = readCase(file);
    assert.equal(summarize(`\uFEFF${text.replaceAll('\n', '\r\n')}`), expected, file);
  }
});

const A = 'ada@example.com';
const B = 'bo@example.com';

/** The people of a list, as `address=First name`; of another row, its mistake. */
const people = (text: string) =>
  readList(text).entries.map(
    ({ email, firstName, reason }) => reason ?? (firstName ? `${email}=${firstName}` : email),
  );

/** What a list has, its text, and its people. */
const FORMS: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
  ['empty rows and delimiters', `${A}\r\n\n ${B} \r\u200b\n;;\n`, [A, B]],
  ['delimiters behind addresses', `${A};\n${B},,\n`, [A, B]],
  ['an international domain', 'eva@MÜNCHEN.example.com', ['eva@xn--mnchen-3ya.example.com']],
  ['invisible characters', `\uFEFF\u2068${A}\u2069\n\u00a0${B}\u200b`, [A, B]],
  ['names and addresses', `Ada Lovelace <${A}>\nBo<${B}>`, [`${A}=Ada`, `${B}=Bo`]],
  ['quoted names', `"Lovelace, Ada" <${A}>\n'Bauer, Bo' <${B}>`, [`${A}=Ada`, `${B}=Bo`]],
  ['an address as a name', `${A} <${A}>\n'${B}' <${B}>`, [A, B]],
  ['names of two people', `Lovelace, Ada <${A}>, Bo <${B}>`, ['several_addresses']],
  ['initials', `A. Lovelace <${A}>\nB Bauer <${B}>`, [A, B]],
  ['titles', `Państwo Kowalscy;${A}\nMevrouw Jansen;${B}`, [A, B]],
  ['a degree behind a comma', `"Ada Lovelace, PhD" <${A}>`, [A]],
  ['no names', `-;${A}\n12;${B}`, [A, B]],
  ['names of other scripts', `मीरा;${A}\n山田 太郎;${B}`, [`${A}=मीरा`, B]],
  ['an empty column of addresses', `Email,Mail,Name\n,${A},Ada`, [`${A}=Ada`]],
  ['one heading', `E-Mail\n${A}\nBo <${B}>\n`, [A, `${B}=Bo`]],
  ['a company under one heading', `E-Mail\nSiemens,${A}`, [A]],
  ['a long name', `Vorname,Email\n${'x'.repeat(101)},${A}\n,${A}`, ['invalid_first_name', A]],
  ['a long address', `${'x'.repeat(250)}@example.com`, ['invalid_email']],
  ['two columns with one heading', `Email,\n${A},Ada\n`, [A]],
  ['a delimiter that its first line names', `sep=|\nAda|${A}\nBo|${B}`, [`${A}=Ada`, `${B}=Bo`]],
  [
    'a name by which people are called beside first names',
    `Etunimet,Kutsumanimi,Sukunimi,Email\nAda Maria,Maria,Aho,${A}\nBo,,Aho,${B}`,
    [`${A}=Maria`, `${B}=Bo`],
  ],
  ['another such name', `Vornamen,Rufname,Mail\nAda Eva,Eva,${A}`, [`${A}=Eva`]],
  [
    'an empty given name beside a first name',
    `Given Name,First Name,Email\n,Ada,${A}\nBo,Bob,${B}`,
    [`${A}=Ada`, `${B}=Bo`],
  ],
  ['two people in a row', `First name,First name,Email\n,Bo,${A}\nBo,,${B}`, [A, `${B}=Bo`]],
  [
    'a name of a contact',
    `Contact first name,First name,Email\nBo,,${A}\n,Bo,${B}`,
    [A, `${B}=Bo`],
  ],
  ['a name of the buyer', `Buyer first name,First name,Email\nBo,,${A}\n,Bo,${B}`, [A, `${B}=Bo`]],
  ['an address of another person', `Vorname;E-Mail;Von\nAda;;${B}`, []],
];

describe('a list may have', () => {
  for (const [what, text, expected] of FORMS)
    it(what, () => assert.deepEqual(people(text), expected));
});

it('a total in the place of an address is a row without an address', () => {
  const lists = [`Name;City;Email\nAda;Oslo;${A}\nTotal;;1.234`, `Email\n${A}\n42`, `${A}\n42\n`];
  for (const text of lists) {
    assert.equal(people(text).length, 1, text);
    assert.equal(readList(text).withoutAddress, 1, text);
  }
  for (const [other, mistake] of [
    [`Name;Email\nAda;${A}\nBo;01234567`, 'invalid_email'],
    [`${A}\nBo;42`, 'invalid_email'],
  ] as const)
    assert.equal(people(other)[1], mistake);
});

it('a second column of first names is read, so it is not ignored', () => {
  const { read, ignored } = readList(`Given Name,First Name,City,Email\n,Ada,Oslo,${A}`);
  assert.deepEqual([read.firstName, ignored], ['First Name', ['City']]);
});

it('rows are counted as a spreadsheet counts them', () => {
  const list = 'Mail;Notes\n\na@b.c;"1\n2"\n"x\ny";\n';
  const rows = readList(list).entries.map(({ line, text }) => [line, text]);
  assert.deepEqual(rows, [
    [3, 'a@b.c'],
    [4, 'x\ny'],
  ]);
});

it('a hostile name with many words is read', () => {
  assert.deepEqual(people(`Name,Email\nA${' b'.repeat(5000)} 1,${A}`), [A]);
});
