/** The invite form of the administrator page in a real browser, for every reply of the service. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { hasFocus } from './page.ts';
import { clipboard, hasRow, openSvcops } from './svcops-page.ts';

const SITE = 'https://preview.example.com';

const { sharedPage } = await openSvcops('short', { PUBLIC_ORIGIN: SITE });
const onPage = sharedPage();

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
});

describe('when the answer does not come', () => {
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
      await said(page, 'failed', 'No response. You can safely try again.');
      await hasRow(page, 'people', email);
      await page.keyboard.press('Enter');
      await said(page, 'failed', 'Already on the invite list.');
    }
    await invite(page, 'after.all@example.com');
    await said(page, 'done', 'after.all@example.com is on the invite list.');
  });
});
