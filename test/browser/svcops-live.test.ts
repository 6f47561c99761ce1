/** The administrator page over time and in trouble: refreshing, "Show more", and answers that do not come. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hold, textOf, textsOf } from './page.ts';
import { CROWD, halfAMinute, openSvcops } from './svcops-page.ts';

const { installation: site, origin, open, onPage, sharedPage } = await openSvcops('long');
const onFrozenPage = sharedPage({ frozen: true });

const press = () =>
  site.write(({ joins }) =>
    joins.record({ email: 'bo@example.com', session: 'later', clickedAt: Date.now() }),
  );

describe('every 30 s', () => {
  it('it reads again, and keeps scroll, sort, filters and typed text', async () => {
    const { page, close } = await open({
      frozen: true,
      // Nothing may still be gliding when the place is noted.
      reducedMotion: 'reduce',
    });
    await page.locator('[data-sort=email]').click();
    await page.locator('#people-text').fill('crowd');
    await page.clock.runFor(300);
    await page.waitForFunction(() =>
      document.querySelector('#people tbody')?.textContent?.startsWith('crowd'),
    );
    await page.locator('#people .more').click();
    await page.locator('#people .shown', { hasText: 'that is all' }).waitFor();
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
    await page.locator('#clicks tbody tr', { hasText: 'bo@example.com' }).first().waitFor();
    await page.locator('#totals .count', { hasText: '106' }).waitFor();
    await page.waitForFunction(
      (said) => document.querySelector('#updated')?.textContent !== said,
      said,
    );
    assert.match(await textOf(page.locator('#updated')), /^Updated \d\d:\d\d:\d\d$/);
    assert.deepEqual(await place(), before);
    await close();
  });

  onFrozenPage(
    'it reads nothing while nobody sees it, and at once when somebody does',
    async (page) => {
      const show = (state: string) =>
        page.evaluate((state) => {
          Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }, state);
      await page.waitForLoadState('networkidle');
      let asked = 0;
      page.on('request', () => asked++);
      await show('hidden');
      await page.clock.runFor(120_000);
      assert.equal(asked, 0);
      const answered = page.waitForResponse('**/api/svcops/stats?');
      await show('visible');
      await answered;
    },
  );
});

describe('"Show more"', () => {
  onPage('brings what it was pressed for, also when a refresh starts', async (page) => {
    const release = await hold(page, '**/api/svcops/invites?**');
    const more = page.locator('#people .more');
    await more.press('Enter');
    await page.locator('#refresh').click();
    await more.focus();
    release();
    await page.locator('#people .shown', { hasText: 'that is all' }).waitFor();
    assert.equal(await page.locator('#people tbody tr').count(), CROWD + 4);
    const scroll = page.locator('#people .scroll');
    assert.ok(await scroll.evaluate((list) => list === document.activeElement));
  });

  onPage('shows one list, also when it is pressed before the answer to a filter', async (page) => {
    const release = await hold(page, '**/api/svcops/invites?**');
    const filtered = page.waitForRequest('**/api/svcops/invites?**q=crowd**');
    await page.locator('#people-text').fill('crowd');
    await filtered;
    await page.locator('#people .more').click();
    release();
    await page.locator('#people .shown', { hasText: 'that is all' }).waitFor();
    const shown = await textsOf(page, '#people tbody td:first-child');
    assert.equal(new Set(shown).size, CROWD);
    assert.ok(shown.length === CROWD && shown.every((email) => email.startsWith('crowd')));
  });
});

describe('when it cannot', () => {
  onFrozenPage('without a connection it says so, and goes on when there is one', async (page) => {
    await page.context().setOffline(true);
    const trouble = page.getByRole('alert').filter({ hasText: 'No connection' });
    await trouble.waitFor();
    assert.match(await textOf(trouble), /What you see was read at \d\d:\d\d:\d\d/);
    assert.equal(await textOf(page.locator('#updated')), 'Not up to date');
    await page.clock.fastForward(30_000);
    await trouble.waitFor();
    await page.context().setOffline(false);
    await trouble.waitFor({ state: 'hidden' });
    await page.locator('#updated time').waitFor();
  });

  onFrozenPage('it says that the service cannot answer', async (page) => {
    // What a proxy says while the service is being restarted.
    await page.route('**/api/svcops/**', (route) => route.fulfill({ status: 503, body: '' }));
    await halfAMinute(page);
    await page.getByRole('alert').filter({ hasText: 'cannot answer just now' }).waitFor();
    await page.unroute('**/api/svcops/**');
    await halfAMinute(page);
    await page.getByRole('alert').filter({ hasText: 'cannot' }).waitFor({ state: 'hidden' });
  });

  it('an odd answer does not end it: it tries again by itself, and by its button', async () => {
    const { page } = await open({ frozen: true });
    const trouble = page.getByRole('alert').filter({ hasText: 'Trying again every 30 seconds' });
    for (const [i, body] of ['null', '{}', '{', '[]'].entries()) {
      await page.route('**/api/svcops/stats?', (route) => route.fulfill({ body }), { times: 1 });
      await halfAMinute(page);
      await trouble.waitFor();
      await (i % 2 === 0 ? halfAMinute(page) : page.locator('#refresh').click());
      await trouble.waitFor({ state: 'hidden' });
    }
    await page.context().close();
  });

  onFrozenPage('what is announced is said once, and not again by each refresh', async (page) => {
    const updated = async () => {
      const before = await textOf(page.locator('#updated'));
      await page.clock.fastForward(30_000);
      await page.waitForFunction(
        (before) => document.querySelector('#updated')?.textContent !== before,
        before,
      );
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
    await page.route('**/api/svcops/stats?', (route) => route.fulfill({ status: 503 }), {
      times: 2,
    });
    await updated();
    await halfAMinute(page);
    await updated();
    const changes = await page.evaluate('changes.map((text) => text.slice(0, 35))');
    assert.deepEqual(changes, ['The service cannot answer just now.', '']);
  });

  // Last on its page, which stays logged out.
  onFrozenPage('it says that the session has ended, and where to log in', async (page) => {
    await page.context().request.post(`${origin}/auth/logout`);
    await halfAMinute(page);
    const trouble = page.getByRole('alert').filter({ hasText: 'Your session has ended' });
    assert.equal(await trouble.getByRole('link').getAttribute('href'), '/');
  });

  onPage('control characters that are typed into a filter are no trouble', async (page) => {
    await page.locator('#people-text').fill('\u0001 crowd129\t');
    await page.locator('#people .shown', { hasText: '1 shown' }).waitFor();
    await page.locator('#events-email').fill('ada\u0000@example.com');
    await page.locator('#events-hint', { hasText: 'whole address' }).waitFor();
    await page.locator('#updated time').waitFor();
    assert.equal(await textOf(page.locator('#trouble')), '');
  });
});
