/** The owner's brand: what is refused, and that whatever is accepted can be read. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { contrast, mixColours } from '../../lib/site/colours.ts';
import { readTheme, themeCss, themeView } from '../../lib/site/theme.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { randomFrom } from '../support/random.ts';

const BASE_CSS = path.join(root, 'pages/everyone/base.css');

/** The owner's font. */
const URL = '/public/brand.woff2';
const BRAND = `"${URL}", system-ui, sans-serif`;

const files = {
  public: new Map([[URL, 'brand.woff2']]),
  gated: new Map(),
  faults: new Map(),
  warnings: new Set<string>(),
};
const read = (value: unknown) => readTheme(value, 'theme', files);
const mistakes = (value: unknown) => mistakesOf(() => read(value));
type Colours = Readonly<Record<string, string>>;
/** The custom properties of a rule for `:root`. */
const declared = (rule = ''): Colours =>
  Object.fromEntries(
    [...rule.matchAll(/--(\w+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
  );

/** The properties of both schemes. */
function schemesOf(value: unknown): readonly [light: Colours, dark: Colours] {
  const [, light, dark] = themeCss(read(value)).split('@media screen and (prefers-color-scheme: ');
  assert.ok(light?.startsWith('light') && dark?.startsWith('dark'));
  return [declared(light), declared(dark)];
}

/** Pairs of a colour and its background, and the contrast that WCAG 2.2 AA demands. */
function pairs(of: Colours): readonly (readonly [string, string, string, number])[] {
  const { paper = '', raised = '', ink = '', quiet = '', edge = '', accent = '' } = of;
  // base.css gives a button the colour of the text unless the theme has one.
  const button = of.button?.startsWith('#') ? of.button : ink;
  const hover = of[/^var\(--(\w+)\)$/.exec(of.hover ?? '')?.[1] ?? ''] ?? '';
  return [
    ['text', ink, paper, 4.5],
    ['text on a raised surface', ink, raised, 4.5],
    ['quiet text', quiet, paper, 4.5],
    ['quiet text on a raised surface', quiet, raised, 4.5],
    ['an accent, and the text of a button', accent, paper, 4.5],
    ['the text of a button', paper, button, 4.5],
    ['the text of a button under the pointer', paper, mixColours(button, hover, 0.15), 4.5],
    ['the border of a field', edge, paper, 3],
    ['the border of a field on a raised surface', edge, raised, 3],
    ['the outline of what has the focus', accent, raised, 3],
  ];
}

function assertReadable(colours: Colours, what: string): void {
  for (const [use, one, other, ratio] of pairs(colours))
    assert.ok(contrast(one, other) >= ratio, `${use}: ${one} on ${other}, in ${what}`);
}

test('the colours that the service knows are those of base.css', () => {
  const css = fs.readFileSync(BASE_CSS, 'utf8');
  const [light, dark] = [...css.matchAll(/:root \{([^}]+)\}/g)].map(([, rule]) => declared(rule));
  assert.ok(light && dark);
  assertReadable(light, 'the light sample');
  assertReadable({ ...light, ...dark }, 'the dark sample');
  const view = themeView();
  assert.deepEqual([view.lightBackground, view.darkBackground], [light.paper, dark.paper]);
  // A theme whose background is the sample's leaves its accents as they are.
  const same = schemesOf({ background: { light: light.paper, dark: dark.paper } });
  assert.deepEqual([same[0].accent, same[1].accent], [light.accent, dark.accent]);
});

test('every theme that is accepted can be read', () => {
  const random = randomFrom(1);
  /** Every fourth is a grey, and every fourth at the edge of the cube. */
  const next = (_: unknown, i: number) => {
    const rgb = [random(), random(), random()];
    const kinds = [rgb, rgb, rgb.map(() => rgb[0] ?? 0), rgb.map(Math.round)];
    const channels = (kinds[i % 4] ?? rgb).map((each) => Math.round(255 * each));
    return `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
  };
  const colours = Array.from({ length: 240 }, next);
  let refused = 0;
  for (let i = 0; i < 240; i += 4) {
    const [light = '', dark = '', ...accents] = colours.slice(i, i + 4);
    const background = { light, dark };
    const accent: Record<string, string> = { light: accents[0] ?? '', dark: accents[1] ?? '' };
    for (const mistake of mistakes({ accent, background })) {
      refused += 1;
      const [, scheme = '', better = ''] =
        /^theme\.accent: .* the (\w+) background .* is (#[\da-f]{6})$/.exec(mistake) ??
        assert.fail(mistake);
      accent[scheme] = better;
    }
    // Left out, an accent or a background is fitted to what is given.
    for (const part of [{ accent, background }, { background }, { background: light }])
      for (const colours of schemesOf(part)) assertReadable(colours, JSON.stringify(part));
  }
  assert.ok(refused > 20);
});

test('an accent that is hard to read is named with its remedy', () => {
  assert.deepEqual(mistakes({ accent: { light: '#F80', dark: '#123' }, background: '#fff' }), [
    'theme.accent: #ff8800 is hard to read on the light background #ffffff: the contrast is ' +
      '2.39:1, and 4.5:1 is needed; the nearest colour that has it is #b46000',
    'theme.accent: #112233 is hard to read on the dark background #10151d: the contrast is ' +
      '1.13:1, and 4.5:1 is needed; the nearest colour that has it is #768089',
  ]);
  assert.match(mistakes({ accent: '#ff8800' }).join(), /^theme\.accent: #ff8800 .* #f8f4ec/);
});

test('a single accent is lightened for the dark scheme', () => {
  const [light, dark] = schemesOf({ accent: '#00566b' });
  assert.deepEqual([light.accent, light.button, dark.accent], ['#00566b', '#00566b', '#699ca8']);
});

test('the light behind the door stays warm, whatever the accent', () => {
  const [sample] = [...fs.readFileSync(BASE_CSS, 'utf8').matchAll(/--glow: (#[\da-f]{6})/g)];
  assert.equal(sample?.[1], '#f0ad4e', 'what an accent tints');
  for (const accent of ['#0b5a4f', '#00566b', '#7a1fa2', '#333333', '#96451a'])
    for (const colours of schemesOf({ accent }))
      for (const light of [colours.glow ?? '', colours.dawn ?? '']) {
        const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
          Number.parseInt(light.slice(at, at + 2), 16),
        );
        // Between red and yellow.
        assert.ok(red > green && green > blue, `${accent} makes ${light}`);
      }
});

const SERIF = 'var(--newsreader)';
const SYSTEM = 'var(--system)';
const FILE = '/fonts/newsreader.woff2';
for (const [typeface, headline, serif, sans, fonts] of [
  ['serif', SERIF, SERIF, SYSTEM, [FILE]],
  ['sans', SYSTEM, SYSTEM, SYSTEM, []],
  ['brand.woff2', BRAND, BRAND, BRAND, [URL]],
  [{ headlines: 'brand.woff2', text: 'serif' }, BRAND, SERIF, SYSTEM, [URL, FILE]],
] as const)
  test(`the typeface ${JSON.stringify(typeface)} sets headlines, text and labels, and is loaded once`, () => {
    const own = read({ typeface });
    const css = themeCss(own);
    const rule = `:root { --headline: ${headline}; --serif: ${serif}; --sans: ${sans}; }\n`;
    assert.ok(css.endsWith(rule), css);
    assert.equal(css.split('@font-face').length, fonts.join().split(URL).length);
    const loaded = themeView(own).fonts.map(({ font }) => font);
    assert.deepEqual(loaded, fonts);
  });
