/**
 * Every page on several sites and in several languages: axe-core, obstacles, and a table of
 * layouts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { FIND_OBSTACLES, findViolations } from '../support/accessibility.ts';
import { recordJoin } from '../support/rows.ts';
import { arabic, longWords, talwind, WORD } from './contents.ts';
import { focused, styleOf } from './page.ts';
import { ADA, openService, TIMELINES, WIDE } from './visitors.ts';

const DESKTOP = '/timeline?view=desktop';
const MOBILE = '/timeline?view=mobile';
const SVCOPS = '/svcops';
const PERSON = `/svcops#person=${ADA}`;

/** The pages, and what is there when they are complete. */
const READY: Readonly<Record<string, string>> = {
  '/': '#enter button:enabled',
  [DESKTOP]: '#join:enabled',
  [MOBILE]: '#join:enabled',
  [SVCOPS]: '#updated time',
  [PERSON]: '#person-activity .date',
};

/** The last is 1280 at a zoom of 400 %. */
const WIDTHS = [1440, 1024, 768, 390, 320];

/** Tables that may be wider than the window. */
const FIND_CUT_OFF = `[...document.querySelectorAll('main .table')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.closest('[id]').id + ': ' + each.scrollWidth + ' of ' + each.clientWidth)`;

/** A service with Ada as an administrator. */
const serviceOf = (content?: (root: string) => object, firstName = 'Ada') =>
  openService({
    content,
    fill(writer) {
      writer.invites.add({ email: ADA, firstName, invitedBy: 'cli', invitedAt: Date.now() });
      writer.invites.setAdmin(ADA, true);
      recordJoin(writer, ADA, Date.UTC(2026, 8, 30, 22, 58));
    },
  });

const SITES = {
  'the sample': await serviceOf(),
  Talwind: await serviceOf((root) => {
    const content = talwind(root);
    content.timeline[3].images[1].position = 'top';
    return content;
  }),
  'long words': await serviceOf(longWords, WORD),
  Arabic: await serviceOf(arabic),
};
type Name = keyof typeof SITES;

/** Opens a page as a person who may see it. */
async function open(name: Name, url: string, options?: BrowserContextOptions): Promise<Page> {
  const { visit, visitAs } = SITES[name];
  const { page } = await (url === '/' ? visit(options) : visitAs(ADA, options));
  await page.goto(url);
  await isReady(page, url);
  return page;
}

const isReady = (page: Page, url: string) =>
  page
    .locator(READY[url] ?? '')
    .first()
    .waitFor({ state: 'attached' });

/** The functions that the expressions of the table call. */
const PRELUDE = `const all = (selector) => [...document.querySelectorAll(selector)];
  const rect = (each) => each.getBoundingClientRect();
  const box = (selector) => rect(all(selector)[0]);
  const style = (selector) => getComputedStyle(all(selector)[0]);
  const shown = (selector) => all(selector).filter((each) => each.offsetHeight > 0);
  const within = (n, part) => [...all('article')[n].querySelectorAll(part)];
  const lines = ({ firstChild }) => {
    const range = document.createRange();
    const lengths = new Map();
    for (let i = 0; i < firstChild.length; i += 1) {
      range.setStart(firstChild, i);
      range.setEnd(firstChild, i + 1);
      const { top } = range.getBoundingClientRect();
      lengths.set(top, (lengths.get(top) ?? 0) + 1);
    }
    return [...lengths.values()];
  };`;

const DESK = [1440, 900] as const;
const PHONE = [390, 844] as const;
const SMALL_DESK = [1280, 720] as const;
const ON_THE_RIGHT = "innerWidth - box('h1').right < innerWidth / 3";
const BIG_LETTERS = `shown('input, select, textarea').length > 0 && shown('input, select, textarea')
  .every((each) => parseFloat(getComputedStyle(each).fontSize) >= 16)`;
const THUMBS = `shown('header a, #logout, footer a, .join button').length >= 3
  && shown('header a, #logout, footer a, .join button').every((each) => rect(each).height >= 48)`;
const UNCOVERED = `all('h1, h2, h3, p, time, button, input, header a')
  .filter((each) => !each.closest('.visually-hidden')
    && each.matches('input, :not(:empty)') && each.checkVisibility())
  .every((each) => {
    const { paddingLeft, paddingRight } = getComputedStyle(each);
    return rect(each).left + parseFloat(paddingLeft) >= 47
      && rect(each).right - parseFloat(paddingRight) <= innerWidth - 47;
  })`;
const RAIL_ON_THE_RIGHT = "box('.rail').left > box('.entries').left + box('.entries').width / 2";
const FITS = `all('.scene img')[0].offsetHeight > innerHeight / 2
  && all('.scene img')[0].offsetHeight <= innerHeight`;

/** How many letters each line of a paragraph has. The last line is shorter, so it is left out. */
const MIDDLE_LINE = `((lengths) => lengths[lengths.length >> 1] >= 45
  && lengths[lengths.length >> 1] <= 65)(
  all('.words p').map((each) => lines(each).slice(0, -1)).flat().sort((a, b) => a - b))`;

/** Rules for a page in a window, each with its expression. */
const LAYOUT: readonly (readonly [
  Name,
  url: string,
  size: readonly [number, number],
  rules: Readonly<Record<string, string>>,
])[] = [
  [
    'the sample',
    MOBILE,
    PHONE,
    {
      'a thumb hits': THUMBS,
      'the first screen is the title, a sentence and a whole picture': `
        box('.opening img').bottom < 845 && all('h1, .opening p, h2, time').filter((each) =>
          rect(each).top < box('.opening img').top && each.offsetWidth > 1).length === 2`,
    },
  ],
  [
    'the sample',
    DESKTOP,
    SMALL_DESK,
    {
      'the rail names all entries': `shown('.rail .headline').length === 12
        && shown('.rail .headline').every((each) => getComputedStyle(each).opacity === '1'
          && each.scrollWidth <= each.clientWidth)`,
      'a line has 45 to 65 characters': MIDDLE_LINE,
    },
  ],
  ['Talwind', '/', PHONE, { 'the picture is below': "box('.art img').top >= box('form').bottom" }],
  ['Talwind', '/', DESK, { 'the picture is beside': "box('.art img').left >= box('form').right" }],
  [
    'Talwind',
    MOBILE,
    PHONE,
    {
      'the words come after the first picture': `
        (([first, second, third], [headline]) => first.top < headline.top
          && headline.top < second.top && second.top <= third.top)(
          within(2, 'img').map(rect), within(2, 'h2, h3').map(rect))`,
      'the picture at the head fills the screen': `box('.opening img').width === 390
        && Math.abs(box('.opening img').bottom - 844) < 1`,
      'it shows its subject': "style('.opening img').objectPosition === '50% 100%'",
    },
  ],
  [
    'Talwind',
    DESKTOP,
    DESK,
    {
      'several pictures have one shape': `[...within(2, 'img'), ...within(3, 'img')].map(rect)
        .every(({ width, height }) => (width / height).toFixed(2) === '1.33')`,
      'they show their subject': `
        getComputedStyle(within(3, 'img')[1]).objectPosition === '50% 0%'`,
    },
  ],
  ['long words', DESKTOP, DESK, { 'a portrait picture fits': FITS }],
  ['Arabic', MOBILE, PHONE, { 'it begins on the right': ON_THE_RIGHT }],
  ['Arabic', DESKTOP, DESK, { 'the rail is on the right': RAIL_ON_THE_RIGHT }],
];

const isTrue = (page: Page, expression: string) =>
  page.evaluate(`(() => { ${PRELUDE} return (${expression}); })()`);

for (const [name, locale, urls] of [
  // American times are the longest ones: `Nov 26, 10:59 PM`.
  ['the sample', 'en-US', Object.keys(READY)],
  ['Talwind', 'de', ['/', ...TIMELINES]],
  ['long words', 'en-GB', Object.keys(READY)],
  ['Arabic', 'ar', ['/', ...TIMELINES]],
] as const)
  for (const url of urls)
    test(`${name}: ${url} has its layout and no obstacle at any width`, async () => {
      const page = await open(name, url, { locale, reducedMotion: 'reduce' });
      for (const [at, on, [width, height], rules] of LAYOUT) {
        if (at !== name || on !== url) continue;
        await page.setViewportSize({ width, height });
        for (const [rule, expression] of Object.entries(rules))
          assert.equal(await isTrue(page, expression), true, `${width} px: ${rule}`);
      }
      // A text alone cannot violate a rule.
      if (name === 'the sample' || name === 'Talwind')
        assert.deepEqual(await findViolations(page), []);
      // Browsers show the focus only after a key was pressed.
      await page.keyboard.press('Tab');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await page.evaluate(FIND_OBSTACLES), [], `${width} px`);
        if (name === 'the sample')
          assert.deepEqual(await page.evaluate(FIND_CUT_OFF), [], `${width} px`);
      }
      if (name === 'Talwind') await looksLikeTalwind(page);
    });

/** The logo, the icon, the colours and the typeface are the owner's. */
async function looksLikeTalwind(page: Page): Promise<void> {
  const logo = page.getByRole('img', { name: 'Talwind', exact: true });
  assert.ok(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Impressum' }).waitFor();
  assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), '/public/zeichen.svg');
  const own = await page.request.get('/favicon.ico');
  assert.deepEqual([own.status(), own.headers()['content-type']], [200, 'image/svg+xml']);
  for (const [colorScheme, colour] of [
    ['light', 'rgb(244, 247, 243)'],
    ['dark', 'rgb(11, 26, 27)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    assert.equal(await styleOf(page, 'html', 'background-color'), colour);
  }
  const [family = ''] = (await styleOf(page, 'h1', 'font-family')).split(',');
  assert.match(family, /brand/i);
  const loaded = `document.fonts.load('1rem ${family}').then((faces) => faces.length)`;
  assert.ok((await page.evaluate<number>(loaded)) > 0);
}

test('the test would find a covered element', async () => {
  const page = await open('the sample', '/');
  for (const [style, fault] of [
    ['min-width: 5000px', 'scrolls sideways'],
    ['outline: 1px solid #0000 !important', 'shows no focus'],
    ['pointer-events: none', 'covered'],
  ] as const) {
    await page.locator('#enter button').evaluate((button, style) => {
      button.style.cssText = style;
    }, style);
    const found = await page.evaluate<string[]>(FIND_OBSTACLES);
    assert.match(found.join('\n'), new RegExp(`^${fault}`, 'm'));
  }
});

test('the link of a known guest to the timeline looks like a button', async () => {
  for (const name of ['the sample', 'Talwind'] as const) {
    const { page } = await SITES[name].visitAs(ADA);
    await page.goto('/');
    await page.locator('#onward a').waitFor();
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      assert.equal(await isTrue(page, "box('#onward a').height"), 48, `${name}: ${width} px`);
    }
  }
});

test('on a phone on its side, all words and fields are seen', async () => {
  const options = { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true };
  const page = await open('the sample', '/', options);
  const devtools = await page.context().newCDPSession(page);
  const insets = { left: 47, right: 47, bottom: 21 };
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
  assert.deepEqual([await isTrue(page, UNCOVERED), await isTrue(page, BIG_LETTERS)], [true, true]);
  await page.context().request.post('/auth/login', { data: { email: ADA } });
  for (const [url, rule] of [
    [DESKTOP, UNCOVERED],
    [MOBILE, UNCOVERED],
    [SVCOPS, BIG_LETTERS],
  ] as const) {
    await page.goto(url);
    await isReady(page, url);
    assert.equal(await isTrue(page, rule), true, url);
  }
});

for (const [name, onward, back] of [
  ['the sample', 'ArrowRight', 'ArrowLeft'],
  ['Arabic', 'ArrowLeft', 'ArrowRight'],
] as const)
  test(`${name}: ${onward} moves from entry to entry, beside the browser’s shortcuts`, async () => {
    const page = await open(name, DESKTOP, WIDE);
    const keys = [onward, onward, `Control+${onward}`, back];
    for (const [i, id] of ['entry-1', 'entry-2', 'entry-2', 'entry-1'].entries()) {
      await page.keyboard.press(keys[i] ?? '');
      assert.equal(await focused(page), id);
    }
    for (let i = 0; i < 14; i += 1) await page.keyboard.press(onward);
    assert.equal(await focused(page), 'end');
  });
