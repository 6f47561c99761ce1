/** A site in German: the programs of its pages say the owner's words. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { holdGreeting } from './page.ts';
import { ADA, NAMELESS, openSite } from './site.ts';

const read = (root: string, name: string) =>
  JSON.parse(fs.readFileSync(path.join(root, 'pages/sample', name), 'utf8'));

const german = await openSite((root) => {
  const { language, entry, words, invitation } = read(root, 'words-de.json');
  const letters = { invitation, reminder: invitation };
  return { ...read(root, 'content.json'), language, entry, words, ...letters };
});

const words: Readonly<Record<string, string>> = read(
  german.installation.root,
  'words-de.json',
).words;

/** Waits until the page says these sentences, with these values in them. */
async function hear(
  page: Page,
  keys: readonly string[],
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const texts = keys.map((key) => words[key] ?? '');
  const text = texts.join(' ').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  await page.getByText(text, { exact: true }).waitFor();
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

test('the timeline says everything in German', async () => {
  const { page, context } = await german.read('desktop');
  await page.getByText('21. Januar 2025').waitFor();
  const join = page.locator('#join');
  const logOut = page.getByRole('button', { name: words.logOut ?? '' });
  await next(page, '**/api/project-join', async (route) => {
    await hear(page, ['recording']);
    await route.continue();
  });
  await join.click();
  await hear(page, ['recorded']);
  await hear(page, ['joined'], { firstName: 'Ada' });
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
  await join.click();
  await hear(page, ['joinedNameless']);
  await logOut.click();
  await hear(page, ['loggedOut']);
  await page.waitForURL('/');
});

test('the end of a session is said in German', async () => {
  const { page, context } = await german.read('mobile');
  await context.clearCookies();
  await page.getByRole('article').last().scrollIntoViewIfNeeded();
  await page
    .getByRole('status')
    .filter({ hasText: words.picturesEnded ?? '' })
    .waitFor();
  await hear(page, ['logInAgain']);
  await page.getByRole('link', { name: words.logInAgain ?? '' }).click();
  await hear(page, ['sessionEnded']);
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
    assert.ok(text.includes(`Vorschau von Halden ein:\nhttp://localhost:0/#${email}\n`), text);
    assert.ok(text.includes(`dieser Adresse an: ${email}.`), text);
    await page.goto('about:blank');
  }
});
