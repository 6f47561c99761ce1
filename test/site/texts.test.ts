/** The owner's texts, their paragraphs and links, and how templates show them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParagraphs } from '../../lib/site/paragraphs.ts';
import { fillTemplate } from '../../lib/site/template.ts';
import { mistakesOf } from '../support/mistakes.ts';

const files = { public: new Map(), gated: new Map(), warnings: new Set<string>() };
const paragraphs = (value: unknown) => readParagraphs(value, 'join.text', files);

const plain = (text: string) => ({ parts: [{ plain: text, link: undefined }] });

/** The links of a text, in one paragraph. */
function linksIn(text: string): readonly (readonly [words: string, href: string])[] {
  const [{ parts = [] } = {}] = paragraphs(text);
  return parts.flatMap(({ link }) => (link ? [[link.words, link.href] as const] : []));
}

const mistakes = (value: unknown) => mistakesOf(() => paragraphs(value));

test('blank lines divide a text into paragraphs, lines stay', () => {
  const found = paragraphs('One.\n\nTwo,\non two lines.\r\n \r\nThree.\n');
  assert.deepEqual(found, ['One.', 'Two,\non two lines.', 'Three.'].map(plain));
});

test('a link stands in its place, with its words', () => {
  const [href, mail] = ['https://press.example.com/a?b=1&c', 'mailto:ada@example.com'];
  const parts = [
    { plain: 'Read ', link: { words: 'the press', href } },
    { plain: ' or ', link: { words: 'write', href: mail } },
    { plain: '.', link: undefined },
  ];
  assert.deepEqual(paragraphs(`Read [the press](${href}) or [write](${mail}).`), [{ parts }]);
});

test('an address may have parentheses in pairs, and letters of any script', () => {
  for (const [text, ...link] of [
    ['([Halden](https://x.example.com/A_(b)))', 'Halden', 'https://x.example.com/A_(b)'],
    ['[call](tel:+49-761.123)', 'call', 'tel:+49-761.123'],
    ['[Größe](https://müller.example/ß)', 'Größe', 'https://xn--mller-kva.example/%C3%9F'],
  ] as const)
    assert.deepEqual(linksIn(text), [link]);
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
    const [mistake = '', ...others] = mistakes(`A text.\n\nSee ${link}.`);
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
    'may have a section in a section',
    '{{#years}}{{year}}:{{#days}} {{day}}{{/days}}{{/years}}',
    { years: [{ year: '2025', days: [{ day: '1' }, { day: '2' }] }] },
    '2025: 1 2',
  ],
  ['shows nothing for undefined', 'a{{b}}{{#b}}c{{/b}}d', { b: undefined }, 'ad'],
  ['shows a section that is true', '{{#a}}a{{/a}}{{#b}}b{{/b}}', { a: false, b: true }, 'b'],
] as const)
  test(`a template ${what}`, () => assert.equal(fillTemplate(template, view), shown));

test('a name that the view lacks is an error of the template', () => {
  for (const [template, fault] of [
    ['{{nmae}}', /names \{\{nmae\}\}, which is unknown/],
    ['{{#itmes}}{{/itmes}}', /names \{\{itmes\}\}/],
    ['{{items}}', /shows \{\{items\}\}, which is a list/],
  ] as const)
    assert.throws(() => fillTemplate(template, { name: 'Ada', items: [] }), fault);
});
