/** Invited addresses in a real browser: in the link of an invitation, and in their readable form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdGreeting, said } from './page.ts';
import { ADA, NAMELESS, openSite } from './site.ts';

const site = await openSite();

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
  assert.deepEqual(
    sent.filter((url) => url.includes('ada')),
    [],
  );
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
    await page.fill('#email', `eva@${domain}`);
    await page.keyboard.press('Enter');
    await said(page, `eva@${domain} is not on the list.`);
    site.installation.tool('invite', 'add', `eva@${domain}`);
    await page.keyboard.press('Enter');
    await said(page, 'Welcome.');
  });
