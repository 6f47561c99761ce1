/**
 * The values that the fields of `content.json` may have, and the mistakes or the HTML that they
 * make.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { DEFAULT_LETTERS, DEFAULT_WORDS } from '../../lib/site/default-words.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder();
for (const from of [SAMPLE_SITE, path.join(root, 'test/site')])
  fs.cpSync(from, folder, { recursive: true });
const FILES = {
  'images/broken.png': 'no image',
  'images/large.png': '',
  ['images/Tür im "März" 100 %.svg'.normalize('NFD')]:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>',
  'media/film.mp4': '\0\0\0\x08ftyp\0\0\0\x08moov',
  'media/plain.vtt': 'WEBVTT',
  'public/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 30"/>',
  'public/brand.woff2': 'wOF2 and the rest',
  'media/Zehn Seiten.pdf': '%PDF-1.7',
  'media/list.csv': 'a',
};
for (const [name, content] of Object.entries(FILES)) {
  fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), content);
}
fs.truncateSync(path.join(folder, 'images/large.png'), 20_100_000);

const PICTURE = { src: '321x123.png', alt: 'A picture.' };
const VIDEO = { src: 'film.mp4', poster: '321x123.jpg', description: 'A video.' };
const ENTRY = { date: '2025-01-21', headline: 'Four in the afternoon', text: 'It began.' };
const EXAMPLE = {
  entry: { title: 'Preview', sentence: 'By invitation.', description: 'Enter your address.' },
  links: [{ text: 'Imprint', href: 'https://halden.example/imprint' }],
  title: 'Halden',
  tagline: 'A desk lamp that keeps the sun’s hours.',
  timeline: [
    { ...ENTRY, image: PICTURE },
    { ...ENTRY, images: [PICTURE, { ...PICTURE, position: 'end' }] },
    { ...ENTRY, video: VIDEO },
  ],
  join: { headline: 'Shall we keep one?', text: 'Say so.', button: 'Count me in' },
};

function load(content: string | Buffer) {
  fs.writeFileSync(path.join(folder, 'content.json'), content);
  return loadSite(folder, '');
}

const withoutFolder = (line: string) => line.slice(`${folder}/content.json: `.length);

/** The mistakes, without the name of the file. */
const mistakes = (content: string | Buffer): readonly string[] =>
  mistakesOf(() => load(content)).map(withoutFolder);

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

const TEXTS = `title tagline timeline[0].headline timeline[1].text timeline[0].image.src join.text
  timeline[1].images[1].alt timeline[2].video.poster timeline[2].video.description join.headline
  join.button links[0].text links[0].href`.split(/\s+/);
const OPTIONAL_TEXTS = `language entry.title entry.sentence entry.description entry.contact
  join.thanks words.enter invitation reminder subject reminderSubject`.split(/\s+/);

/** A field, a value in JSON, and the mistake in the value or in a part of it. */
const WRONG = String.raw`
timeline[0].date | "2025-02-29" | "2025-02-29" is not a date; write it as YYYY-MM-DD, like 2025-01-21
timeline[0].date | "21.01.2025" | "21.01.2025" is not a date; write it as YYYY-MM-DD, like 2025-01-21
timeline[0].date | 2025         | missing or not a text
timeline[1].headline       | "Four\nin the afternoon" | not one line; remove the line break
title                      | "Halden\r\n\r\nLamp"     | not one line; remove the line break
timeline                   | []                       | not a list with at least one item
entry                      | "Welcome"                | not an object
timeline[0].image          | "321x123.png"            | not an object
timeline[1].image | {"src":"321x123.png","alt":""} | only one of image, images and video
links[0].href | "/imprint"           | not an address such as https://…, mailto:… or tel:…
links[0].href | "tel:x"              | not an address such as https://…, mailto:… or tel:…
timeline[1].images[0].position | "left"       | not one of top, bottom, start, end, center
timeline[2].video.loop         | "yes"        | not true or false
timeline[0].image.src | "door.svg"          | there is no file images/door.svg; LINKS
timeline[0].image.src | "../content.svg"    | there is no file images/../content.svg; LINKS
timeline[0].image.src | "a.GIF"             | images/a.GIF KIND; save it as JPEG, PNG, WebP or SVG
timeline[2].video.src          | "a.mov"    | media/a.mov KIND; convert it: FFMPEG
timeline[2].video.captions.src | "a.srt"    | media/a.srt KIND; save it as WebVTT (.vtt)
theme.typeface.text            | "face.ttf" | public/face.ttf KIND; convert it to WOFF2
theme.favicon                  | "a.jpg"    | public/a.jpg KIND; save it as SVG, PNG or ICO
theme.card.src    | "logo.svg" | public/logo.svg KIND; save it as PNG or JPEG, 1200 by 630 pixels
timeline[0].image.src | "large.png"  | images/large.png has 20.1 MB; the most is 20 MB
timeline[0].image.src | "broken.png" | images/broken.png has no size: damaged, not what its extension SVG
theme.accent           | "petrol"    | not a colour such as "#00566b"
language | "deutsch" | not a language tag such as "en", "de" or "pt-BR"
timeline[2].video.captions.language | "x y" | not a language tag such as "en", "de" or "pt-BR"
words.welcome    | "Hello."          | {firstName} is missing
words.notInvited | "{Email} is out." | {email} is missing; {Email} cannot be used here
words.checking    | "{soon} { it }"   | {soon} cannot be used here; { it } cannot be used here
invitation | "{first name}!" | {address} is missing; {first name} cannot be used here
subject    | "{address}"     | {address} cannot be used here
join.text | "A.\n\n[a\nb](http://x)" | not a link: [a b](http://x); write [words](https://…), (mailto:…), (tel:…) or (/media/…)
`
  .replaceAll('LINKS', 'links and hidden files do not count')
  .replaceAll('KIND', 'is of a kind that is not supported')
  .replaceAll(
    'FFMPEG',
    'ffmpeg -i old -map_metadata -1 -vf scale=-2:1080 -pix_fmt yuv420p -movflags +faststart new.mp4',
  )
  .replaceAll(
    'extension SVG',
    'extension says, or an SVG without viewBox; save it as JPEG, PNG, WebP or SVG',
  );

const rows = [
  ...TEXTS.flatMap((field) => ['', '3', 'null', '"  "'].map((value) => [field, value])),
  ...OPTIONAL_TEXTS.flatMap((field) => ['3', '" "'].map((value) => [field, value])),
  ...WRONG.trim()
    .split('\n')
    .map((row) => row.split(' | ').map((cell) => cell.trim())),
];
for (const [field = '', value = '', said = 'missing or not a text'] of rows)
  test(`${field} must not be ${value || 'left out'}`, () => {
    const found = mistakes(set({ [field]: value === '' ? undefined : JSON.parse(value) }));
    const place = said.startsWith('only one') ? field.replace(/\.\w+$/, '') : field;
    assert.ok(found.includes(`${place}: ${said}`), found.join('\n'));
  });

test('an unknown field is named, with the known ones', () => {
  for (const [field, said] of [
    ['timeline[1].headlin', /^timeline\[1\]: unknown field "headlin"; known are date, headline, /],
    ['title\nof the site', /^unknown field "title of the site"; .*$/],
    ['words.welcom', /^words: unknown field "welcom"/],
  ] as const) {
    const [mistake = '', ...others] = mistakes(set({ [field]: 'x' }));
    assert.match(mistake, said);
    assert.deepEqual(others, []);
  }
});

test('all mistakes are named at once', () => {
  const wrong = { date: 'soon', headline: 'x', text: '', picture: {} };
  const fields = { title: undefined, join: [], 'timeline[0]': wrong, 'theme.accent': '#12' };
  assert.deepEqual(mistakes(set(fields)).toSorted(), [
    'join: not an object',
    'theme.accent: not a colour such as "#00566b"',
    'timeline[0].date: "soon" is not a date; write it as YYYY-MM-DD, like 2025-01-21',
    'timeline[0].text: missing or not a text',
    'timeline[0]: unknown field "picture"; known are date, headline, text, image, images, video',
    'title: missing or not a text',
  ]);
});

test('null, empty texts and empty lists leave an optional field out', () => {
  for (const field of ['entry.contact', 'theme', 'links', 'entry', 'timeline[0].image', 'words'])
    for (const value of [null, '', []]) assert.deepEqual(mistakes(set({ [field]: value })), []);
});

test("half an emoji in a file's name is a mistake", () => {
  assert.deepEqual(mistakes(set({ 'timeline[0].image.src': 'a\ud83d.png' })), [
    'timeline[0].image.src: the name has half an emoji; write the name again',
  ]);
});

test('spaces in an address are named, and dropped in tel:', () => {
  const [field = ''] = mistakes(set({ 'links[0].href': 'https://a.example/b c' }));
  assert.match(field, /^links\[0\]\.href: the address has spaces/);
  const [text = ''] = mistakes(set({ 'join.text': '[a](https://a.example/b c)' }));
  assert.match(text, /^join\.text: not a link: .*the address has spaces/);
  const { pages } = load(
    set({ 'links[0].href': 'tel:+49 30 12', 'join.text': '[a](tel:+49 30 34)' }),
  );
  assert.match(pages.desktop.toString(), /"tel:\+493034"[\s\S]*"tel:\+493012"/);
});

test('Markdown and HTML in a text are a warning', () => {
  for (const text of ['**a**', 'a\n# b', '<b>a</b>', 'a&nbsp;b']) {
    const { warnings } = load(set({ 'join.text': text }));
    const found = `${folder}/content.json: join.text: `;
    const rule = 'is shown unchanged; texts are plain; only links are written [words](https://…)';
    assert.ok(warnings.some((line) => line.startsWith(found) && line.endsWith(rule)));
  }
  const { warnings } = load(set({ 'join.text': '2 * 3 < 7 & a #1' }));
  assert.ok(!warnings.some((line) => /texts are plain/.test(line)));
});

const NO_LINKS = `http://example.com JavaScript:alert(1) data:text/html,x //example.com /timeline
  https:// https:example.com https://[ mailto:ada tel:ada`;
test('a link that is not valid is a mistake, not a text', () => {
  for (const link of [
    ...NO_LINKS.split(/\s+/).map((href) => `[words](${href})`),
    ...['[words](https://a b.example)', '[words]()', '[ ](https://example.com)'],
    '[words](https://example.com',
  ]) {
    const [mistake = '', ...others] = mistakes(set({ 'join.text': `See ${link}.` }));
    assert.match(mistake, /^join\.text: not a link: \[.*; write \[words\]\(https:/, link);
    assert.deepEqual(others, []);
  }
});

test('a text for guests may link to a file for guests', () => {
  const links = [
    ['/media/Zehn%20Seiten.pdf#page=2', '/media/Zehn%20Seiten.pdf#page=2'],
    ['/media/list.csv', '/media/list.csv'],
    ['/images/321x123.png', '/images/321x123.png'],
    ['/images/T%C3%BCr%20im%20%22März%22%20100%20%25.svg', `/images/${UMLAUTS}`],
  ] as const;
  for (const [written, href] of links)
    for (const field of ['join.text', 'timeline[1].text', 'join.thanks']) {
      const { pages } = load(set({ [field]: `[Ten pages](${written})` }));
      const link = `<a href="${href}" rel="noreferrer">Ten pages</a>`;
      assert.ok(pages.desktop.toString().includes(link), pages.desktop.toString());
    }
  for (const [written, said] of [
    ['/media/none.pdf', 'there is no file media/none.pdf; links and hidden files do not count'],
    ['/media/../content.json', 'there is no file media/../content.json; '],
    ['/media/100%.pdf', 'there is no file media/100%.pdf; '],
    ['/media/\ud83d.pdf', 'the name has half an emoji'],
    ['/media/', 'not a link: '],
    ['/media/list.csv?a', 'not a link: '],
    ['/public/logo.svg', 'not a link: '],
  ] as const) {
    const [mistake = '', ...others] = mistakes(set({ 'join.text': `[Ten pages](${written})` }));
    assert.ok(mistake.startsWith(`join.text: ${said}`), mistake);
    assert.deepEqual(others, []);
  }
});

test('public texts cannot link to a file for guests', () => {
  const [contact = ''] = mistakes(set({ 'entry.contact': '[Pages](/media/list.csv)' }));
  assert.match(contact, /^entry\.contact: not a link: .*; write \[words\]\(https.*\(tel:…\)$/);
  const [link = ''] = mistakes(set({ 'links[0].href': '/media/list.csv' }));
  assert.match(link, /^links\[0\]\.href: not an address/);
});

const LOGO = { src: 'logo.svg', alt: 'Halden' };
const UMLAUTS = 'T%C3%BCr%20im%20%22M%C3%A4rz%22%20100%20%25.svg';
const PARAGRAPHS = 'One.\n\nTwo,\non two lines.\r\n \r\na[0] = b, [sic] (really)\n';
/** An address with parentheses, and one with letters of any script. */
const LINKS = 'Read ([it](https://x.example.com/A_(b))), [ü](https://ü.de/ß)';
const captions = (language?: string) => ({ ...VIDEO, captions: { src: 'plain.vtt', language } });
/** Fields, the page that they change, and its HTML. */
const SHOWN: readonly (readonly [fields: object, page: 'entry' | 'desktop', html: string])[] = [
  [{ entry: undefined }, 'entry', '<h1>This preview is by invitation only.</h1>'],
  [{ 'links[0].href': 'mailto:ada@halden.example' }, 'entry', 'href="mailto:ada@halden.example"'],
  [{ 'timeline[0].image.src': 'Tür im "März" 100 %.svg' }, 'desktop', `src="/images/${UMLAUTS}"`],
  [{}, 'desktop', '<img class="end" src="/images/321x123.png" alt="A picture." width="321"'],
  [
    { 'timeline[2].video': captions(), language: 'de' },
    'desktop',
    '<video class="film" src="/media/film.mp4" poster="/images/321x123.jpg" width="321" height="123" aria-label="A video." controls playsinline preload="metadata"><track kind="captions" src="/media/plain.vtt" srclang="de">',
  ],
  [{ 'timeline[2].video': captions('ar') }, 'desktop', ' srclang="ar">'],
  [
    { 'join.text': PARAGRAPHS },
    'desktop',
    '<p>One.</p><p>Two,\non two lines.</p><p>a[0] = b, [sic] (really)</p>',
  ],
  [
    { 'join.text': LINKS },
    'desktop',
    '<p>Read (<a href="https://x.example.com/A_(b)" rel="noreferrer">it</a>), <a href="https://xn--tda.de/%C3%9F" rel="noreferrer">ü</a></p>',
  ],
  [{ 'join.text': '{{joinButton}} <b>' }, 'desktop', '<p>&#123;&#123;joinButton}} &lt;b&gt;</p>'],
  [{ 'timeline[2].video.loop': true }, 'desktop', '<video class="loop" '],
  [
    { 'theme.picture': { ...LOGO, position: 'start' } },
    'entry',
    '<img class="start" src="/public/logo.svg" alt="Halden" width="120" height="30">',
  ],
];
for (const [fields, page, html] of SHOWN)
  test(`${JSON.stringify(fields).slice(0, 80)} is shown on the page`, () => {
    const shown = load(set({ ...fields })).pages[page].toString();
    assert.ok(shown.includes(html), shown);
  });

test('the longest word gives the size of the title; soft hyphens divide', () => {
  const size = (title: string) => {
    const [[, css = ''] = []] = load(set({ title })).styles.gated;
    return Number(/--title: (.*);/.exec(css)?.[1]);
  };
  assert.equal(size('Bergwind'), 6);
  assert.equal(size('Berg\u00adwind am 𝔅erg'), size('Berg'));
});

const PLACEHOLDER = 'is a placeholder; write an address of your own';
const ALL = [...Object.keys(DEFAULT_WORDS), ...Object.keys(DEFAULT_LETTERS)];
const IN_ENGLISH = `${ALL.length} sentences are still in English: ${ALL.join(', ')}; translate words-en.json`;
for (const [field, value, said] of [
  ['language', 'en-US', ''],
  ['language', 'es', `language is es, but ${IN_ENGLISH}`],
  ['entry.contact', '[a](mailto:a@example.com).', `entry.contact: example.com ${PLACEHOLDER}`],
  ['entry.contact', '[a](https://counterexample.com), [b](https://example.community)', ''],
] as const)
  test(`${field} ${value} is valid, with ${said ? 'a' : 'no'} warning`, () => {
    const { warnings } = load(set({ [field]: value }));
    const ofContent = warnings.filter((line) => line.includes('/content.json: '));
    assert.equal(ofContent.map(withoutFolder).join(), said);
  });

test('a word may be equal in another language, a sentence may not', () => {
  const { dates, joinedShort, ...sentences } = DEFAULT_WORDS;
  const words = Object.entries(sentences).map(([name, english]) => [name, `${english} x`]);
  const letters = {
    invitation: '{address}',
    reminder: '{address}',
    subject: 'x',
    reminderSubject: 'y',
  };
  const warnings = (own: object) =>
    load(
      set({ language: 'fr', ...letters, words: { ...Object.fromEntries(words), ...own } }),
    ).warnings.join('\n');
  assert.doesNotMatch(warnings({ dates, joinedShort: 'Joint' }), /English/);
  assert.match(
    warnings({ dates, logOut: DEFAULT_WORDS.logOut }),
    /but 2 sentences are still in English: logOut, joinedShort; translate words-en\.json$/m,
  );
  assert.match(warnings({ dates }), /but 1 sentence is still in English: joinedShort; /);
});

test('long words of titles are named unless they can be divided', () => {
  const long = 'Fahrradversicherungsgesellschaft';
  const warned = (fields: Record<string, unknown>) => {
    const { warnings } = load(set(fields));
    return warnings.filter((line) => line.includes('letters')).map(withoutFolder);
  };
  const said = `${long} has 32 letters; write \\u00ad where it may be divided`;
  for (const field of ['title', 'entry.sentence', 'timeline[1].headline', 'join.headline'])
    assert.deepEqual(warned({ [field]: `Die ${long}!` }), [`${field}: ${said}`]);
  for (const title of [
    'Fahrrad\u00adversicherungs\u00adgesellschaft',
    'Fahrradversicherungs-Gesellschaft',
    'Zwanzigbuchstabigere',
    '私たちは小さな町の静かな丘の上で自転車を作っています',
  ])
    assert.deepEqual(warned({ title }), []);
  assert.deepEqual(warned({ tagline: long }), []);
});

test('a soft hyphen divides words of pages, and is left out elsewhere', () => {
  const word = 'Berg\u00adwind';
  const alt = { src: 'card.png', alt: word };
  fs.copyFileSync(path.join(folder, 'images/321x123.png'), path.join(folder, 'public/card.png'));
  const site = load(
    set({
      ...{ title: word, tagline: word, 'theme.card': alt, invitation: `${word} {address}` },
      ...{ reminder: `${word} {address}`, subject: word, reminderSubject: word },
      entry: { title: word, sentence: word, description: word },
    }),
  );
  const { title, invitation, reminder, subject, reminderSubject } = site.letters;
  for (const text of [title, invitation, reminder, subject, reminderSubject])
    assert.match(text, /^Bergwind/);
  const entry = site.pages.entry.toString();
  const timeline = site.pages.desktop.toString();
  for (const html of [entry, timeline]) {
    const [head = '', body = ''] = html.split('<body');
    assert.doesNotMatch(head, /\u00ad/);
    assert.match(head, /<title>Bergwind<\/title>/);
    assert.match(body, /<h1>Berg\u00adwind<\/h1>/);
  }
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
  ['no value', line(7, '"button": '), 8, "Unexpected token '}'"],
  ['an open quote', line(2, '"title": "x,'), 2, 'Bad control character in string literal'],
  ['a curly text', line(2, '"title": “x”,'), 2, quotes('“')],
  ['a curly quote that closes a text', line(7, '"button": "x”'), 7, quotes('”')],
  ['a no-break space', line(2, '"title":\u00a0"x",'), 2, 'delete the invisible character U+00A0'],
  ['a comment', line(4, '1, // one'), 4, 'a comment, which JSON does not have; delete it'],
  ['a comment above', line(1, '/* mine */ {'), 1, 'a comment, which JSON does not have'],
  ['a conflict', line(2, '<<<<<<< HEAD\n"title": 1,\n=======\n'), 2, 'a merge conflict; keep one'],
  ['a conflict behind a field', line(4, '{}\n=======\n'), 5, 'a merge conflict; keep one'],
  ['the end of a conflict', line(3, '>>>>>>> theirs\n'), 3, 'a merge conflict; keep one'],
  ['nothing at all', '', 1, 'Unexpected end of JSON input'],
  ['another line break', line(7, '"button": "x",').replaceAll('\n', '\r'), 7, COMMA],
] as const)
  test(`JSON with ${what} is refused in one line that names the place`, () => {
    const [mistake = '', ...others] = mistakes(broken);
    assert.deepEqual(others, []);
    assert.ok(mistake.startsWith(`line ${at}: not JSON: ${said}`), mistake);
    assert.doesNotMatch(mistake, /\n|position|valid/);
  });

test('a content file that is a git LFS pointer is a mistake', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n';
  const [mistake = ''] = mistakesOf(() => load(pointer));
  assert.equal(
    mistake,
    `${folder}/content.json: is a pointer of git LFS, not the file itself; run: git lfs pull`,
  );
});

test('JSON is read in UTF-8 alone, with or without a BOM', () => {
  for (const mark of ['', '\uFEFF']) assert.deepEqual(mistakes(mark + JSON.stringify(EXAMPLE)), []);
  for (const encoding of ['latin1', 'utf16le'] as const)
    assert.deepEqual(mistakes(Buffer.from('\uFEFF{ "title": "Grün" }', encoding)), [
      'not UTF-8; save the file as UTF-8',
    ]);
});
