/** The owner's texts, their paragraphs and links, and how templates show them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParagraphs } from '../../lib/site/paragraphs.ts';
import { fillTemplate } from '../../lib/site/template.ts';
import { mistakesOf } from '../support/mistakes.ts';

const files = { public: new Map(), gated: new Map(), warnings: new Set<string>() };
const paragraphs = (value: unknown) => readParagraphs(value, 'join.text', files);

const plain = (text: string) => ({ parts: [{ plain: text, link: undefined }] });

test('blank lines divide a text into paragraphs, lines stay', () => {
  const found = paragraphs('One.\n\nTwo,\non two lines.\r\n \r\nThree.\n');
  assert.deepEqual(found, ['One.', 'Two,\non two lines.', 'Three.'].map(plain));
});

test('a link stands in its place; its address may have parentheses and letters of any script', () => {
  const text =
    'Read ([it](https://x.example.com/A_(b))), [call](tel:+49-761.123) [ü](https://ü.de/ß)';
  const parts = [
    { plain: 'Read (', link: { words: 'it', href: 'https://x.example.com/A_(b)' } },
    { plain: '), ', link: { words: 'call', href: 'tel:+49-761.123' } },
    { plain: ' ', link: { words: 'ü', href: 'https://xn--tda.de/%C3%9F' } },
    { plain: '', link: undefined },
  ];
  assert.deepEqual(paragraphs(text), [{ parts }]);
});

test('brackets that begin no link are text', () => {
  for (const text of ['a[0] = b', '[sic] (really)', 'x [', ']( x', '[a] https://b.example'])
    assert.deepEqual(paragraphs(text), [plain(text)]);
});

const WRONG = `http://example.com javascript:alert(1) JavaScript:alert(1) data:text/html,x //example.com
  /timeline example.com https:// https:example.com https://[ mailto: mailto:ada tel:ada`;
for (const link of [
  ...WRONG.split(/\s+/).map((href) => `[words](${href})`),
  ...['[words](https://a b.example)', '[words]()', '[](https://example.com)'],
  ...['[ ](https://example.com)', '[words](https://example.com', '[words]( https://example.com)'],
])
  test(`${link} is a mistake, not a text`, () => {
    const [mistake = '', ...others] = mistakesOf(() => paragraphs(`A text.\n\nSee ${link}.`));
    assert.match(mistake, /^join\.text: no link: \[.*; write \[words\]\(https:/);
    assert.deepEqual(others, []);
  });

for (const [what, template, view, shown] of [
  [
    'inserts text, escaped',
    '<p title="{{text}}">{{text}}</p>',
    { text: `<"&'` },
    '<p title="&lt;&quot;&amp;&#39;">&lt;&quot;&amp;&#39;</p>',
  ],
  ['leaves text that looks like a template', '{{a}}', { a: '{{b}}', b: '' }, '&#123;&#123;b}}'],
  [
    'repeats a section for each item, whose names hide those outside',
    '{{#items}}{{name}}{{sign}} {{/items}}',
    { name: 'outside', sign: '!', items: [{ name: 'a' }, { name: 'b' }, {}] },
    'a! b! outside! ',
  ],
  [
    'shows nothing for undefined or false',
    'a{{b}}{{#b}}c{{/b}}{{#d}}e{{/d}}',
    { b: undefined, d: false },
    'a',
  ],
] as const)
  test(`a template ${what}`, () => assert.equal(fillTemplate(template, view), shown));

test('a name that the view lacks is an error of the template', () => {
  for (const template of ['{{nmae}}', '{{#nmae}}{{/nmae}}'])
    assert.throws(
      () => fillTemplate(template, { name: 'Ada' }),
      /names \{\{nmae\}\}, which is unk/,
    );
});
