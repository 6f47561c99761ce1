/** The entry page in a real browser: its message in every state, and where it leads. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { hold, holdGreeting, said, styleOf } from './page.ts';
import { ADA, NAMELESS, openSite, type Visitor } from './site.ts';

const site = await openSite((root) => {
  const file = path.join(root, 'pages/sample/content.json');
  const content = JSON.parse(fs.readFileSync(file, 'utf8'));
  const contact = 'We help: [write to us](mailto:help@example.com).';
  const links = [{ text: 'Imprint', href: 'https://example.com/imprint' }];
  return { ...content, entry: { contact }, links };
});

/** Types an address, presses Enter, and waits for the words. */
async function enter({ page }: Pick<Visitor, 'page'>, email: string, words: string | RegExp) {
  await page.fill('#email', email);
  await page.press('#email', 'Enter');
  await said(page, words);
}

test('it is one sentence, one field and one button, and the owner’s links', async () => {
  const { page, troubles } = await site.visit();
  await page.goto('/');
  for (const role of ['heading', 'textbox', 'button'] as const)
    assert.equal(await page.getByRole(role).count(), 1);
  const field = page.getByLabel('Your email address');
  // For password managers and the keyboards of phones.
  const expected = { type: 'text', autocomplete: 'email', inputmode: 'email', enterkeyhint: 'go' };
  for (const [name, value] of Object.entries(expected))
    assert.equal(await field.getAttribute(name), value);
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' });
  assert.equal(await link.getAttribute('href'), 'https://example.com/imprint');
  assert.deepEqual(await findViolations(page), []);
  assert.deepEqual(troubles, []);
});

test('a malformed address costs no attempt, and is selected to be typed anew', async () => {
  const { page } = await site.visit();
  await page.goto('/');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await enter({ page }, 'ada@example', 'That is not an email address.');
  assert.deepEqual(sent, []);
  assert.equal(await page.getAttribute('#email', 'aria-invalid'), 'true');
  assert.deepEqual(await findViolations(page), []);
  await page.keyboard.type('a');
  assert.equal(await page.inputValue('#email'), 'a');
  assert.equal(await page.getAttribute('#email', 'aria-invalid'), null);
});

test('an address that is not invited is named, with a way to ask', async () => {
  const visitor = await site.visit();
  await visitor.page.goto('/');
  const contact = visitor.page.getByRole('link', { name: 'write to us' });
  assert.equal(await contact.isVisible(), false);
  await enter(visitor, ' Bo@X.de ', 'Bo@X.de is not on the list.');
  assert.equal(await contact.isVisible(), true);
  assert.deepEqual(await findViolations(visitor.page), []);
  assert.deepEqual(visitor.troubles, ['403 /auth/login']);
});

test('too many attempts are answered with the minutes that are left', async () => {
  const visitor = await site.visit();
  for (let i = 0; i < 30; i += 1) await visitor.context.request.post('/auth/login');
  await visitor.page.goto('/');
  await enter(visitor, ADA, /^Too many attempts.*again in [56]\d minutes\.$/);
  assert.deepEqual(visitor.troubles, ['429 /auth/login']);
});

test('if the store cannot be written, it says that the site is unavailable', async () => {
  const visitor = await site.visit();
  await visitor.page.goto('/');
  const unlock = site.lockStore();
  try {
    await enter(visitor, ADA, 'The site is unavailable');
  } finally {
    unlock();
  }
  assert.deepEqual(visitor.troubles, ['503 /auth/login']);
});

for (const [what, answer, words] of [
  // As if a proxy lost the end of a reply.
  ['an unreadable reply', { body: '{"ok":' }, 'The site cannot be reached.'],
  ['a 403 of another program', { status: 403, body: 'Blocked' }, 'The site is unavailable'],
  ['a lost connection', undefined, 'Please check your connection, then try again.'],
] as const)
  test(`${what} is reported, and the address can be sent again`, async () => {
    const { page } = await site.visit();
    const reply = (route: Route) => (answer ? route.fulfill(answer) : route.abort());
    await page.route('**/auth/login', reply, { times: 1 });
    await page.goto('/');
    await enter({ page }, ADA, words);
    assert.equal(await page.getAttribute('#email', 'aria-invalid'), null);
    await holdGreeting(page);
    await page.press('#email', 'Enter');
    await said(page, 'Welcome, Ada.');
  });

test('an invitee is greeted by first name and reaches the timeline', async () => {
  const visitor = await site.visit();
  const { page, troubles } = visitor;
  const leadOn = await holdGreeting(page);
  await page.goto('/');
  await enter(visitor, ADA, 'Welcome, Ada.');
  assert.equal(await page.locator('a:focus').textContent(), 'Go on to the preview');
  assert.deepEqual(await findViolations(page), []);
  leadOn();
  await page.waitForURL('/timeline');
  assert.deepEqual(troubles, []);
});

test('an invitee without a first name is greeted without one', async () => {
  const { page } = await site.visit();
  await holdGreeting(page);
  await page.goto('/');
  await enter({ page }, NAMELESS, 'Welcome.');
});

test('a visitor with a session is greeted and reaches the timeline without typing', async () => {
  const { page, troubles } = await site.visitAs(ADA);
  const leadOn = await holdGreeting(page);
  await page.goto('/');
  await page.locator('body.let-in').getByRole('textbox').waitFor({ state: 'hidden' });
  await said(page, 'Welcome back, Ada.');
  leadOn();
  await page.waitForURL('/timeline');
  assert.deepEqual(troubles, []);
});

test('one view is recorded if the link is pressed just before the page follows it by itself', async () => {
  const { page } = await site.visit();
  // The greeting ends just after the link is pressed.
  await page.addInitScript(`{
    const { setTimeout } = globalThis;
    const end = (act) => setTimeout(() => { act(); console.debug('greeted'); }, 100);
    globalThis.setTimeout = (act, ms) =>
      ms === 1800 ? void addEventListener('click', () => end(act)) : setTimeout(act, ms);
  }`);
  await page.goto('/');
  await enter({ page }, NAMELESS, 'Welcome.');
  // The reply waits for the lock, and the page stays meanwhile.
  const unlock = site.lockStore();
  const greeted = page.waitForEvent('console', (message) => message.text() === 'greeted');
  const pressed = page.keyboard.press('Enter');
  await greeted;
  unlock();
  await pressed;
  await page.waitForURL('/timeline');
  const { rows } = site.installation.withStore(({ events }) => events.list({ limit: 2 }));
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['timeline_view', 'login'],
  );
});

test('a late greeting does not remove a form that was sent', async () => {
  const { page } = await site.visitAs(ADA);
  const release = await hold(page, '**/timeline');
  await page.route('**/auth/login', async (route) => {
    await page.waitForResponse('**/auth/me');
    await route.continue();
  });
  await page.goto('/');
  await enter({ page }, 'bo@example.com', 'Looking for you');
  release();
  await said(page, 'bo@example.com is not on the list.');
  assert.ok(await page.getByRole('textbox').isVisible());
});

test('without scripts it says that it needs them, and shows no field', async () => {
  const { page } = await site.visit({ javaScriptEnabled: false });
  await page.goto('/');
  await page.locator('noscript p', { hasText: 'this page needs JavaScript' }).waitFor();
  assert.equal(await page.getByLabel('Your email address').isVisible(), false);
});

test('in forced colours the field and the button have borders', async () => {
  const { page } = await site.visit({ forcedColors: 'active' });
  await page.goto('/');
  for (const selector of ['#email', 'button'])
    assert.equal(await styleOf(page, selector, 'border-top-style'), 'solid');
});

test('the link of an invitation fills in the address, which only needs Enter', async () => {
  const { page, troubles } = await site.visit();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await holdGreeting(page);
  await page.goto(`/#${ADA}`);
  await page.locator('#email:focus').waitFor();
  assert.deepEqual([await page.inputValue('#email'), page.url()], [ADA, `${site.origin}/`]);
  await page.keyboard.press('Enter');
  await said(page, 'Welcome, Ada.');
  assert.ok(!sent.some((url) => url.includes('ada')));
  assert.deepEqual(troubles, []);
});

for (const [what, fragment, value] of [
  ['encoded', '#bo%2Bx@example.com', 'bo+x@example.com'],
  ['no address', '#end', ''],
  ['broken', '#%E0%A4%A', ''],
  ['too long', `#${'a'.repeat(250)}@example.com`, ''],
] as const)
  test(`a fragment that is ${what} leaves "${value}" in the field, and goes`, async () => {
    const { page } = await site.visit();
    await page.goto(`/${fragment}`);
    await page.locator('#enter button:enabled').waitFor();
    assert.deepEqual([await page.inputValue('#email'), page.url()], [value, `${site.origin}/`]);
  });

test('the invitation of somebody else shows the form to a visitor with a session', async () => {
  const { page } = await site.visitAs(NAMELESS);
  const me = page.waitForResponse('**/auth/me');
  await page.goto(`/#${ADA}`);
  await (await me).finished();
  await holdGreeting(page);
  await page.keyboard.press('Enter');
  await said(page, 'Welcome, Ada.');
  await page.goto('about:blank');
  await page.goto(`/#${ADA}`);
  await said(page, 'Welcome back, Ada.');
});

for (const domain of ['bücher.example.com', 'faß.example.com'])
  test(`eva@${domain} logs in with the address in its readable form`, async () => {
    const { page } = await site.visit();
    await holdGreeting(page);
    await page.goto('/');
    await enter({ page }, `eva@${domain}`, `eva@${domain} is not on the list.`);
    site.installation.tool('invite', 'add', `eva@${domain}`);
    await page.keyboard.press('Enter');
    await said(page, 'Welcome.');
  });
