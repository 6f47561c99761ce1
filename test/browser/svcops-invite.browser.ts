/** The invite form of the administrator page in a real browser, for every reply of the service. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { normalizeEmail } from '../../lib/address.ts';
import { hasFocus, hold, textOf } from './page.ts';
import { clipboard, hasRow, openSvcops, troubleOf } from './svcops-page.ts';

const SITE = 'https://preview.example.com';

const { installation: site, sharedPage } = await openSvcops('short', { PUBLIC_ORIGIN: SITE });
const onPage = sharedPage();

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

const FORM = '**/api/svcops/invites';

describe('the invite form', () => {
  onPage('shows an error beside the form, and keeps the typed text', async (page) => {
    const email = page.getByLabel('Email', { exact: true });
    for (const [address, message] of [
      ['not an address', /Enter an email address/],
      ['<x@example.com>', /Enter an email address/],
      ['ada@example.com', /Already on the invite list/],
    ] as const) {
      await email.fill(address);
      await page.keyboard.press('Enter');
      await page.locator('#invite-message.failed', { hasText: message }).waitFor();
      assert.equal(await email.inputValue(), address);
      assert.equal(await email.getAttribute('aria-invalid'), 'true');
      assert.ok(await hasFocus(email));
    }
  });

  onPage('shows an international domain in its readable form everywhere', async (page) => {
    const address = 'eva@faß.example.com';
    await invite(page, address);
    await said(page, 'done', `${address} is on the invite list`);
    const text = page.getByRole('textbox', { name: `Invitation for ${address}` });
    assert.match(await text.inputValue(), new RegExp(`Your address, ${address},`));
    await page.locator('#people tbody a', { hasText: address }).click();
    await page.locator('#person-title', { hasText: address }).waitFor();
    await page.locator('#person-marks', { hasText: 'Pending' }).waitFor();
    await page.keyboard.press('Escape');
    remove(address);
  });

  onPage('invites: tables and log refresh, and a text to send appears', async (page) => {
    const email = 'new.guest@example.com';
    await page.getByLabel('First name (optional)').fill('Nina');
    await invite(page, ' New.Guest@Example.com ');
    await said(page, 'done', `${email} is on the invite list`);
    await hasRow(page, 'people', email);
    const change = page.locator('#changes tbody tr', { hasText: email });
    assert.match(await change.innerText(), /Invited\s+new\.\S+\s+–\s+root@\S+$/);
    const text = await page.locator('#invitation textarea').inputValue();
    assert.match(text, new RegExp(`^Hello Nina,[^]*\n${SITE}/#${email}\n[^]*${email}`));
    await page.getByRole('button', { name: 'Copy invitation' }).click();
    await page.getByText('Copied.').waitFor();
    assert.equal(await clipboard(page), text);
  });

  onPage('removes the former invitation text at the next invite', async (page) => {
    const text = page.getByRole('textbox', { name: 'Invitation for former@example.com' });
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
    await troubleOf(page, 'temporarily unavailable').waitFor();
    await said(page, 'done', 'refreshed@example.com is on the invite list.');
  });

  for (const [email, outcome, words] of [
    ['before@example.com', 'done', 'before@example.com is on the invite list.'],
    ['ada@example.com', 'failed', /^ada@example.com: Already on the invite list/],
  ] as const)
    onPage(`it names ${email} meanwhile, and does not disturb typing`, async (page) => {
      const release = await hold(page, FORM);
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
      await said(page, 'done', 'next@example.com is on the invite list.');
      remove('next@example.com');
    });

  onPage('it asks to try again, which invites nobody twice', async (page) => {
    for (const [name, reply] of Object.entries({
      lost: undefined,
      broken: { status: 201, body: '{' },
      proxy: { status: 504, body: '<h1>Gateway Time-out</h1>' },
    })) {
      const email = `${name}@example.com`;
      const arriveAndLose = async (route: Route) => {
        await route.fetch();
        await (reply ? route.fulfill(reply) : route.abort());
      };
      await page.route(FORM, arriveAndLose, { times: 1 });
      await invite(page, email);
      await said(page, 'failed', 'No response. Try again: nobody is invited twice.');
      await hasRow(page, 'people', email);
      await page.keyboard.press('Enter');
      await said(page, 'failed', 'Already on the invite list.');
    }
    await invite(page, 'after.all@example.com');
    await said(page, 'done', 'after.all@example.com is on the invite list.');
  });
});
