/** A site in German, each sentence of it, and one in Arabic, from right to left. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { SAID } from '../../lib/site/words.ts';
import { findViolations } from '../support/accessibility.ts';
import { holdGreeting, overflow } from './page.ts';
import { ADA, LAYOUTS, NAMELESS, openSite } from './site.ts';

const read = (root: string, name: string) =>
  JSON.parse(fs.readFileSync(path.join(root, 'pages/sample', name), 'utf8'));

const german = await openSite((root) => ({
  ...read(root, 'content.json'),
  ...read(root, 'words-de.json'),
}));
const arabic = await openSite(arabicContent);

const words: Readonly<Record<string, string>> = read(
  german.installation.root,
  'words-de.json',
).words;
const heard = new Set<string>();

/** Waits until the page says these sentences, with these values in them. */
async function hear(
  page: Page,
  keys: readonly string[],
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const texts = keys.map((key) => words[key] ?? '');
  const text = texts.join(' ').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  await page.getByText(text, { exact: true }).waitFor();
  for (const key of keys) heard.add(key);
}

/** Answers the next such request so. */
const next = (page: Page, url: string, answer: (route: Route) => Promise<void>) =>
  page.route(url, answer, { times: 1 });

const unavailable = (route: Route) => route.fulfill({ status: 503 });
const lost = (route: Route) => route.abort();

async function enter(page: Page, email: string): Promise<void> {
  await page.getByLabel(words.addressLabel ?? '').fill(email);
  await page.getByRole('button', { name: words.enter ?? '' }).click();
}

test('the entry page says everything in German', async () => {
  const { page } = await german.visit();
  await page.goto('/');
  await enter(page, 'ada');
  await hear(page, ['notAnAddress']);
  await next(page, '**/auth/login', async (route) => {
    await hear(page, ['looking']);
    await route.continue();
  });
  await enter(page, 'Grace@example.com');
  await hear(page, ['notInvited'], { email: 'Grace@example.com' });
  assert.deepEqual(await findViolations(page), []);
  await next(page, '**/auth/login', unavailable);
  await enter(page, ADA);
  await hear(page, ['unavailable']);
  await next(page, '**/auth/login', lost);
  await enter(page, ADA);
  await hear(page, ['offline']);
  for (const [seconds, inMinutes] of [
    ['3600', 'in 60 Minuten'],
    ['1', 'in 1 Minute'],
  ] as const) {
    await next(page, '**/auth/login', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': seconds } }),
    );
    await enter(page, ADA);
    await hear(page, ['tooManyAttempts'], { inMinutes });
  }
  await next(page, '**/auth/me', (route) => route.fulfill({ status: 401 }));
  await enter(page, ADA);
  await hear(page, ['cookieNotKept']);
});

for (const [email, firstName, kind] of [
  [ADA, 'Ada', ''],
  [NAMELESS, '', 'Nameless'],
] as const)
  test(`${email} is greeted in German, the first time and again`, async () => {
    const { page } = await german.visit();
    await page.goto('/');
    assert.equal(await page.locator('#onward a').textContent(), words.goOn);
    const leadOn = await holdGreeting(page);
    await enter(page, email);
    await hear(page, [`welcome${kind}`], { firstName });
    leadOn();
    await page.waitForURL('/timeline');
    await holdGreeting(page);
    await page.goto('/');
    await hear(page, [`welcomeBack${kind}`], { firstName });
  });

for (const view of LAYOUTS)
  test(`the ${view} layout says everything in German`, async () => {
    const { page, context } = await german.visitAs(ADA);
    await page.goto(`/timeline?view=${view}`);
    await page.locator('#name', { hasText: 'Ada' }).waitFor();
    await page.getByText('21. Januar 2025').waitFor();
    const join = page.locator('#join');
    const logOut = page.getByRole('button', { name: words.logOut ?? '' });
    await next(page, '**/api/project-join', async (route) => {
      await hear(page, ['recording']);
      await route.continue();
    });
    await join.click();
    await hear(page, ['recorded']);
    await join.click();
    await hear(page, ['recordedAgain'], { times: '2' });
    assert.deepEqual(await findViolations(page), []);
    await next(page, '**/api/project-join', unavailable);
    await join.click();
    await hear(page, ['notRecorded', 'unavailable']);
    await next(page, '**/api/project-join', lost);
    await join.click();
    await hear(page, ['maybeNotRecorded', 'offline']);

    await next(page, '**/auth/logout', async (route) => {
      await hear(page, ['loggingOut']);
      await unavailable(route);
    });
    await logOut.click();
    await hear(page, ['stillLoggedIn', 'unavailable']);
    await next(page, '**/auth/logout', lost);
    await logOut.click();
    await hear(page, ['maybeLoggedIn', 'offline']);

    await context.request.post('/auth/login', { data: { email: NAMELESS } });
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await hear(page, ['otherVisitor'], { who: NAMELESS });
    await logOut.click();
    await hear(page, ['loggedOut']);
    await page.waitForURL('/');
  });

test('the end of a session is said in German', async () => {
  const { page, context } = await german.visitAs(ADA);
  await page.goto('/timeline?view=mobile');
  await page.locator('#name', { hasText: 'Ada' }).waitFor();
  await context.clearCookies();
  await page.getByRole('article').last().scrollIntoViewIfNeeded();
  await page
    .getByRole('status')
    .filter({ hasText: words.picturesEnded ?? '' })
    .waitFor();
  heard.add('picturesEnded');
  await hear(page, ['logInAgain']);
  await page.getByRole('link', { name: words.logInAgain ?? '' }).click();
  await hear(page, ['sessionEnded']);
});

test('no sentence of the programs has been left out', () => {
  const all = Object.keys({ ...SAID.entry, ...SAID.timeline });
  assert.deepEqual([...heard].toSorted(), all.toSorted());
});

test('an administrator copies the German invitation, with a first name and without', async () => {
  german.installation.setAdmin(ADA);
  const { page } = await german.visitAs(ADA);
  for (const [email, greeting] of [
    ['lena@example.com', 'Guten Tag Lena,\n'],
    ['somebody@example.com', 'Guten Tag,\n'],
  ] as const) {
    german.installation.invite(email, email.startsWith('lena') ? 'Lena' : null);
    await page.goto(`/svcops#person=${encodeURIComponent(email)}`);
    await page.getByText('Invitation to send').click();
    const text = await page.locator('#person-invitation textarea').inputValue();
    assert.ok(text.startsWith(greeting), text);
    assert.ok(text.includes('Vorschau von Halden ein:\nhttp://localhost:0\n'), text);
    assert.ok(text.includes(`dieser Adresse an: ${email}.`), text);
    await page.goto('about:blank');
  }
});

for (const [url, width] of [
  ['/', 320],
  ['/', 1440],
  ['/timeline?view=desktop', 1440],
  ['/timeline?view=desktop', 320],
  ['/timeline?view=mobile', 390],
] as const)
  test(`in Arabic ${url} reads from right to left, ${width} px wide`, async () => {
    const visitor = url === '/' ? await arabic.visit() : await arabic.visitAs(ADA);
    const { page, troubles } = visitor;
    await page.setViewportSize({ width, height: 900 });
    await page.goto(url);
    await page.getByRole('heading').first().waitFor();
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await findViolations(page), []);
    const right = await page.evaluate<number>(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('h1'));
      return innerWidth - range.getBoundingClientRect().right;
    })()`);
    assert.ok(right < width / 3, `the heading begins ${right} px from the right`);
    assert.deepEqual(troubles, []);
  });

test('in Arabic the rail is on the right, and the left arrow key moves on', async () => {
  const { page } = await arabic.visitAs(ADA, { viewport: { width: 1440, height: 900 } });
  await page.goto('/timeline?view=desktop');
  const [rail, entries] = [page.locator('.rail'), page.locator('.entries')];
  const [railBox, entriesBox] = [await rail.boundingBox(), await entries.boundingBox()];
  assert.ok(railBox && entriesBox && railBox.x > entriesBox.x + entriesBox.width / 2);
  for (const [key, id] of [
    ['ArrowLeft', 'entry-1'],
    ['ArrowLeft', 'entry-2'],
    ['ArrowRight', 'entry-1'],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate('document.activeElement.id'), id);
  }
});

function arabicContent(root: string) {
  const { timeline } = read(root, 'content.json');
  const image = (i: number) => ({ src: timeline[i].image.src, alt: '' });
  return {
    language: 'ar',
    words: {
      addressLabel: 'عنوان بريدك الإلكتروني',
      enter: 'دخول',
      viewMobile: 'عرض الهاتف',
      viewDesktop: 'العرض الواسع',
      logOut: 'تسجيل الخروج',
      dates: 'التواريخ',
      leftKey: 'يسار',
      rightKey: 'يمين',
      keysMove: 'للتنقل',
    },
    entry: {
      title: 'معاينة خاصة',
      sentence: 'هذه المعاينة بدعوة فقط.',
      description: 'ادخل بالعنوان المدعو.',
    },
    title: 'هالدن',
    tagline: 'مصباح مكتب يتبع ساعات الشمس.',
    timeline: [
      {
        date: '2025-01-21',
        headline: 'الرابعة عصرًا',
        text: 'بدأ الأمر بجدال حول نافذة. في الرابعة من عصر يوم شتوي كان الضوء على جدار واحد.',
        image: image(0),
      },
      {
        date: '2025-03-04',
        headline: 'دفتر السماوات',
        text: 'أربعين يومًا نظر مستشعر على السطح إلى الأعلى كل عشر دقائق.',
        image: image(1),
      },
      { date: '2026-06-21', headline: 'الغسق الخاطئ', text: 'الساعة ليست سماء.' },
    ],
    join: { headline: 'هل نبقي لك واحدًا؟', text: 'قل نعم، وينتظرك واحد.', button: 'احجز لي' },
  };
}
