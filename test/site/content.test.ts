/** What `content.json` may hold: fragments of it, and the mistakes that are named or the HTML. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();
for (const from of [SAMPLE_SITE, path.join(root, 'test/site')])
  fs.cpSync(from, folder, { recursive: true });
const FILES = {
  'media/film.mp4': '',
  'media/plain.vtt': 'WEBVTT',
  'media/mark.vtt': '\uFEFFWEBVTT - Größe\r\n',
  'public/logo.svg': '<svg viewBox="0 0 120 30"/>',
  'public/brand.woff2': 'wOF2 and the rest',
};
for (const [name, content] of Object.entries(FILES)) {
  fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), content);
}

const EXAMPLE = {
  entry: {
    title: 'Private preview',
    sentence: 'This preview is by invitation only.',
    description: 'Enter the email address your invitation was sent to.',
  },
  title: 'Halden',
  tagline: 'A desk lamp that keeps the sun’s hours.',
  timeline: [
    {
      date: '2025-01-21',
      headline: 'Four in the afternoon',
      text: 'It began with an argument about a window.',
      image: { src: '01-window.svg', alt: 'Low winter sun falls through a window.' },
    },
    {
      date: '2025-03-04',
      headline: 'A notebook of skies',
      text: 'For forty days a sensor on the roof looked up every ten minutes.',
    },
  ],
  join: {
    headline: 'Shall we keep one lit for you?',
    text: 'Say so, and one of the first four hundred waits for you.',
    button: 'Count me in',
  },
};

function load(content: string | Buffer) {
  fs.writeFileSync(path.join(folder, 'content.json'), content);
  return loadSite(folder, '');
}

/** The mistakes, without the name of the file. */
const mistakes = (content: string | Buffer): readonly string[] =>
  mistakesOf(() => load(content)).map((line) => line.slice(`${folder}/content.json: `.length));

/** The example with other values of fields; `undefined` leaves one out: `join.text`. */
function set(fields: Readonly<Record<string, unknown>>): string {
  const content = JSON.parse(JSON.stringify(EXAMPLE));
  for (const [field, value] of Object.entries(fields)) {
    const names = field.split(/[.[\]]+/).filter(Boolean);
    const last = names.pop() ?? '';
    const owner = names.reduce((part, name) => (part[name] ??= {}), content);
    owner[last] = value;
  }
  return JSON.stringify(content);
}

const [TEXT, OBJECT] = ['missing or not a text', 'not an object'];
const [LIST, LINE] = ['not a list with at least one item', 'not one line; remove the line break'];
const DATE = 'not a date (YYYY-MM-DD)';
const TAG = 'not a language tag such as "en", "de" or "pt-BR"';
const LINK = 'not an address such as https://…, mailto:… or tel:…';
const COLOUR = 'not a colour such as "#00566b"';
const POSITION = 'not one of top, bottom, start, end, center';
const [IMAGE, CARD] = ['JPEG, PNG, WebP or SVG', 'PNG or JPEG, 1200 by 630 pixels'];
const KIND = 'is of a kind that is not supported; save it as';

const NO_FILE = 'links and hidden files do not count';
const NO_LINK = 'write [words](https://…), (mailto:…) or (tel:…)';

const REQUIRED = `title tagline timeline[0].headline timeline[1].text timeline[0].image.src
  timeline[0].image.alt join.headline join.text join.button`;

const PICTURE = { src: '321x123.png', alt: 'A picture.' };
const VIDEO = { src: 'film.mp4', poster: '321x123.jpg', description: 'A video.' };
const captions = (src: string, language?: string) => ({ ...VIDEO, captions: { src, language } });
const BRAND = { typeface: 'brand.woff2', logo: { src: 'logo.svg', alt: 'Halden' } };

/** A field, its value, and what is wrong with it, or with a part of it. */
const WRONG: readonly (readonly [field: string, value: unknown, ...said: string[]])[] = [
  ...REQUIRED.split(/\s+/).flatMap((field) =>
    [undefined, 3, null, '  '].map((value) => [field, value, TEXT] as const),
  ),
  ...['title', 'sentence', 'description', 'contact'].map(
    (name) => [`entry.${name}`, ' ', TEXT] as const,
  ),
  ...['2025-02-29', '2025-01-32', '4 March 2025', undefined].map(
    (day) => ['timeline[1].date', day, DATE] as const,
  ),
  ...['/imprint', 'http://example.com', 'javascript:alert(1)', 'tel:x'].map(
    (href) => ['links', [{ text: 'Imprint', href }], `[0].href: ${LINK}`] as const,
  ),
  ['timeline[0].image', 'window.svg', OBJECT],
  ['timeline[0].image.src', 'door.svg', `there is no file images/door.svg; ${NO_FILE}`],
  ['timeline[1].headline', 'Four\nin the afternoon', LINE],
  ['title', 'Halden\r\n\r\nLamp', LINE],
  ['timeline', [], LIST],
  ['timeline', {}, LIST],
  ['entry', 'Welcome', OBJECT],
  ['join', undefined, OBJECT],
  ['join.thanks', '', TEXT],
  ['join.text', ['One.'], TEXT],
  ['join.text', '[two\nlines](http://x)', `no link: [two lines](http://x); ${NO_LINK}`],
  ['opening.image', 'window.svg', OBJECT],
  ['links', [], LIST],
  // Pictures and videos
  ['timeline[1].images', [PICTURE, { src: '321x123.png' }], `[1].alt: ${TEXT}`],
  ['timeline[1].images', [{ ...PICTURE, position: 'left' }], `[0].position: ${POSITION}`],
  ['opening.image', { ...PICTURE, position: '70% bottom' }, `.position: ${POSITION}`],
  [
    'timeline[1].video',
    { ...VIDEO, src: 'none.mp4' },
    `.src: there is no file media/none.mp4; ${NO_FILE}`,
  ],
  ['timeline[1].video', { ...VIDEO, poster: undefined }, `.poster: ${TEXT}`],
  ['timeline[1].video', { ...VIDEO, poster: 'a.mp4' }, `.poster: images/a.mp4 ${KIND} ${IMAGE}`],
  ['timeline[1].video', { ...VIDEO, description: '' }, `.description: ${TEXT}`],
  ['timeline[1].video', { ...VIDEO, loop: 'yes' }, '.loop: not true or false'],
  ['timeline[1].video', { ...VIDEO, captions: 'plain.vtt' }, `.captions: ${OBJECT}`],
  ['timeline[1].video', captions('plain.vtt', 'x y'), `.captions.language: ${TAG}`],
  ...[
    { image: PICTURE, images: [PICTURE] },
    { image: PICTURE, video: VIDEO },
    { images: [PICTURE], video: VIDEO },
  ].map((scenes) => {
    const entry = { date: '2025-01-21', headline: 'x', text: 'x', ...scenes };
    return ['timeline', [entry], '[0]: only one of image, images and video'] as const;
  }),
  // Brand
  ...['petrol', '#00566b80', '#12', 5].map(
    (accent) => ['theme', { accent }, `.accent: ${COLOUR}`] as const,
  ),
  ['theme.accent', null, OBJECT],
  ['theme.accent', ['#000'], OBJECT],
  ['theme.background', { light: 'white' }, `.light: ${COLOUR}`, `.dark: ${COLOUR}`],
  [
    'theme.logo',
    { src: 'gone.svg', alt: '' },
    `.src: there is no file public/gone.svg; ${NO_FILE}`,
  ],
  ['theme.picture', { src: 'logo.svg' }, `.alt: ${TEXT}`],
  ['theme.picture', { src: 'logo.svg', alt: '', position: 5 }, `.position: ${POSITION}`],
  ['theme.favicon', 'brand.woff2', `public/brand.woff2 ${KIND} SVG, PNG or ICO`],
  ['theme.card', { src: 'logo.svg', alt: '' }, `.src: public/logo.svg ${KIND} ${CARD}`],
  // Language and words
  ...['deutsch', 'German', 'de_DE', 'x', 'de-', 'english please', 'und'].map(
    (tag) => ['language', tag, TAG] as const,
  ),
  ...[null, 3, '', ['de']].map((tag) => ['language', tag, TEXT] as const),
  ['words', 'Hello', OBJECT],
  ['words.enter', 3, TEXT],
  ['words.goOn', ' ', TEXT],
  ['words.logOut', 'Log\nout', LINE],
  ['words.welcome', 'Hello.', '{firstName} is missing'],
  ['words.notInvited', '{Email} is out.', '{email} is missing; {Email} has no meaning here'],
  ['words.looking', '{soon} { it }', '{soon} has no meaning here; { it } has no meaning here'],
  ...['invitation', 'reminder'].flatMap((name) => [
    [name, null, TEXT] as const,
    [name, '{first name}!', '{address} is missing; {first name} has no meaning here'] as const,
  ]),
];
for (const [field, value, ...said] of WRONG)
  test(`${field} must not be ${JSON.stringify(value) ?? 'left out'}`, () => {
    const lines = said.map((what) => field + (/^[.[]/.test(what) ? what : `: ${what}`));
    assert.deepEqual(mistakes(set({ [field]: value })), lines);
  });

test('an unknown field is named, with the known ones', () => {
  for (const [field, said] of [
    ['timeline[1].headlin', /^timeline\[1\]: unknown field "headlin"; known are date, headline, /],
    ['titel', /^unknown field "titel"/],
    ['title\nof the site', /^unknown field "title of the site"; .*$/],
    ['entry.text', /^entry: unknown field "text"/],
    ['join.link', /^join: unknown field "link"/],
    ['theme.colour', /^theme: unknown field "colour"/],
    ['words.welcom', /^words: unknown field "welcom"/],
  ] as const) {
    const [mistake = '', ...others] = mistakes(set({ [field]: 'x' }));
    assert.match(mistake, said);
    assert.deepEqual(others, []);
  }
});

test('all mistakes are named at once', (t) => {
  const wrong = { date: 'soon', headline: 'x', text: '', picture: {} };
  const fields = { title: undefined, join: [], 'timeline[0]': wrong, 'theme.accent': '#12' };
  assert.deepEqual(mistakes(set(fields)).toSorted(), [
    'join: not an object',
    'theme.accent: not a colour such as "#00566b"',
    'timeline[0].date: not a date (YYYY-MM-DD)',
    'timeline[0].text: missing or not a text',
    'timeline[0]: unknown field "picture"; known are date, headline, text, image, images, video',
    'title: missing or not a text',
  ]);
  // Their traces would take seconds.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  t.after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  assert.equal(mistakes(set({ timeline: Array(200_000).fill(1) })).length, 200_000);
});

/** Fields, the page that they change, and its HTML. */
const SHOWN: readonly (readonly [fields: object, page: 'entry' | 'desktop', html: string])[] = [
  [{ entry: undefined }, 'entry', '<h1>This preview is by invitation only.</h1>'],
  [{ entry: {} }, 'entry', '<title>Private preview</title>'],
  [
    { 'entry.description': undefined },
    'entry',
    'content="Enter the email address your invitation was',
  ],
  ...['https://example.com/imprint', 'mailto:ada@example.com', 'tel:+49761123'].map(
    (href) => [{ links: [{ text: 'x', href }] }, 'entry', `href="${href}"`] as const,
  ),
  [
    { 'timeline[1].images': [PICTURE, { src: '321x123-lossy.webp', alt: '', position: 'end' }] },
    'desktop',
    '<img class="center" src="/images/321x123.png" alt="A picture." width="321" height="123" loading="lazy" decoding="async"><img class="end" src="/images/321x123-lossy.webp" alt="" width="321" height="123"',
  ],
  [
    { 'timeline[1].video': captions('mark.vtt'), language: 'de' },
    'desktop',
    '<video class="film" src="/media/film.mp4" poster="/images/321x123.jpg" width="321" height="123" aria-label="A video." controls playsinline preload="metadata"><track kind="captions" src="/media/mark.vtt" srclang="de">',
  ],
  [{ 'timeline[1].video': captions('plain.vtt', 'ar') }, 'desktop', ' srclang="ar">'],
  [{ 'timeline[1].video': { ...VIDEO, loop: true } }, 'desktop', '<video class="loop" '],
  [{ theme: BRAND }, 'entry', '<img class="logo" src="/public/logo.svg" alt="Halden" width="120"'],
  [
    { theme: { picture: { ...BRAND.logo, position: 'start' } } },
    'entry',
    '<img class="start" src="/public/logo.svg" alt="Halden" width="120" height="30">',
  ],
];
for (const [fields, page, html] of SHOWN)
  test(`${JSON.stringify(fields).slice(0, 80)} is shown on the page`, () => {
    const shown = load(set({ ...fields })).pages[page].toString();
    assert.ok(shown.includes(html), shown);
  });

test('the size of the title is that of its longest word, and soft hyphens divide words', () => {
  const size = (title: string) => {
    const [[, css = ''] = []] = load(set({ title })).styles.gated;
    return Number(/--title: (.*);/.exec(css)?.[1]);
  };
  assert.equal(size('Bergwind'), 6);
  assert.equal(size('Berg\u00adwind am 𝔅erg'), size('Berg'));
});

const PLACEHOLDER = 'is a placeholder; write an address of your own';
const ENGLISH = 'invitation, reminder, subject, reminderSubject: start from words-en.json';
for (const [field, value, said] of [
  ['language', 'en-US', undefined],
  ['language', 'es', `language is es, but still in English are 41 sentences of words, ${ENGLISH}`],
  [
    'entry.contact',
    '[Write](mailto:ada@example.com).',
    `entry.contact: example.com ${PLACEHOLDER}`,
  ],
  ['join.text', '[a](https://www.example.org/a)', `join.text: example.org ${PLACEHOLDER}`],
  ['entry.contact', '[a](https://counterexample.com), [b](https://example.community)', undefined],
] as const)
  test(`${field} ${value} is valid, with ${said ? 'a' : 'no'} warning`, () => {
    const lines = load(set({ [field]: value })).warnings;
    assert.deepEqual(lines, said ? [`${folder}/content.json: ${said}`] : []);
  });

/** A content file of nine lines, with one replaced. */
const LINES = `{
  "title": "Halden",
  "timeline": [
    { "date": "2025-01-21" }
  ],
  "join": {
    "button": "Count me in"
  }
}`.split('\n');
const line = (number: number, text: string) => LINES.with(number - 1, text).join('\n');

const COMMA = 'no comma after the last one';
const quotes = (found: string) => `write straight quotes ("…") in place of ${found}`;
for (const [what, broken, at, said] of [
  ['a missing comma', line(2, '"title": "x"'), 3, "Expected ',' or '}' after property value"],
  ['a comma after the last field', line(7, '"button": "x",'), 7, COMMA],
  ['a comma after the last item', line(4, '{ "date": "x" }, '), 4, COMMA],
  ['a comma after the last item of a line', line(4, '["a", "b", ]'), 4, COMMA],
  ['a comma after all', line(9, '},'), 9, 'Unexpected non-whitespace character after JSON'],
  ['two commas', line(4, '1, , 2'), 4, "Unexpected token ','"],
  ['no value', line(7, '"button": '), 8, "Unexpected token '}'"],
  [
    'a quote that is not closed',
    line(2, '"title": "x,'),
    2,
    'Bad control character in string literal',
  ],
  [
    'quotes in quotes',
    line(2, '"title": "the "x" y",'),
    2,
    "Expected ',' or '}' after property value",
  ],
  ['a curly name', line(2, '“title”: 1,'), 2, quotes('“')],
  ['a curly text', line(2, '"title": “x”,'), 2, quotes('“')],
  ['a German text', line(2, '"title": „x“,'), 2, quotes('„')],
  ['a curly text in a list', line(4, '"x", “y”'), 4, quotes('“')],
  ['a curly quote that closes a name', line(2, '"title”: "x",'), 2, quotes('”')],
  ['a curly quote that closes a text', line(7, '"button": "x”'), 7, quotes('”')],
  ['a curly quote that closes an item', line(4, '["x”, "y"]'), 4, quotes('”')],
  ['single quotes', line(2, "'title': 'x',"), 2, quotes("'")],
  ['guillemets', line(2, '"title": «x»,'), 2, quotes('«')],
  ['a no-break space', line(2, '"title":\u00a0"x",'), 2, 'delete the invisible character U+00A0'],
  ['a name without quotes', line(2, 'title: "x",'), 2, "Expected property name or '}'"],
  ['a word without quotes', line(2, '"title": Halden'), 2, "Unexpected token 'H'"],
  ['Python', line(2, '"title": True,'), 2, "Unexpected token 'T'"],
  ['a comment', line(4, '1, // one'), 4, "Unexpected token '/'"],
  ['an end that is missing', LINES.slice(0, -1).join('\n'), 8, "Expected ',' or '}' after"],
  ['nothing at all', '', 1, 'Unexpected end of JSON input'],
  ['half of it', '{\n  "title":\n\n', 2, 'Unexpected end of JSON input'],
  ['another line break', line(7, '"button": "x",').replaceAll('\n', '\r'), 7, COMMA],
  ['900,000 characters', `{\n"a": ["${'A\\n'.repeat(3e5)}",\n"b",]}`, 3, COMMA],
  ['HTML', '<html>\n</html>', 1, "Unexpected token '<'"],
] as const)
  test(`JSON with ${what} is refused in one line that names the place`, () => {
    const [mistake = '', ...others] = mistakes(broken);
    assert.deepEqual(others, []);
    assert.ok(mistake.startsWith(`line ${at}: not JSON: ${said}`), mistake);
    assert.doesNotMatch(mistake, /\n|position|valid/);
  });

for (const encoding of ['latin1', 'utf16le'] as const)
  test(`JSON in ${encoding} is refused`, () => {
    const file = Buffer.from('\uFEFF{ "title": "Grün" }', encoding);
    assert.deepEqual(mistakes(file), ['not UTF-8; save the file as UTF-8']);
  });

test('JSON is read with a byte order mark or without', () => {
  for (const mark of ['', '\uFEFF']) assert.deepEqual(mistakes(mark + JSON.stringify(EXAMPLE)), []);
});
