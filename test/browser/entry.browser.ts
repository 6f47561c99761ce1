/** The entry page in Chromium: the login and its refusals, the links of invitations, the greeting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { endSessions } from '../../lib/store/sessions.ts';
import { invite } from '../service.ts';
import { contentWith, writeSite } from '../site/own-site.ts';
import {
  expectNoSidewaysScrolling,
  findViolations,
  open,
  openAs,
  said,
  startSite,
  type Visit,
} from './browser.ts';

const ADA = 'ada@example.com';
const NAMELESS = 'bo+x@example.com';

/** Nobody can invite it any more. */
const ODD = 'mailto:odd@example.com';

const app = await startSite();
invite(app.db, ADA, 'Ada');
invite(app.db, NAMELESS);
invite(app.db, ODD);

async function openEntry(options: BrowserContextOptions = {}): Promise<Visit> {
  const visit = await open(app, options);
  await visit.page.goto('/');
  return visit;
}

/** Types an address, and presses Enter. */
async function enter(page: Page, typed: string): Promise<void> {
  await page.locator('#enter button:enabled').waitFor();
  await page.fill('#email', typed);
  await page.press('#email', 'Enter');
}

const headlineOf = (page: Page): Promise<string> => page.locator('h1').innerText();

test('an invited guest is welcomed, and led to the timeline', async () => {
  const { page, troubles } = await openEntry();
  assert.deepEqual(await findViolations(page), []);
  assert.equal(await headlineOf(page), 'This preview is by invitation only.');
  // Without content, the browser stays where it is.
  await page.route('**/timeline', (route) => route.fulfill({ status: 204 }));
  const led = page.waitForRequest('**/timeline');
  await enter(page, ' ADA@example.com');
  await said(page, 'Welcome, Ada.');
  assert.equal(await headlineOf(page), 'Welcome, Ada.');
  assert.equal(await page.getByLabel('Your email address').isVisible(), false);
  await led;
  assert.deepEqual(troubles, []);
});

test('a returning visitor is greeted, and can use another address', async () => {
  const { page, troubles } = await openEntry();
  await enter(page, NAMELESS);
  await page.waitForURL('/timeline');
  await page.goto('/');
  await said(page, 'Welcome back.');
  await page.locator('a:focus', { hasText: 'See the preview' }).waitFor();
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('button', { name: `Not ${NAMELESS}? Use another address` }).click();
  assert.equal(await page.locator('#email:focus').count(), 1);
  await page.reload();
  await page.getByRole('link', { name: 'See the preview' }).click();
  await page.waitForURL('/timeline');
  assert.deepEqual(troubles, []);
});

test('a stranger sees that the address is not on the list, and whom to ask', async () => {
  const { page } = await openEntry();
  assert.equal(await page.getByText('Write to us').isVisible(), false);
  await enter(page, 'eve@example.com');
  await said(page, 'eve@example.com isn’t on the guest list.');
  assert.equal(await page.locator('#message bdi').innerText(), 'eve@example.com');
  assert.equal(await page.getByRole('link', { name: 'Write to us' }).isVisible(), true);
  assert.equal(await page.locator('#email:focus').getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await findViolations(page), []);
  await page.keyboard.type('a');
  assert.equal(await page.locator('#message').innerText(), '');
  assert.equal(await page.getByText('Write to us').isVisible(), false);
});

/** What stands in for the reply to a login, and what is said. */
const FAILURES: readonly (readonly [reply: object | undefined, message: string])[] = [
  [undefined, 'The site couldn’t be reached.'],
  [{ status: 503 }, 'The site is temporarily unavailable.'],
  [{ status: 429, headers: { 'Retry-After': '700' } }, 'Try again in 12 minutes.'],
];

for (const [reply, message] of FAILURES)
  test(`a login that fails says: ${message}`, async () => {
    const { page } = await openEntry();
    await page.route('**/auth/login', (route) => (reply ? route.fulfill(reply) : route.abort()));
    await enter(page, ADA);
    await said(page, message);
    assert.equal(await page.inputValue('#email'), ADA);
    await page.unroute('**/auth/login');
    await enter(page, ADA);
    await page.waitForURL('/timeline');
  });

test('a browser that does not keep the session says so', async () => {
  const { page } = await openEntry();
  await page.route('**/auth/login', async (route) => {
    const response = await route.fetch();
    await page.context().clearCookies();
    await route.fulfill({ json: await response.json() });
  });
  await enter(page, ADA);
  await said(page, 'Your browser blocked our cookie, so we couldn’t log you in.');
  assert.equal(await headlineOf(page), 'This preview is by invitation only.');
  assert.equal(await page.getByLabel('Your email address').isVisible(), true);
  assert.deepEqual(await findViolations(page), []);
});

test('an ended session does not look like a blocked cookie: after a reload, a step back, or a link', async () => {
  const { page } = await openEntry();
  await enter(page, ADA);
  await page.waitForURL('/timeline');
  await page.goto('/');
  await page.getByRole('link', { name: 'See the preview' }).waitFor();
  endSessions(app.db, ADA);
  for (const go of [
    () => page.getByRole('link', { name: 'See the preview' }).click(),
    () => page.goBack(),
    () => page.reload(),
  ]) {
    await go();
    await page.locator('#enter button:enabled').waitFor();
    assert.equal(await page.locator('#message').innerText(), '');
  }
});

test('an invalid address is reported without a request', async () => {
  const { page } = await openEntry();
  let logins = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') logins += 1;
  });
  for (const typed of ['', 'ada', 'ada@example', 'a da@example.com']) {
    await enter(page, typed);
    await said(page, 'Enter a full email address, like name@example.com.');
    await page.locator('#email').evaluate((field) => field.dispatchEvent(new Event('input')));
  }
  assert.equal(logins, 0);
});

for (const typed of ['Ada Lovelace <ada@example.com>', ODD])
  test(`${typed} logs in: first the address in it is sent, then the text as typed`, async () => {
    const { page } = await openEntry();
    await enter(page, typed);
    await page.waitForURL('/timeline');
  });

test('the address of a link is filled in, also after a reload, until the login', async () => {
  const { page, troubles } = await open(app);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  for (const [fragment, address] of [
    ['ada@example.com', ADA],
    ['bo+x@example.com', NAMELESS],
    ['bo%2Bx%40example.com', NAMELESS],
    ['ADA@B%C3%9CCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@example.com?utm_source=x@y.z', ADA],
    ['ada@example.com&x=1', ADA],
    ['ada@example.com/', ADA],
    ['ada@example.com).', ADA],
    ['ada@example.com%3E', ADA],
    ['a/b?c&d@example.com..', 'a/b?c&d@example.com'],
    ['end', ''],
    ['100%', ''],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`/#${fragment}`);
    await page.locator('#enter button:enabled').waitFor();
    assert.equal(await page.inputValue('#email'), address);
    await page.reload();
    await page.locator('#enter button:enabled').waitFor();
    assert.equal(await page.inputValue('#email'), address);
    assert.ok(page.url().endsWith(`/#${fragment}`));
  }
  // A second link in the same tab loads nothing.
  await page.evaluate(`location.hash = 'ada@example.com'`);
  // A function, because the policy of the page forbids to evaluate text.
  await page.waitForFunction((address) => document.querySelector('input')?.value === address, ADA);
  assert.ok(sent.every((url) => !/ada|bo/i.test(url.replace(/#.*/, ''))));
  await page.locator('#email:focus').press('Enter');
  await page.waitForURL('/timeline');
  assert.deepEqual(troubles, []);
});

test('a link for somebody else shows a visitor the form, and her own the greeting', async () => {
  const { page } = await openAs(app, 'cy@example.com', 'Cy');
  await page.goto(`/#${ADA}`);
  await page.locator('#enter button:enabled').waitFor();
  assert.equal(await page.inputValue('#email'), ADA);
  assert.equal(await headlineOf(page), 'This preview is by invitation only.');
  await page.goto('about:blank');
  await page.goto('/#cy@example.com');
  await said(page, 'Welcome back, Cy.');
});

test('without its script the page says what it needs', async () => {
  const { page } = await openEntry({ javaScriptEnabled: false });
  assert.match(await page.locator('body').innerText(), /This page needs JavaScript and cookies/);
});

test('it fits a narrow phone and a low window', async () => {
  const { page } = await openEntry({ viewport: { width: 320, height: 480 } });
  await enter(page, `${'a'.repeat(60)}@example.com`);
  await said(page, 'isn’t on the guest list.');
  await expectNoSidewaysScrolling(page, '320 px');
  await page.setViewportSize({ width: 640, height: 360 });
  await expectNoSidewaysScrolling(page, '640 px');
});

test('a site from right to left mirrors the page, and keeps an address readable', async () => {
  const own = await startSite(
    writeSite(
      contentWith({
        lang: 'he',
        'entry.sentence': 'Talwind לפני כולם',
        words: { entry: { notInvited: 'הכתובת {email} לא ברשימה.' } },
      }),
    ),
  );
  const { page } = await open(own, { viewport: { width: 1280, height: 800 } });
  await page.goto('/');
  await enter(page, 'eve@example.com');
  await said(page, 'הכתובת eve@example.com לא ברשימה.');
  const { x = 0, width = 0 } = (await page.locator('h1').boundingBox()) ?? {};
  assert.ok(x + width > 1100, 'the words begin on the right');
  assert.deepEqual(await findViolations(page), []);
});
