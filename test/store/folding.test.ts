/** Searches of the invite list ignore case and accents. */
import assert from 'node:assert/strict';
import { after, beforeEach, it } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../lib/store/open.ts';
import { addInvite } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

const file = newStoreFile();
const store = openStore(file);
const byHand = new Database(file);
after(() => {
  store.close();
  byHand.close();
});
beforeEach(() => void byHand.exec('delete from invites'));

const add = (email: string, firstName: string | null) =>
  store.transaction((writer) => addInvite(writer, email, { firstName }));
const find = (text: string) =>
  store.read(({ people }) => {
    const { rows } = people.list({ sort: 'email', order: 'asc', text, limit: 10 });
    return rows.map((row) => row.firstName);
  });

/** Searches that find each name. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  İpek: ['İpek', 'ipek', 'IPEK', 'İ', 'i', 'pek', 'ip'],
  Émile: ['é', 'ém', 'émi', 'émil', 'E', 'em', 'EMILE', 'ÉMILE', 'e\u0301mile', 'ile'],
  'E\u0301lodie': ['É', 'él', 'elodie'],
  Zoë: ['zoe', 'ZOË', 'oë', 'ë'],
  Weiß: ['weiß', 'WEISS', 'weiss', 'WEIẞ', 'ß', 's'],
  Işıl: ['ışıl', 'isil', 'IŞIL', 'ı', 'şı'],
  Łukasz: ['lukasz', 'ŁUK', 'ł', 'l'],
  Søren: ['soren', 'SØREN', 'ø'],
  Ægir: ['aegir', 'Æ'],
  Ὀδυσσεύς: ['οδυσσευς', 'ΟΔΥΣΣΕΥΣ', 'ς', 'σευσ'],
  Фёдор: ['федор', 'ФЁДОР', 'ё'],
  한결: ['한', '결', '한결'],
  'Nguyễn Thị': ['nguyen', 'nguyễn', 'thi', 'n t'],
  'O’Hara': ["o'hara", 'O’HARA', '’', "'"],
  '100%_\\': ['%', '_', '\\', '0%_'],
  Ａｄａ: ['ada', 'ＡＤＡ'],
  '👩‍💻': ['👩‍💻', '👩'],
};

for (const [name, texts] of Object.entries(FOUND))
  it(`finds ${name} in any case, with any accents and length`, () => {
    add('x@y.zz', name);
    add('q@y.zz', 'Q');
    for (const text of texts) assert.deepEqual(find(text), [name], text);
    assert.deepEqual(find(`${name}x`), []);
    assert.deepEqual(find(`x${name}`), []);
  });

it('finds a part of an address, and its domain in readable form', () => {
  add('josé.díaz@xn--mller-kva.example.com', 'J');
  add('other@example.com', 'O');
  for (const text of ['josé', 'JOSE', 'e.di', 'xn--mll', 'müller', 'diaz@muller.ex', '@xn'])
    assert.deepEqual(find(text), ['J'], text);
  assert.deepEqual(find('example.com'), ['J', 'O']);
  assert.deepEqual(find('@'), ['J', 'O']);
});

it('of only white space or marks finds all people, and no search spans name and address', () => {
  add('x@y.zz', 'Ada');
  for (const text of ['', ' ', '\u0301', ' ada ']) assert.deepEqual(find(text), ['Ada']);
  for (const text of ['adax', 'ada x', 'zzada']) assert.deepEqual(find(text), []);
});
