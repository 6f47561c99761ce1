/** The invite form of the administrator page in a real browser, for every reply of the service. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { normalizeEmail } from '../../lib/address.ts';
import { hold, textOf } from './page.ts';
import { openSvcops } from './svcops-page.ts';

const SITE = 'https://preview.example.com';

const {
  installation: site,
  onPage,
  sharedPage,
} = await openSvcops('short', { PUBLIC_ORIGIN: SITE });
const onSharedPage = sharedPage();

/** Removes an invite. */
const remove = (email: string) =>
  assert.ok(site.write(({ invites }) => invites.remove(normalizeEmail(email) ?? '')));

/** Types an address into the form, and sends it. */
async function invite(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.keyboard.press('Enter');
}

const said = (page: Page, outcome: 'done' | 'failed', hasText: string | RegExp) =>
  page.locator(`#invite-message.${outcome}`, { hasText }).waitFor();

/** Answers the form's next request instead of the service. */
const answerNext = (page: Page, answer: (route: Route) => Promise<unknown>) =>
  page.route('**/api/svcops/invites', answer, { times: 1 });

describe('the invite form', () => {
  onSharedPage('shows an error beside the form, and keeps the typed text', async (page) => {
    const email = page.getByLabel('Email', { exact: true });
    for (const [address, message] of [
      ['not an address', /not an email address/],
      ['<x@example.com>', /not an email address/],
      ['ada@example.com', /Already on the invite list/],
    ] as const) {
      await email.fill(address);
      await page.keyboard.press('Enter');
      await page.locator('#invite-message.failed', { hasText: message }).waitFor();
      assert.equal(await email.inputValue(), address);
      assert.equal(await email.getAttribute('aria-invalid'), 'true');
      assert.ok(await email.evaluate((field) => field === document.activeElement));
    }
  });

  onPage('shows an international domain in its readable form everywhere', async (page) => {
    const address = 'eva@faß.example.com';
    await invite(page, address);
    await said(page, 'done', `${address} is invited`);
    const text = page.getByRole('textbox', { name: `Invitation to send to ${address}` });
    assert.match(await text.inputValue(), new RegExp(`with this address, ${address}\\.`));
    await page.locator('#people tbody a', { hasText: address }).click();
    await page.locator('#person-title', { hasText: address }).waitFor();
    await page.locator('#person-marks', { hasText: 'not yet come' }).waitFor();
    remove(address);
  });

  onSharedPage('invites: the tables refresh, and a text to send appears', async (page) => {
    await page.getByLabel('First name (optional)').fill('Nina');
    await invite(page, ' New.Guest@Example.com ');
    await said(page, 'done', 'new.guest@example.com is invited');
    await page.locator('#people tbody tr', { hasText: 'new.guest@example.com' }).waitFor();
    const text = await page.locator('#invitation textarea').inputValue();
    assert.match(
      text,
      new RegExp(
        `^Hello Nina,[^]*\n${SITE}/#new\\.guest@example\\.com\n[^]*new\\.guest@example\\.com`,
      ),
    );
    await page.getByRole('button', { name: 'Copy the invitation' }).click();
    await page.getByText('Copied.').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  });

  onSharedPage('removes the former invitation text at the next invite', async (page) => {
    const text = page.getByRole('textbox', { name: 'Invitation to send to former@example.com' });
    for (const [next, outcome] of [
      ['ada@example.com', 'failed'],
      ['not an address', 'failed'],
      ['later@example.com', 'done'],
    ] as const) {
      await invite(page, 'former@example.com');
      await text.waitFor();
      await invite(page, next);
      await said(page, outcome, '');
      await text.waitFor({ state: 'detached' });
      remove('former@example.com');
    }
  });
});

describe('when the answer does not come', () => {
  onPage('an invite succeeds although the refresh after it fails', async (page) => {
    await page.route('**/api/svcops/stats?**', (route) => route.fulfill({ status: 503 }));
    await invite(page, 'refreshed@example.com');
    await page.getByRole('alert').filter({ hasText: 'cannot answer just now' }).waitFor();
    await said(page, 'done', 'refreshed@example.com is invited.');
  });

  for (const [email, outcome, words] of [
    ['before@example.com', 'done', 'before@example.com is invited.'],
    ['ada@example.com', 'failed', /^ada@example.com: Already on the invite list/],
  ] as const)
    onPage(`it names ${email} meanwhile, and does not disturb typing`, async (page) => {
      const release = await hold(page, '**/api/svcops/invites');
      await invite(page, email);
      await invite(page, 'next@example.com');
      assert.equal(await textOf(page.locator('#invite-message')), `Inviting ${email}…`);
      const name = page.getByLabel('First name (optional)');
      await name.fill('Nex');
      release();
      await said(page, outcome, words);
      await page.keyboard.type('t');
      assert.equal(await name.inputValue(), 'Next');
      assert.equal(await page.locator('#invite-form [aria-invalid]').count(), 0);
      await page.keyboard.press('Enter');
      await said(page, 'done', 'next@example.com is invited.');
      remove('next@example.com');
    });

  onSharedPage(
    'it checks whether the person is invited, and invites the next one',
    async (page) => {
      const losses: Readonly<Record<string, (route: Route) => Promise<void>>> = {
        lost: (route) => route.abort(),
        broken: (route) => route.fulfill({ status: 201, body: '{' }),
        'empty-object': (route) => route.fulfill({ status: 200, body: '{}' }),
        null: (route) => route.fulfill({ status: 201, body: 'null' }),
        proxy: (route) => route.fulfill({ status: 504, body: '<h1>Gateway Time-out</h1>' }),
      };
      for (const [name, lose] of Object.entries(losses)) {
        const email = `${name}@example.com`;
        await answerNext(page, async (route) => {
          await route.fetch();
          await lose(route);
        });
        await invite(page, email);
        await said(page, 'done', `${email} is on the invite list.`);
        await page.getByRole('textbox', { name: `Invitation to send to ${email}` }).waitFor();
      }
      await invite(page, 'after.all@example.com');
      await said(page, 'done', 'after.all@example.com is invited.');
    },
  );

  onPage('it says that the person is not invited, or that it does not know', async (page) => {
    await answerNext(page, (route) => route.abort());
    await invite(page, 'nobody@example.com');
    await said(page, 'failed', 'nobody@example.com is not on the invite list. Please try again.');
    await answerNext(page, (route) => route.abort());
    await page.route('**/api/svcops/person?**', (route) => route.abort());
    await page.keyboard.press('Enter');
    await said(page, 'failed', 'nobody@example.com may be invited');
    await page.keyboard.press('Enter');
    await said(page, 'done', 'nobody@example.com is invited.');
  });

  onSharedPage('a refusal of another program is shown with its status', async (page) => {
    await answerNext(page, (route) => route.fulfill({ status: 413, body: 'null' }));
    await invite(page, 'nobody.else@example.com');
    await said(page, 'failed', 'Not invited: the service answered 413.');
  });
});
