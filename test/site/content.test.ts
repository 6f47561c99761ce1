/** What content.json may have: the mistakes that are named, and the HTML that is made. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ExpectedError } from '../../lib/config.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { wordsIn } from '../../lib/site/words.ts';
import { ORIGIN } from '../service.ts';
import { CONTENT, contentWith, loadWith, PICTURE, writeSite } from './own-site.ts';

/** The mistakes in a site, without the path of the file. */
function mistakesIn(content: unknown): readonly string[] {
  const folder = writeSite(content);
  try {
    loadSite(folder, ORIGIN);
    return [];
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    const mistakes = error.message.replace(`${path.join(folder, 'content.json')}:`, '');
    return mistakes.trim().split('\n  ');
  }
}

const NO_ADDRESS = 'is not an address; write https://…, mailto:…, tel:… or /media/…';

/** A field, its value (`undefined` leaves it out), and the beginning of what is said. */
const WRONG: readonly (readonly [field: string, value: unknown, mistake: string])[] = [
  ['title', undefined, 'missing'],
  ['title', 3, 'not a string; write a text in quotes'],
  ['title', ' ', 'empty'],
  ['lang', 'deutsch land', '"deutsch land" is not a language; write a tag such as en or pt-BR'],
  ['dir', 'right', '"right" is neither ltr nor rtl'],
  ['words', [], 'not an object'],
  ['timeline', [], 'must be a list with at least one item'],
  ['timeline[0].date', '2025-01', '"2025-01" is not a date; write 2025-01-21'],
  ['timeline[0].date', '2025-02-29', '"2025-02-29" is not a date; write 2025-01-21'],
  ['timeline[1]', { ...CONTENT.timeline[1], image: PICTURE }, 'has image and images; keep one'],
  ['timeline[0].image.src', '../public/logo.svg', 'images/../public/logo.svg is missing (hidden'],
  ['timeline[0].image.src', 'A.SVG', 'images/A.SVG is missing (images/a.svg exists)'],
  ['timeline[2].video.src', 'a.mov', 'media/a.mov must end in .mp4, .webm'],
  ['timeline[2].video.loop', 'yes', 'not true or false'],
  ['theme.accent', 'petrol', '"petrol" is not a colour; write one such as #00566b'],
  ['theme.background', { light: '#ffffff' }, 'missing'],
  ['links[0].href', '/imprint', `"/imprint" ${NO_ADDRESS}`],
  ['links[0].href', '/media/%61.mp4#t=2', 'media/%61.mp4 is missing'],
  ['join.text', '[a](javascript:alert)', `"javascript:alert" ${NO_ADDRESS}`],
  ['timeline[1].headlin', 'x', 'unknown field; known are date, headline, text, image, '],
  ['words.entry.welcom', 'Hi', 'unknown field; known are addressLabel, addressHint, '],
];

for (const [field, value, mistake] of WRONG)
  test(`${field} is not ${JSON.stringify(value) ?? 'left out'}`, () => {
    const [first = '', ...others] = mistakesIn(contentWith({ [field]: value }));
    assert.ok(first.startsWith(field) && first.includes(`: ${mistake}`), first);
    assert.deepEqual(others, []);
  });

test('all mistakes are named at once', () => {
  const wrongEntry = { date: '2025-01-21', text: 3, picture: {} };
  const fields = { title: undefined, 'theme.accent': 'x', 'timeline[0]': wrongEntry };
  const named = mistakesIn(contentWith(fields)).map((line) => line.split(':', 1).join());
  const inEntry = ['timeline[0].headline', 'timeline[0].text', 'timeline[0].picture'];
  assert.deepEqual(named, ['theme.accent', 'title', ...inEntry]);
});

test('broken JSON gives the words of the parser, and the line', () => {
  const cases = [
    ['{\n"lang": "en",\n"title": Talwind,\n"tagline": "A bicycle."\n}', /^line 3: .*"title": T/],
    ['{\n  "lang": "en"\n  "title": "Talwind"\n}', /^line 3: Expected ','/],
    ['', /^line 1: Unexpected end/],
  ] as const;
  for (const [json, expected] of cases) assert.match(mistakesIn(json).join(), expected);
});

test('another encoding than UTF-8 is a mistake', () => {
  const bytes = Buffer.from(JSON.stringify({ ...CONTENT, title: 'Café' }), 'latin1');
  const folder = writeSite(CONTENT, { 'content.json': bytes });
  assert.throws(() => loadSite(folder, ORIGIN), /content\.json: not in UTF-8/);
});

test('a byte order mark is accepted', () => {
  assert.deepEqual(mistakesIn(`\ufeff${JSON.stringify(CONTENT)}`), []);
});

test('warnings name the sentences that stay in English', () => {
  assert.deepEqual(loadWith({ lang: 'de-AT' }).warnings, []);
  const { joined, toJoin, ...others } = wordsIn('en').timeline;
  const words = { entry: wordsIn('de').entry, timeline: others };
  assert.deepEqual(loadWith({ lang: 'deutsch', words }).warnings, [
    'no sentences for "deutsch"; translate in words what stays in English: joined, toJoin',
  ]);
});

test('warnings name what nothing replaces in a sentence', () => {
  const { warnings } = loadWith({ 'words.entry.welcome': 'Dzień dobry, {imie}.' });
  assert.deepEqual(warnings, [
    'words.entry.welcome: {imie} is not replaced here; ours is "Welcome, {firstName}."',
  ]);
});

test('warnings name what was meant as a link, and no other brackets', () => {
  const text = 'See [a plan](/media/a plan.pdf), [1](of two) and [a](/media/a.mp4).';
  assert.deepEqual(loadWith({ 'join.text': text }).warnings, [
    '[a plan](/media/a plan.pdf) is not a link; write %20 for a space in its address',
  ]);
});

type Page = 'entry' | 'desktop' | 'mobile';

/** Values of fields, the page, and HTML of it. */
const SHOWN: readonly (readonly [fields: object, page: Page, html: string])[] = [
  [{}, 'entry', '<html lang="en" dir="ltr">'],
  [{}, 'entry', '<meta property="og:image" content="https://preview.example.com/card.png">'],
  [{}, 'entry', '<p>Ask <a href="mailto:hello@example.com">us</a>.</p>'],
  [{}, 'entry', '<link rel="icon" href="/public/logo.svg">'],
  [{}, 'mobile', '<body class="mobile" '],
  [{}, 'desktop', '<time datetime="2025-01-21">21 January 2025</time>'],
  [{}, 'desktop', '<img src="/images/a.svg" alt="A picture." loading'],
  [{}, 'desktop', '<video src="/media/a.mp4" poster="/images/a.svg" aria-label="A film." controls'],
  [{}, 'desktop', '<track kind="captions" src="/media/a.vtt" srclang="en">'],
  [{ 'timeline[2].video.loop': true }, 'desktop', '<video loop muted src="/media/a.mp4"'],
  [{ lang: 'ar' }, 'desktop', '<html lang="ar" dir="rtl">'],
  [{ lang: 'ar', dir: 'ltr' }, 'desktop', '<html lang="ar" dir="ltr">'],
  [{ 'theme.logo.src': { light: 'logo.svg', dark: 'b.svg' } }, 'entry', 'srcset="/public/b.svg"'],
  [{ lang: 'de' }, 'desktop', '>21. Januar 2025</time>'],
  [{ lang: 'de-AT' }, 'entry', '<label for="email">Ihre E-Mail-Adresse</label>'],
  [{ lang: 'fr', words: { entry: { enter: 'Entrer' } } }, 'entry', 'disabled>Entrer</button>'],
  [{ title: '<b> & {{tagline}}' }, 'desktop', '<h1 class="long">&#60;b&#62; &#38; {{tagline}}<'],
  [
    { 'join.text': 'A.\n \nB,\n[1] (a) [b](c d)' },
    'desktop',
    '<p>A.</p><p>B,\n[1] (a) [b](c d)</p>',
  ],
  [{ 'join.text': '([A](https://a.b/c_(d)))' }, 'desktop', '(<a href="https://a.b/c_(d)">A</a>)'],
  [{ 'join.text': '[A](/media/a%20plan.pdf)' }, 'desktop', '<a href="/media/a%20plan.pdf">A</a>'],
  [{ 'timeline[0].image.alt': '' }, 'desktop', '<img src="/images/a.svg" alt="" '],
];

for (const [fields, page, html] of SHOWN)
  test(`${page}: ${html}`, () => {
    const shown = loadWith({ ...fields }).pages[page];
    assert.ok(shown.includes(html), shown);
  });

test('strangers read nothing of the preview, and guests nothing of the administrators', () => {
  const { entry, desktop, mobile } = loadSite(SAMPLE_SITE, ORIGIN).pages;
  assert.doesNotMatch(entry, /Halden|lamp|You’re in|svcops|\{\{/);
  assert.doesNotMatch(desktop + mobile, /svcops|admin|\{\{/i);
});

test('a German site is wholly in German', () => {
  const english = wordsIn('en');
  const german = wordsIn('de');
  for (const page of ['entry', 'timeline'] as const)
    for (const [name, sentence] of Object.entries(english[page])) {
      const ours = german[page][name];
      assert.notEqual(ours, sentence);
      assert.deepEqual(ours?.match(/\{\w+\}/g), sentence.match(/\{\w+\}/g), name);
    }
});

test('accent and background make a style sheet, with black or white on them', () => {
  const css = (theme: object) => loadWith({ theme }).theme;
  assert.match(css({ accent: '#00566b' }), /--on-button: #ffffff/);
  assert.match(css({ accent: '#f3b562' }), /--on-button: #000000/);
  const pair = css({ background: { light: '#ffffff', dark: '#0b1a1b' } });
  assert.match(pair, /light\) \{ :root \{\s+color-scheme: light;\s+--paper: #ffffff;/);
  assert.match(pair, /dark\) \{ :root \{\s+color-scheme: dark;\s+--paper: #0b1a1b;/);
  assert.equal(css({ background: '#0b1a1b' }).match(/color-scheme: dark;/g)?.length, 2);
  assert.doesNotMatch(css({}), /--paper|--accent/);
});
