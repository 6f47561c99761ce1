/** The administrator page over time: refreshes, and replies or browsers that are not as expected. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { recordJoin } from '../support/rows.ts';
import { answerOnce, hold, textOf, textsOf } from './page.ts';
import {
  CROWD,
  disconnect,
  halfAMinute,
  NOW,
  openSvcops,
  shows,
  troubleOf,
} from './svcops-page.ts';

const { installation: site, open } = await openSvcops('long');

it('every 30 s it reads again, and keeps scroll, sort, filters and typed text', async () => {
  // Smooth scrolling could still run when the test looks.
  const page = await open({ frozen: true, reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Email' }).click();
  await page.locator('#people-text').fill('crowd');
  await page.clock.runFor(300);
  await page.locator('#people tbody tr:first-child', { hasText: 'crowd' }).waitFor();
  for (let rows = 50; rows <= CROWD + 25; rows += 25) {
    await page.locator('#people .more').click();
    await shows(page, 'people', new RegExp(`Showing (all|${rows})`));
  }
  await page.locator('#invite-email').fill('half.typed@');
  await page.locator('#people tbody tr').nth(90).scrollIntoViewIfNeeded();
  await page.locator('#people tbody a').nth(90).focus();
  const place = () =>
    page.evaluate(() => [
      scrollY,
      document.activeElement?.textContent,
      document.querySelectorAll('#people tbody tr').length,
      document.querySelector('#people th')?.ariaSort,
      document.querySelector<HTMLInputElement>('#people-text')?.value,
      document.querySelector<HTMLInputElement>('#invite-email')?.value,
    ]);
  const before = await place();
  const said = await textOf(page.locator('#updated'));
  site.write((writer) => recordJoin(writer, 'bo@example.com', NOW));
  await halfAMinute(page);
  await page.locator('#day', { hasText: '106 join' }).waitFor();
  await page.locator('#updated').filter({ hasNotText: said }).waitFor();
  assert.match(await textOf(page.locator('#updated')), /^Updated 20 May 2026, \d\d:\d\d:\d\d$/);
  assert.deepEqual(await place(), before);
});

it('"Show more" shows one list, also if pressed before the reply to a filter', async () => {
  const page = await open();
  const release = await hold(page, '**/api/svcops/invites?**');
  const filtered = page.waitForRequest('**/api/svcops/invites?**q=crowd**');
  await page.locator('#people-text').fill('crowd');
  await filtered;
  await page.locator('#people .more').click();
  release();
  await shows(page, 'people', `Showing 50 of ${CROWD}`);
  const shown = await textsOf(page, '#people tbody td:first-child');
  assert.equal(new Set(shown).size, 50);
  assert.ok(shown.length === 50 && shown.every((email) => email.startsWith('crowd')));
});

it('it reads nothing while hidden, reports each missing reply once, and goes on with the next', async () => {
  // Replies without numbers are faults, which the page also reports on the console.
  const page = await open({ frozen: true, expected: /^(Type|Syntax)Error/ });
  const show = (state: string) =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  let asked = 0;
  page.on('request', () => asked++);
  await show('hidden');
  await page.clock.runFor(120_000);
  assert.equal(asked, 0);
  const before = await textOf(page.locator('#updated'));
  await show('visible');
  await page.locator('#updated').filter({ hasNotText: before }).waitFor();

  await disconnect(page);
  const lost = troubleOf(page, 'No connection');
  assert.match(await textOf(lost), /Last updated at \d\d:\d\d:\d\d/);
  assert.equal(await textOf(page.locator('#updated')), 'Out of date');
  await page.clock.fastForward(30_000);
  await lost.waitFor();
  await page.context().setOffline(false);
  await lost.waitFor({ state: 'hidden' });
  await page.locator('#updated time').waitFor();

  for (const [reply, words] of [
    [{ status: 503 }, 'temporarily unavailable'],
    [{ status: 503, json: { error: 'unavailable' } }, 'still being counted'],
    [{ body: 'null' }, 'Retrying every 30 seconds'],
    [{ body: '{}' }, 'Retrying every 30 seconds'],
    [{ body: '{' }, 'Retrying every 30 seconds'],
  ] as const) {
    await answerOnce(page, '**/api/svcops/stats?**', reply);
    await halfAMinute(page);
    const trouble = troubleOf(page, words);
    await trouble.waitFor();
    await page.locator('#refresh').click();
    await trouble.waitFor({ state: 'hidden' });
    await page.locator('#updated time').waitFor();
  }

  await page.evaluate(() => {
    const changes: string[] = [];
    Object.assign(window, { changes });
    for (const region of document.querySelectorAll('main [role=status], body > [role=alert]'))
      new MutationObserver(() => {
        changes.push(region.textContent.slice(0, 35));
      }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await page.route('**/stats?**', (route) => route.fulfill({ status: 503 }), { times: 2 });
  for (const words of ['Out of date', 'Out of date', 'Updated']) {
    await halfAMinute(page);
    await page.locator('#updated', { hasText: words }).waitFor();
  }
  const changes = await page.evaluate('changes');
  assert.deepEqual(changes, ['The service is temporarily unavaila', '']);

  await page.context().request.post('/auth/logout');
  await halfAMinute(page);
  const link = troubleOf(page, 'Your session has ended').getByRole('link', {
    name: 'Log in again',
  });
  assert.equal(await link.getAttribute('href'), '/');
  assert.equal(await link.getAttribute('target'), '_blank', 'what is typed here is not lost');
});

it('at another origin than PUBLIC_ORIGIN, the page says where letters link to', async () => {
  const prepare = (page: Page) =>
    page.route(/^https:/, async (route) => {
      const url = route.request().url().replace('https:', 'http:');
      await route.fulfill({ response: await route.fetch({ url }) });
    });
  const page = await open({ prepare, expected: /^request to https:/ });
  assert.equal(await textOf(page.locator('#origin')), '');
  const { host, port } = new URL(page.url());
  await page.goto(`https://${host}/svcops`);
  const words = `Letters link to http://localhost:${port}. Set PUBLIC_ORIGIN to https://${host}`;
  await page.getByText(words).waitFor();
});
