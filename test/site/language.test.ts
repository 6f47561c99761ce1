/** The owner's language and words: what they may be, and how a mistake in them is named. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { dateWriter, invitation, language, reminder, words } from '../../lib/site/language.ts';
import type { Reader } from '../../lib/site/reader.ts';
import { INVITATION, REMINDER, WORDS } from '../../lib/site/words.ts';
import { mistakesOf } from '../support/mistakes.ts';

const mistakes = (read: Reader<unknown>, value: unknown) => mistakesOf(() => read(value, 'field'));

for (const [tag, lang, dir] of [
  ['de', 'de', 'ltr'],
  ['EN-gb', 'en-GB', 'ltr'],
  ['ar', 'ar', 'rtl'],
  ['iw', 'he', 'rtl'],
  ['ur-IN', 'ur-IN', 'rtl'],
  ['az-arab', 'az-Arab', 'rtl'],
  ['ku', 'ku', 'ltr'],
] as const)
  test(`the language ${tag} is ${lang}, written ${dir}`, () => {
    assert.deepEqual(language(tag, 'field'), { lang, dir });
  });

test('a language that is none is refused', () => {
  for (const wrong of ['deutsch', 'German', 'de_DE', 'x', 'de-', 'english please', 'und'])
    assert.deepEqual(mistakes(language, wrong), [
      'field: not a language tag such as "en", "de" or "pt-BR"',
    ]);
  for (const wrong of [null, 3, '', ['de']])
    assert.deepEqual(mistakes(language, wrong), ['field: missing or not a text']);
});

for (const [lang, day, shortDay, year] of [
  ['en', '4 March 2025', '4 Mar', '2025'],
  ['en-US', 'March 4, 2025', 'Mar 4', '2025'],
  ['de', '4. März 2025', '4. März', '2025'],
  ['ja', '2025年3月4日', '3月4日', '2025年'],
  ['pt-BR', '4 de março de 2025', '4 de mar.', '2025'],
  // Node does not know it.
  ['qaa', 'March 4, 2025', 'Mar 4', '2025'],
] as const)
  test(`in ${lang} a date reads ${day}, in any zone`, () => {
    assert.deepEqual(dateWriter(lang)('2025-03-04'), { day, shortDay, year });
  });

test('words are in English where the owner says nothing', () => {
  assert.deepEqual(words(undefined, 'words'), WORDS);
  const own = { enter: 'Eintreten', welcome: 'Hallo {firstName}, {firstName}!' };
  assert.deepEqual(words(own, 'words'), { ...WORDS, ...own });
  assert.equal(invitation(undefined, 'invitation'), INVITATION);
  assert.equal(reminder(undefined, 'reminder'), REMINDER);
});

test('all mistakes in words are named at once', () => {
  const wrong = {
    enter: 3,
    goOn: ' ',
    logOut: 'Log\nout',
    welcome: 'Hello.',
    notInvited: '{Email} is not here.',
    looking: 'Looking {soon} for { it }…',
    welcom: 'Hello.',
  };
  assert.deepEqual(
    mistakes(words, wrong).map((mistake) => mistake.replace(/known are .*/, 'known are …')),
    [
      'field.enter: missing or not a text',
      'field.goOn: missing or not a text',
      'field.logOut: a line break can stand in "text" only',
      'field.welcome: {firstName} is missing',
      'field.notInvited: {email} is missing; {Email} has no meaning here',
      'field.looking: {soon} has no meaning here; { it } has no meaning here',
      'field: unknown field "welcom"; known are …',
    ],
  );
  assert.deepEqual(mistakes(words, 'Hello'), ['field: not an object']);
});

for (const [name, letter] of Object.entries({ invitation, reminder }))
  test(`the ${name} must name the address of the site`, () => {
    assert.deepEqual(mistakes(letter, 'Come to {address}!\n{firstName} {email} {title}'), []);
    assert.deepEqual(mistakes(letter, 'Come, {first name}!'), [
      'field: {address} is missing; {first name} has no meaning here',
    ]);
    assert.deepEqual(mistakes(letter, null), ['field: missing or not a text']);
  });

test('the German example has every sentence, in German', () => {
  const file = path.join(root, 'pages/sample/words-de.json');
  const german = JSON.parse(fs.readFileSync(file, 'utf8'));
  assert.deepEqual(Object.keys(german.words), Object.keys(WORDS));
  for (const [key, english] of Object.entries(WORDS)) assert.notEqual(german.words[key], english);
  assert.deepEqual(mistakes(words, german.words), []);
  assert.deepEqual(mistakes(invitation, german.invitation), []);
  assert.deepEqual(mistakes(reminder, german.reminder), []);
  assert.equal(language(german.language, 'field').lang, 'de');
});
