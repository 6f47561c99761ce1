/** The entry page in a real browser: its message in every state, and where it leads. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findViolations } from '../support/accessibility.ts';
import { hold, holdGreeting, overflow, said, styleOf } from './page.ts';
import { ADA, NAMELESS, openSite, SCHEMES, type Visitor } from './site.ts';

const site = await openSite((root) => {
  const file = path.join(root, 'pages/sample/content.json');
  const content = JSON.parse(fs.readFileSync(file, 'utf8'));
  const contact = 'We help: [write to us](mailto:help@example.com).';
  const links = [{ text: 'Imprint', href: 'https://example.com/imprint' }];
  return { ...content, entry: { contact }, links };
});

/** A visitor for each colour scheme, for tests without a login. Each test opens the page again. */
const strangers = {
  light: await site.visit({ colorScheme: 'light' }),
  dark: await site.visit({ colorScheme: 'dark' }),
};

/** Types an address, presses Enter, and waits for the words. */
async function enter(
  { page }: Pick<Visitor, 'page'>,
  email: string,
  words: string | RegExp,
): Promise<void> {
  await page.fill('#email', email);
  await page.press('#email', 'Enter');
  await said(page, words);
}

const NOT_INVITED = ['403 /auth/login'];
const LIMITED = ['429 /auth/login'];

test('a malformed address costs no attempt, and is selected to be typed anew', async () => {
  const { page } = strangers.light;
  await page.goto('/');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await enter({ page }, 'ada@example', 'That is not an email address.');
  assert.deepEqual(sent, []);
  assert.equal(await page.getAttribute('#email', 'aria-invalid'), 'true');
  await page.keyboard.type('a');
  assert.equal(await page.inputValue('#email'), 'a');
  assert.equal(await page.getAttribute('#email', 'aria-invalid'), null);
});

for (const colorScheme of SCHEMES) {
  test(`in ${colorScheme} it is one sentence, one field and one button, at every width`, async () => {
    const { page, troubles } = strangers[colorScheme];
    await page.goto('/');
    assert.equal(await page.getByRole('heading').count(), 1);
    assert.equal(await page.getByRole('textbox').count(), 1);
    assert.equal(await page.getByRole('button').count(), 1);
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `${width} px`);
      assert.deepEqual(await findViolations(page), [], `${width} px`);
    }
    assert.deepEqual(troubles, []);
  });

  for (const [what, email, words, troubles] of [
    ['a malformed address is explained', 'ada@example', 'That is not an email address.', []],
    [
      'an address that is not invited is named',
      ' Bo@X.de ',
      'Bo@X.de is not on the list.',
      NOT_INVITED,
    ],
    [
      'too many attempts are answered',
      ADA,
      /^Too many attempts.*again in [56]\d minutes\.$/,
      LIMITED,
    ],
  ] as const)
    test(`in ${colorScheme} ${what}`, async () => {
      const visitor = await site.visit({ colorScheme });
      const { page, context } = visitor;
      const attempts = troubles === LIMITED ? 30 : 0;
      for (let i = 0; i < attempts; i += 1) await context.request.post('/auth/login');
      await page.goto('/');
      const contact = page.getByRole('link', { name: 'write to us' });
      assert.equal(await contact.isVisible(), false);
      await enter(visitor, email, words);
      assert.equal(await contact.isVisible(), troubles === NOT_INVITED);
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(visitor.troubles, troubles);
    });

  test(`in ${colorScheme} a lost connection is reported, and the address can be sent again`, async () => {
    const visitor = await site.visit({ colorScheme });
    const { page, context } = visitor;
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await enter(
      visitor,
      ADA,
      'The site cannot be reached. Please check your connection, then try again.',
    );
    assert.deepEqual(await findViolations(page), []);
    await context.setOffline(false);
    await holdGreeting(page);
    await page.press('#email', 'Enter');
    await said(page, 'Welcome, Ada.');
  });

  test(`in ${colorScheme} an invitee is greeted by first name and reaches the timeline`, async () => {
    const visitor = await site.visit({ colorScheme });
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
}

test('if the store cannot be written, it says that the site is unavailable', async () => {
  const visitors = await Promise.all(SCHEMES.map((colorScheme) => site.visit({ colorScheme })));
  await Promise.all(visitors.map(({ page }) => page.goto('/')));
  const unlock = site.lockStore();
  try {
    await Promise.all(visitors.map((visitor) => enter(visitor, ADA, 'The site is unavailable')));
  } finally {
    unlock();
  }
  for (const { page, troubles } of visitors) {
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(troubles, ['503 /auth/login']);
  }
});

test('an invitee without a first name is greeted without one', async () => {
  const visitor = await site.visit();
  await holdGreeting(visitor.page);
  await visitor.page.goto('/');
  await enter(visitor, NAMELESS, 'Welcome.');
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

test('the owner’s links stand at the foot', async () => {
  const { page } = strangers.dark;
  await page.goto('/');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' });
  assert.equal(await link.getAttribute('href'), 'https://example.com/imprint');
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

test('a 403 of another program is not reported as a missing invite or a wrong address', async () => {
  const visitor = await site.visit();
  const { page } = visitor;
  await page.goto('/');
  await enter(visitor, 'bo@example.com', 'bo@example.com is not on the list.');
  await page.route('**/auth/login', (route) => route.fulfill({ status: 403, body: 'Blocked' }));
  await page.press('#email', 'Enter');
  await said(page, 'The site is unavailable just now.');
  assert.equal(await page.getAttribute('#email', 'aria-invalid'), null);
});

test('an unreadable reply is reported, and the form still works', async () => {
  const visitor = await site.visit();
  // As if a proxy lost the end of a reply.
  await visitor.page.route('**/auth/login', (route) => route.fulfill({ body: '{"ok":' }), {
    times: 1,
  });
  await visitor.page.goto('/');
  await enter(visitor, ADA, 'The site cannot be reached.');
  await holdGreeting(visitor.page);
  await visitor.page.press('#email', 'Enter');
  await said(visitor.page, 'Welcome, Ada.');
});

test('the field has the attributes for password managers and phone keyboards', async () => {
  const { page } = await site.visit();
  await page.goto('/');
  const field = page.getByLabel('Your email address');
  const expected = { type: 'text', autocomplete: 'email', inputmode: 'email', enterkeyhint: 'go' };
  for (const [name, value] of Object.entries(expected))
    assert.equal(await field.getAttribute(name), value);
});

test('without scripts it says that it needs them, and shows no field', async () => {
  const { page } = await site.visit({ javaScriptEnabled: false });
  await page.goto('/');
  assert.match(await page.locator('noscript p').innerText(), /this page needs JavaScript/);
  assert.equal(await page.locator('noscript p').isVisible(), true);
  assert.equal(await page.getByLabel('Your email address').isVisible(), false);
});

test('in forced colours the field and the button have borders', async () => {
  const { page } = await site.visit({ forcedColors: 'active' });
  await page.goto('/');
  for (const selector of ['#email', 'button'])
    assert.equal(await styleOf(page, selector, 'border-top-style'), 'solid');
});
