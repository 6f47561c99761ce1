/** The owner's texts, their paragraphs and links, and how templates show them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParagraphs } from '../../lib/site/paragraphs.ts';
import { fillTemplate, type View } from '../../lib/site/template.ts';
import { mistakesOf } from '../support/mistakes.ts';

const files = { public: new Map(), gated: new Map(), warnings: new Set<string>() };
const paragraphs = (value: unknown) => readParagraphs(value, 'join.text', files);

const plain = (text: string) => ({ parts: [{ plain: text, link: undefined }] });

test('blank lines divide a text into paragraphs, lines and other brackets stay', () => {
  const text = 'One.\n\nTwo,\non two lines.\r\n \r\na[0] = b, [sic] (really)\n';
  const shown = ['One.', 'Two,\non two lines.', 'a[0] = b, [sic] (really)'];
  assert.deepEqual(paragraphs(text), shown.map(plain));
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

const WRONG = `http://example.com JavaScript:alert(1) data:text/html,x //example.com /timeline
  https:// https:example.com https://[ mailto:ada tel:ada`;
test('what is meant as a link and is none is a mistake, not a text', () => {
  for (const link of [
    ...WRONG.split(/\s+/).map((href) => `[words](${href})`),
    ...['[words](https://a b.example)', '[words]()', '[ ](https://example.com)'],
    '[words](https://example.com',
  ]) {
    const [mistake = '', ...others] = mistakesOf(() => paragraphs(`A text.\n\nSee ${link}.`));
    assert.match(mistake, /^join\.text: no link: \[.*; write \[words\]\(https:/, link);
    assert.deepEqual(others, []);
  }
});

const VIEW: View = { name: 'outside', sign: '!', items: [{ name: 'a' }, {}], none: undefined };
for (const [what, template, shown] of [
  ['inserts text, escaped', '<p title="{{text}}">', '<p title="&lt;&quot;&amp;&#39;&#123;">'],
  ['repeats a section for each item', '{{#items}}{{name}}{{sign}} {{/items}}', 'a! outside! '],
  ['shows nothing for undefined or false', 'a{{none}}{{#none}}c{{/none}}{{#no}}e{{/no}}', 'a'],
] as const)
  test(`a template ${what}`, () =>
    assert.equal(fillTemplate(template, { ...VIEW, text: `<"&'{`, no: false }), shown));

test('a name that the view lacks is an error of the template', () => {
  for (const template of ['{{nmae}}', '{{#nmae}}{{/nmae}}'])
    assert.throws(() => fillTemplate(template, VIEW), /names \{\{nmae\}\}, which is unk/);
});
