/** Searches of the invite list ignore case and accents. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openStore } from '../../lib/store/open.ts';
import { addInvite } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

/** Addresses and first names, and searches that find each, but not all. */
const FOUND: readonly (readonly [email: string, name: string | null, searches: string])[] = [
  ['a@z.yy', 'İpek', 'İpek ipek IPEK ipe'],
  ['b@z.yy', 'Émile', 'ém émi EMILE ÉMILE e\u0301mile mile'],
  ['d@z.yy', 'Zoë', 'zoe ZOË oë'],
  ['e@z.yy', 'Weiß', 'weiß WEISS weiss WEIẞ ß'],
  ['g@z.yy', 'Łukasz', 'lukasz ŁUK łu'],
  ['h@z.yy', 'Søren', 'soren SØREN ør'],
  ['j@z.yy', 'Ὀδυσσεύς', 'οδυσσευς ΟΔΥΣΣΕΥΣ ς σευσ'],
  ['l@z.yy', '한결', '한 결 한결'],
  ['n@z.yy', 'O’Hara', "o'hara O’HARA ’ '"],
  ['o@z.yy', '100%_\\', '% _ \\ 0%_'],
  ['p@z.yy', 'Ｂｅａ', 'bea ＢＥＡ'],
  ['q@z.yy', '👩‍💻', '👩‍💻 👩'],
  ['josé.díaz@xn--mller-kva.example.com', null, 'josé JOSE e.di xn--mll müller diaz@muller.ex @xn'],
];

const store = openStore(newStoreFile());
after(() => store.close());
store.transaction((writer) => {
  for (const [email, firstName] of FOUND) addInvite(writer, email, { firstName });
});

const find = (text: string) =>
  store.read(({ people }) => {
    const { rows } = people.list({ sort: 'email', order: 'asc', text, limit: 100 });
    return rows.map(({ email }) => email);
  });

it('finds a name and an address in any case, with any accents, by any part of one of them', () => {
  for (const [email, name, searches] of FOUND) {
    for (const text of searches.split(' ')) assert.deepEqual(find(text), [email], text);
    assert.deepEqual(find(`${name}x`), []);
  }
  for (const text of ['', ' ', '\u0301', '@']) assert.equal(find(text).length, FOUND.length);
  assert.deepEqual([find(' bea '), find('beap')], [['p@z.yy'], []]);
});
