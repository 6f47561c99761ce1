/** The entry page in a real browser: its message in every state, and where it leads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { eventsIn } from '../support/rows.ts';
import { sample } from './contents.ts';
import { answerOnce, hold, holdGreeting, requestsOf, said, stopClock } from './page.ts';
import { ADA, NAMELESS, openService, TIMELINES } from './visitors.ts';

/** How long the welcome stays after a login, and how long the page waits for the cookie, in ms. */
const WELCOME = 700;
const PATIENCE = 3000;

const service = await openService({
  content: (root) => ({
    ...sample(root),
    entry: { contact: 'We help: [write to us](mailto:help@example.com).' },
  }),
});

const secureService = await openService({ env: { PUBLIC_ORIGIN: 'https://preview.example.com' } });

/** Types an address, presses Enter, and waits for a message. */
async function enter(page: Page, email: string, words: string | RegExp): Promise<void> {
  await page.fill('#email', email);
  await page.press('#email', 'Enter');
  await said(page, words);
}

/** A stranger on the entry page, who cannot leave it. */
async function arrive(prepare: (page: Page) => Promise<unknown> = holdGreeting) {
  const visitor = await service.visit();
  await prepare(visitor.page);
  await visitor.page.goto('/');
  return visitor;
}

test('the entry page asks until the address is on the list', async () => {
  const { page, troubles } = await arrive();
  const field = page.getByLabel('Your email address');
  // For password managers and the keyboards of phones.
  const expected = { type: 'text', autocomplete: 'email', inputmode: 'email', enterkeyhint: 'go' };
  for (const [name, value] of Object.entries(expected))
    assert.equal(await field.getAttribute(name), value);
  const sent = requestsOf(page, 'POST');
  await enter(page, 'ada@example', /^Enter a full email address, like/);
  assert.deepEqual(sent, [], 'a malformed address costs no attempt');
  const form = await page.locator('form').ariaSnapshot();
  assert.match(form, /^- textbox "Your email address" \[invalid\]: ada@example$/m);
  assert.equal(await field.getAttribute('aria-describedby'), 'message');
  assert.deepEqual(await findViolations(page), []);
  await page.keyboard.type('a');
  assert.equal(await field.inputValue(), 'a');
  assert.equal(await field.getAttribute('aria-invalid'), null);

  const contact = page.getByRole('link', { name: 'write to us' });
  assert.equal(await contact.isVisible(), false);
  assert.deepEqual(troubles, []);
  const release = await hold(page, '**/auth/login');
  await enter(page, ' Bo@X.de ', 'Checking the guest list');
  release();
  await said(page, 'Bo@X.de isn’t on the guest list.');
  assert.equal(await contact.isVisible(), true);
  assert.deepEqual(await findViolations(page), []);
  assert.deepEqual(troubles, ['403 /auth/login']);
  for (const [text, email = text] of [
    ['Bo <mailto:bo@x.de?subject=x>', 'bo@x.de'],
    ['„bo@x.de“.;', 'bo@x.de'],
    ['https://preview.example.com/#bo@x.de?fbclid=x', 'bo@x.de'],
    // Longer than any address.
    [`https://preview.example.com/?utm_campaign=${'x'.repeat(400)}#bo@x.de`, 'bo@x.de'],
    ['ｂｏ＠ｘ．ｄｅ', 'bo@x.de'],
    ['#bo@x.de?utm_source=x', 'bo@x.de'],
    ["b'o'@例え。テスト"],
  ] as const)
    await enter(page, text, `${email} isn’t on the guest list`);

  const tooMany = (seconds: number) => ({ status: 429, headers: { 'Retry-After': `${seconds}` } });
  for (const [reply, words] of [
    // A reply whose end was lost by a proxy.
    [{ body: '{"ok":' }, 'The site couldn’t be reached.'],
    // A reply from another program, not from the service.
    [{ status: 403, body: 'Blocked' }, 'The site is temporarily unavailable'],
    [undefined, 'Check your connection and try again.'],
    [{ status: 503 }, 'The site is temporarily unavailable'],
    [tooMany(61), 'from this network. Try again in 2 minutes, or use a different network.'],
    [tooMany(60), 'Try again in 1 minute, or'],
    [tooMany(59 * 60), 'Try again in 59 minutes, or'],
    [tooMany(60 * 60), 'Try again in 1 hour, or'],
  ] as const) {
    await answerOnce(page, '**/auth/login', reply);
    await enter(page, ADA, words);
    assert.equal(await field.getAttribute('aria-invalid'), null);
    assert.equal(await contact.isVisible(), words.includes('Try again in'));
  }
  await field.press('Enter');
  await said(page, 'Welcome, Ada.');
});

/** How many views were recorded. */
const views = () => service.installation.read(eventsIn).filter(({ meta }) => meta).length;

test('a guest is greeted, and needs one press the next time', async () => {
  // The greeting stays until the test moves the clock.
  const { page, troubles } = await arrive((page) => stopClock(page));
  const before = views();
  const release = await hold(page, '**/auth/me');
  await enter(page, ADA, 'Welcome, Ada.');
  await page.getByRole('heading', { name: 'Welcome, Ada.' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'by invitation' }).count(), 0);
  // The page waits for a reply, but only for a time. The timeline removes the mark from its
  // address.
  await page.clock.runFor(PATIENCE);
  await page.waitForURL('/timeline');
  release();
  await page.locator('#name', { hasText: 'Welcome, Ada.' }).waitFor();
  await page.goto('/');
  await said(page, 'Welcome back, Ada.');
  await page.locator('a:focus', { hasText: 'See the preview' }).waitFor();
  await page.clock.runFor(60_000);
  assert.deepEqual([page.url(), views()], [`${service.origin}/`, before + 1]);
  await page.getByRole('button', { name: 'Not Ada? Use another address' }).click();
  await page.locator('#email:focus').waitFor();
  await enter(page, 'bo@x.de', 'bo@x.de isn’t on the guest list.');
  await page.reload();
  await page.locator('a:focus', { hasText: 'See the preview' }).press('Enter');
  await page.waitForURL('/timeline');
  assert.equal(views(), before + 2);
  assert.deepEqual(troubles, ['403 /auth/login']);

  // The welcome stays equally long for visitors who prefer less motion.
  await page.context().clearCookies();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const asked = page.waitForResponse('**/auth/me');
  await enter(page, NAMELESS, 'Welcome.');
  await (await asked).finished();
  await page.clock.runFor(WELCOME - 1);
  assert.equal(page.url(), `${service.origin}/`);
  await page.clock.runFor(1);
  await page.waitForURL('/timeline');
  await page.goto('/');
  await said(page, 'Welcome back.');
  await page.getByRole('button', { name: `Not ${NAMELESS}? Use another address` }).waitFor();
});

/** Makes a browser refuse cookies. */
const refuseCookie = (page: Page) =>
  page.route('**/auth/login', async (route) => {
    const response = await route.fetch();
    await page.context().clearCookies();
    await route.fulfill({ json: await response.json() });
  });

test('a browser that refuses the cookie gets an explanation and no greeting', async () => {
  const { page } = await arrive(refuseCookie);
  await enter(page, ADA, 'Allow cookies for this site and try again.');
  await page.locator('#email:focus').waitFor();
  assert.equal(await page.getByLabel('Your email address').isVisible(), true);
  await page.getByRole('heading', { name: 'This preview is by invitation only.' }).waitFor();
});

test('a refused cookie is explained on a slow line too', async () => {
  const { page } = await arrive((page) => stopClock(page));
  await refuseCookie(page);
  const before = views();
  const release = await hold(page, '**/auth/me');
  await page.goto('/?view=mobile#entry-5');
  await enter(page, ADA, 'Welcome, Ada.');
  await page.clock.runFor(PATIENCE);
  await said(page, 'Allow cookies for this site and try again.');
  release();
  assert.equal(page.url(), `${service.origin}/?view=mobile#entry-5`);
  assert.equal(views(), before);
});

test('a link to an entry leads there after the login', async () => {
  const { page } = await service.visit();
  await page.goto('/timeline?view=mobile#entry-5');
  assert.equal(page.url(), `${service.origin}/?view=mobile#entry-5`);
  await enter(page, ADA, 'Welcome, Ada.');
  await page.waitForURL('/timeline?view=mobile#entry-5');
  await page.waitForFunction(() => {
    const top = document.querySelector('#entry-5')?.getBoundingClientRect().top ?? 0;
    return scrollY > 0 && Math.abs(top) < innerHeight;
  });
  // A mailing tool adds its parameters after the fragment.
  await page.goto('about:blank');
  await page.goto('/timeline?view=mobile#entry-3?utm_source=x&utm_medium=email');
  await page.waitForURL('/timeline?view=mobile#entry-3');
  await page.waitForFunction(() => scrollY > 0);
  await page.goto(`/?view=mobile#entry-5?utm_campaign=${'x'.repeat(400)}`);
  const way = page.getByRole('link', { name: 'See the preview' });
  await way.waitFor();
  assert.equal(await way.getAttribute('href'), '/timeline?view=mobile#entry-5');
});

test('over http, a site with https asks for https, not for cookies', async () => {
  const { page } = await secureService.visit();
  await page.goto('/');
  await refuseCookie(page);
  await enter(page, ADA, 'This page needs a secure connection. Open it with https.');
});

test('an invitation link fills in the address; other fragments are removed', async () => {
  service.installation.invite('ipek@xn--bcher-kva.example.com', 'İpek');
  const { page, troubles } = await arrive();
  const sent = requestsOf(page);
  const follow = async (fragment: string) => {
    await page.goto('about:blank');
    await page.goto(`/#${fragment}`);
    await page.locator('#enter button:enabled').waitFor({ state: 'attached' });
  };
  for (const [fragment, value] of [
    ['bo%2Bx@example.com', 'bo+x@example.com'],
    [`${ADA}?utm_source=x&utm_medium=email`, ADA],
    // Longer than any address.
    [`${ADA}?utm_campaign=${'x'.repeat(400)}`, ADA],
    [`/${ADA}`, ADA],
    ['ada%2540example.com', 'ada@example.com'],
    ['%21bo@example.com', '!bo@example.com'],
    [ADA, ADA],
  ] as const) {
    await follow(fragment);
    assert.deepEqual([await page.inputValue('#email'), page.url()], [value, `${service.origin}/`]);
  }
  await follow('end');
  assert.deepEqual([await page.inputValue('#email'), page.url()], ['', `${service.origin}/#end`]);
  await follow(ADA);
  await page.locator('#email:focus').waitFor();
  const asked = page.waitForResponse('**/auth/me');
  await page.keyboard.press('Enter');
  await said(page, 'Welcome, Ada.');
  await asked;
  assert.ok(!sent.some((url) => url.includes('ada')));

  // To a visitor with a session, the invitation of somebody else shows the form.
  const me = page.waitForResponse('**/auth/me');
  await follow('ipek@b%C3%BCcher.example.com');
  await (await me).finished();
  await page.keyboard.press('Enter');
  await said(page, 'Welcome, İpek.');
  for (const own of [
    'ipek@b%C3%BCcher.example.com',
    'İPEK@BÜCHER.EXAMPLE.COM',
    '/ipek@xn--bcher-kva.example.com?utm_source=x&utm_medium=email',
  ]) {
    await follow(own);
    await said(page, 'Welcome back, İpek.');
  }
  await page.locator('a:focus').waitFor();
  assert.deepEqual(await findViolations(page), []);
  assert.deepEqual(troubles, []);
});

test('a link and a text of any length are refused at once', async () => {
  const { page } = await arrive();
  const dots = `a@${'.'.repeat(200_000)}`;
  const begin = performance.now();
  await page.goto('about:blank');
  await page.goto(`/#${dots}`);
  await page.locator('#enter button:enabled').waitFor({ state: 'attached' });
  assert.deepEqual([await page.inputValue('#email'), page.url()], ['', `${service.origin}/`]);
  // A script can fill in more than the field lets people type.
  for (const text of [dots, `“${dots}`]) {
    await page.evaluate(`document.querySelector('#email').value = ${JSON.stringify(text)}`);
    await page.press('#email', 'Enter');
    await said(page, /^Enter a full email address, like/);
    await page.fill('#email', '');
  }
  assert.ok(performance.now() - begin < 8000);
});

test('without its script, the page sends nothing, and says what it needs', async () => {
  const { page: plain } = await service.visit({ javaScriptEnabled: false });
  await plain.goto('/');
  assert.equal(await plain.getByLabel('Your email address').isVisible(), false);
  const text = await plain.locator('body').innerText();
  assert.match(text, /This page needs JavaScript and cookies/);

  const { page } = await service.visitAs(ADA);
  await page.route(/\/(entry|timeline)\.js$/, (route) => route.abort());
  for (const url of ['/', ...TIMELINES]) {
    await page.goto(url);
    await page.getByText('Still loading. If nothing happens, reload the page.').waitFor();
    assert.ok((await page.locator('button:disabled').count()) > 0);
    assert.equal(await page.locator('button:enabled:visible').count(), 0);
    if (url !== '/') await page.locator('#name', { hasText: 'Still loading…' }).waitFor();
    else {
      await page.fill('#email', ADA);
      await page.press('#email', 'Enter');
      assert.deepEqual(await findViolations(page), []);
    }
    assert.equal(page.url(), service.origin + url);
  }
});
