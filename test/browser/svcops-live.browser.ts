/** The administrator page over time: refreshes, "Show more", and missing replies. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { recordJoin } from '../support/rows.ts';
import { answerOnce, hold, textOf, textsOf } from './page.ts';
import {
  CROWD,
  disconnect,
  halfAMinute,
  hasRow,
  NOW,
  openSvcops,
  shows,
  troubleOf,
} from './svcops-page.ts';

const { installation: site, ownPage, sharedPage } = await openSvcops('long');
const onPage = ownPage();
const onFrozenPage = sharedPage({ frozen: true });
/** Replies without numbers are faults, which the page also reports on the console. */
const onFaultyPage = sharedPage({ frozen: true, expected: /^(Type|Syntax)Error/ });
/** Without smooth scrolling, which could still run when the test looks. */
const onStillPage = ownPage({ frozen: true, reducedMotion: 'reduce' });

const press = () => site.write((writer) => recordJoin(writer, 'bo@example.com', NOW));

describe('every 30 s', () => {
  onStillPage('it reads again, and keeps scroll, sort, filters and typed text', async (page) => {
    await page.locator('[data-sort=email]').click();
    await page.locator('#people-text').fill('crowd');
    await page.clock.runFor(300);
    await page.locator('#people tbody tr:first-child', { hasText: 'crowd' }).waitFor();
    await page.locator('#people .more').click();
    await shows(page, 'people', 'Showing all');
    await page.locator('#invite-email').fill('half.typed@');
    await page.locator('#people tbody tr').nth(90).scrollIntoViewIfNeeded();
    await page.locator('#people tbody a').nth(90).focus();
    const place = () =>
      page.evaluate(() => [
        scrollY,
        document.querySelector('#people .scroll')?.scrollTop,
        document.activeElement?.textContent,
        document.querySelectorAll('#people tbody tr').length,
        document.querySelector('[data-sort=email]')?.closest('th')?.ariaSort,
        document.querySelector<HTMLInputElement>('#people-text')?.value,
        document.querySelector<HTMLInputElement>('#invite-email')?.value,
      ]);
    const before = await place();
    const said = await textOf(page.locator('#updated'));
    press();
    await halfAMinute(page);
    await hasRow(page, 'clicks', 'bo@example.com');
    await page.locator('#day', { hasText: '106 join' }).waitFor();
    await page.locator('#updated').filter({ hasNotText: said }).waitFor();
    assert.match(await textOf(page.locator('#updated')), /^Updated \d\d:\d\d:\d\d$/);
    assert.deepEqual(await place(), before);
  });

  onFrozenPage('it reads nothing while it is hidden, at once when it is shown', async (page) => {
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
    const answered = page.waitForResponse('**/api/svcops/stats?**');
    await show('visible');
    await answered;
  });
});

describe('"Show more"', () => {
  onPage('shows one list, also if pressed before the reply to a filter', async (page) => {
    const release = await hold(page, '**/api/svcops/invites?**');
    const filtered = page.waitForRequest('**/api/svcops/invites?**q=crowd**');
    await page.locator('#people-text').fill('crowd');
    await filtered;
    await page.locator('#people .more').click();
    release();
    await shows(page, 'people', 'Showing all');
    const shown = await textsOf(page, '#people tbody td:first-child');
    assert.equal(new Set(shown).size, CROWD);
    assert.ok(shown.length === CROWD && shown.every((email) => email.startsWith('crowd')));
  });
});

describe('when the service does not answer', () => {
  onFrozenPage('it reports a lost connection, and continues when there is one', async (page) => {
    await disconnect(page);
    const trouble = troubleOf(page, 'No connection');
    assert.match(await textOf(trouble), /Last updated at \d\d:\d\d:\d\d/);
    assert.equal(await textOf(page.locator('#updated')), 'Out of date');
    await page.clock.fastForward(30_000);
    await trouble.waitFor();
    await page.context().setOffline(false);
    await trouble.waitFor({ state: 'hidden' });
    await page.locator('#updated time').waitFor();
  });

  for (const [what, reply, words] of [
    ['a 503', { status: 503 }, 'temporarily unavailable'],
    ['a count', { status: 503, json: { error: 'unavailable' } }, 'still being counted'],
    ['null', { body: 'null' }, 'Retrying every 30 seconds'],
    ['an object without numbers', { body: '{}' }, 'Retrying every 30 seconds'],
    ['broken JSON', { body: '{' }, 'Retrying every 30 seconds'],
  ] as const)
    onFaultyPage(`it reports ${what}, and reads again by its button`, async (page) => {
      await answerOnce(page, '**/api/svcops/stats?**', reply);
      await halfAMinute(page);
      const trouble = troubleOf(page, words);
      await trouble.waitFor();
      await page.locator('#refresh').click();
      await trouble.waitFor({ state: 'hidden' });
    });

  onFrozenPage('a message is announced once, and not again at each refresh', async (page) => {
    const updated = async () => {
      const before = await textOf(page.locator('#updated'));
      await page.clock.fastForward(30_000);
      await page.locator('#updated').filter({ hasNotText: before }).waitFor();
    };
    await page.evaluate(() => {
      const changes: string[] = [];
      Object.assign(window, { changes });
      for (const region of document.querySelectorAll('[role=status], [role=alert]'))
        new MutationObserver(() => {
          changes.push(region.textContent);
        }).observe(region, { childList: true, characterData: true, subtree: true });
    });
    await updated();
    const times = 2;
    await page.route('**/stats?**', (route) => route.fulfill({ status: 503 }), { times });
    await updated();
    await halfAMinute(page);
    await updated();
    const changes = await page.evaluate('changes.map((text) => text.slice(0, 35))');
    assert.deepEqual(changes, ['The service is temporarily unavaila', '']);
  });

  onStillPage(
    'it reports the end of the session, with a link to log in elsewhere',
    async (page) => {
      await page.context().request.post('/auth/logout');
      await halfAMinute(page);
      const trouble = troubleOf(page, 'Your session has ended');
      const link = trouble.getByRole('link', { name: 'Log in again' });
      assert.equal(await link.getAttribute('href'), '/');
      assert.equal(await link.getAttribute('target'), '_blank', 'what is typed here is not lost');
    },
  );
});
