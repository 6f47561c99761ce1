/** Texts of several paragraphs, and the links in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paragraphs } from '../../lib/site/paragraphs.ts';
import { mistakesOf } from '../support/mistakes.ts';

const plain = (text: string) => ({ parts: [{ plain: text, link: undefined }] });

/** The links of a text, in one paragraph. */
function linksIn(text: string): readonly (readonly [words: string, href: string])[] {
  const [{ parts = [] } = {}] = paragraphs(text, '');
  return parts.flatMap(({ link }) => (link ? [[link.words, link.href] as const] : []));
}

const mistakes = (value: unknown) => mistakesOf(() => paragraphs(value, 'join.text'));

test('blank lines divide a text into paragraphs, lines stay', () => {
  assert.deepEqual(
    paragraphs('One.\n\nTwo,\non two lines.\r\n \r\nThree.\n', ''),
    ['One.', 'Two,\non two lines.', 'Three.'].map(plain),
  );
});

test('a list of texts is a list of paragraphs', () => {
  assert.deepEqual(
    paragraphs([' One.', 'Two.\n\nThree.'], ''),
    ['One.', 'Two.', 'Three.'].map(plain),
  );
  assert.deepEqual(mistakes([]), ['join.text: not a list with at least one item']);
  assert.deepEqual(
    mistakes(['One.', ' ', 3]),
    [1, 2].map((i) => `join.text[${i}]: missing or not a text`),
  );
});

test('a link stands in its place, with its words', () => {
  assert.deepEqual(
    paragraphs(
      'Read [the press](https://press.example.com/a?b=1&c) or [write](mailto:ada@example.com).',
      '',
    ),
    [
      {
        parts: [
          {
            plain: 'Read ',
            link: { words: 'the press', href: 'https://press.example.com/a?b=1&c' },
          },
          { plain: ' or ', link: { words: 'write', href: 'mailto:ada@example.com' } },
          { plain: '.', link: undefined },
        ],
      },
    ],
  );
});

test('an address may have parentheses in pairs, and letters of any script', () => {
  assert.deepEqual(linksIn('([Halden](https://en.example.com/Halden_(town)))'), [
    ['Halden', 'https://en.example.com/Halden_(town)'],
  ]);
  assert.deepEqual(linksIn('[call](tel:+49-761.123)'), [['call', 'tel:+49-761.123']]);
  assert.deepEqual(linksIn('[Größe](https://müller.example/größe)'), [
    ['Größe', 'https://xn--mller-kva.example/gr%C3%B6%C3%9Fe'],
  ]);
});

test('hundreds of thousands of spaces are text', () => {
  const spaces = ' '.repeat(400_000);
  assert.deepEqual(paragraphs(`a${spaces}b`, ''), [plain(`a${spaces}b`)]);
  assert.deepEqual(paragraphs(`a\n${spaces}b \n${spaces}\n c`, ''), [
    plain(`a\n${spaces}b`),
    plain('c'),
  ]);
});

test('brackets that begin no link are text', () => {
  for (const text of ['a[0] = b', '[sic] (really)', 'x [', ']( x', '[a] https://b.example'])
    assert.deepEqual(paragraphs(text, ''), [plain(text)]);
});

for (const link of [
  '[words](http://example.com)',
  '[words](javascript:alert(1))',
  '[words](JavaScript:alert(1))',
  '[words](data:text/html,x)',
  '[words](//example.com)',
  '[words](/timeline)',
  '[words](example.com)',
  '[words](https://)',
  '[words](https:example.com)',
  '[words](https://a b.example)',
  '[words](https://[)',
  '[words](mailto:)',
  '[words](mailto:ada)',
  '[words](tel:ada)',
  '[words]()',
  '[](https://example.com)',
  '[ ](https://example.com)',
  '[words](https://example.com',
  '[words]( https://example.com)',
])
  test(`${link} is a mistake, not a text`, () => {
    const [mistake = '', ...others] = mistakes(['A text.', `See ${link}.`]);
    assert.match(mistake, /^join\.text\[1\]: no link: \[.*; write \[words\]\(https:/);
    assert.deepEqual(others, []);
  });
