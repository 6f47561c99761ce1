/** Inviting many on the administrator page, in a real browser. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import type { InvitesReply } from '../../lib/records.ts';
import { hasFocus, hold, textsOf } from './page.ts';
import { clipboard, hasRow, NOW, openSvcops } from './svcops-page.ts';

const { installation: site, sharedPage } = await openSvcops('short');
const onSharedPage = sharedPage();

/** The addresses on the invite list that begin so. */
async function listed(page: Page, start: string): Promise<readonly string[]> {
  const reply = await page.request.get(`/api/svcops/invites?limit=500&q=${start}`);
  const { invites }: InvitesReply = await reply.json();
  return invites.map(({ email }) => email);
}

/** Puts a list into the form, in place of what a former test has left. */
async function paste(page: Page, list: string): Promise<void> {
  await page.locator('#many').evaluate((form) => form.setAttribute('open', ''));
  const field = page.locator('#many-list');
  // Not typed: a long list takes its time. A field that was empty would not change.
  await field.evaluate((field: HTMLTextAreaElement) => {
    field.value = '';
    field.dispatchEvent(new Event('input'));
  });
  await page.locator('#many-message:empty').waitFor({ state: 'attached' });
  await field.fill(list);
}

const said = (page: Page, hasText: string | RegExp) =>
  page.locator('#many-message', { hasText }).waitFor();

const people = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}${i}@example.com`).join('\n');

const choose = (page: Page, buffer: Buffer) =>
  page.locator('#many-file').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer });

const LIST = `Last;First;E-Mail
Lovelace;Ada;ada@example.com
New;Nina;nina@example.com
New;Nina;NINA@example.com`;

describe('inviting many', () => {
  onSharedPage('shows what each line is, and sends nothing before', async (page) => {
    const list = `${LIST}\nMüller;Eva Maria;Eva@MÜLLER.example.com;x\nBad;Bo;bo@example,com`;
    await paste(page, list);
    await said(page, '2 new, 1 already invited, 1 twice in the list, 1 not an address.');
    assert.deepEqual(
      (await textsOf(page, '#many-preview tbody tr')).map((row) => row.split('\t').slice(1)),
      [
        [list.split('\n')[0], '–', 'headings'],
        ['ada@example.com', 'Ada', 'already invited'],
        ['nina@example.com', '', 'new'],
        ['NINA@example.com', 'Nina', 'twice in the list'],
        ['Eva@MÜLLER.example.com', '', 'new'],
        ['Bad;Bo;bo@example,com', 'Bo', 'not an address'],
      ],
    );
    const name = page.getByLabel('First name of eva@xn--mller-kva.example.com');
    assert.equal(await name.inputValue(), 'Eva Maria');
    assert.deepEqual(await listed(page, 'nina'), []);
  });

  onSharedPage('invites the new ones, leaves what is to mend, and copies', async (page) => {
    await paste(page, `${LIST.replace(/nina@/gi, 'ines@')}\nBad;Bo;bo at example.com`);
    await page.getByRole('button', { name: 'Invite 1' }).click();
    const done = '1 invited, 1 already invited, 1 twice in the list';
    await said(page, `${done}. Left in the list: 1 not an address.`);
    const left = await page.locator('#many-list').inputValue();
    assert.equal(left, 'Last;First;E-Mail\nBad;Bo;bo at example.com');
    assert.deepEqual(await listed(page, 'ines'), ['ines@example.com']);
    await hasRow(page, 'people', 'ines@');
    const untold = page.getByRole('region', {
      name: '1 is on the list. Nobody has been told yet.',
    });
    const letter = await untold.getByLabel('Invitation for all, without names').inputValue();
    assert.match(letter, /^Hello,\n[\s\S]*with this address\. There is no password\.$/);
    await untold.getByRole('button', { name: 'Copy the letter for all' }).click();
    await untold.getByText('Copied.').waitFor();
    assert.equal(await clipboard(page), letter);
    await untold.getByRole('button', { name: 'Copy names and addresses for BCC' }).click();
    await untold.getByText('1 address copied.').waitFor();
    assert.equal(await clipboard(page), 'Nina <ines@example.com>');
  });

  onSharedPage('takes first names that are typed into the preview', async (page) => {
    await paste(page, 'Ex,wrong,mail@gmial.com\nnils@example.com');
    await said(page, '1 new, 1 two names without a line of headings.');
    const name = page.getByLabel('First name of mail@gmial.com');
    await name.fill('x'.repeat(101));
    await name.press('Tab');
    await said(page, '1 new, 1 first name over 100');
    await name.fill('Max');
    await name.press('Enter');
    await said(page, '2 new. Is gmial.com right, or gmail.com?');
    assert.ok(await hasFocus(name));
    await page.getByRole('button', { name: 'Invite 2' }).click();
    await page.getByText('2 are on the list. Nobody has been told yet.').waitFor();
    await hasRow(page, 'people', 'Max');
  });

  onSharedPage('can be stopped, and goes on with the rest', async (page) => {
    let sent = 0;
    await page.route('**/api/svcops/invites', async (route) => {
      sent += 1;
      if (sent === 10) await page.locator('#many-stop').click();
      await route.continue();
    });
    await paste(page, people('stopped', 40));
    await page.getByRole('button', { name: 'Invite 40' }).click();
    await said(page, /^Stopped\. \d+ invited\. Left in the list: \d+ new\.$/);
    await page.unroute('**/api/svcops/invites');
    const left = (await page.locator('#many-list').inputValue()).split('\n').length;
    const before = (await listed(page, 'stopped')).length;
    assert.ok(before > 0 && before + left === 40, `${before} and ${left}`);
    await page.getByRole('button', { name: `Invite ${left}` }).click();
    await said(page, new RegExp(`^${left} invited\\.$`));
    assert.equal((await listed(page, 'stopped')).length, 40);
  });

  onSharedPage('keeps what is not invited when the connection is lost', async (page) => {
    await paste(page, people('lost', 20));
    await said(page, '20 new');
    await page.route('**/api/svcops/invites', (route) => route.abort());
    await page.getByRole('button', { name: 'Invite 20' }).click();
    await said(page, /^Stopped\. .*No connection.*Nobody invited.*: 20 new/);
    assert.equal(await page.locator('#many-list').inputValue(), people('lost', 20));
    await page.unroute('**/api/svcops/invites');
  });

  onSharedPage(
    'says why the service refused a person, and leaves the line to mend',
    async (page) => {
      await page.route('**/api/svcops/invites', (route) => {
        const { email } = route.request().postDataJSON();
        const error = { 'r0@example.com': 'invalid_email', 'r1@example.com': 'odd' }[String(email)];
        return error ? route.fulfill({ status: 400, json: { error } }) : route.continue();
      });
      await paste(page, people('r', 3));
      await page.getByRole('button', { name: 'Invite 3' }).click();
      const left = '1 not an address, 1 refused by the service: odd';
      await said(page, `1 invited. Left in the list: ${left}.`);
      assert.equal(await page.locator('#many-list').inputValue(), people('r', 2));
      assert.equal(await page.locator('#many-start').isVisible(), false);
      assert.equal(await page.locator('#many-preview .failed').count(), 2);
      await page.unroute('**/api/svcops/invites');
    },
  );

  onSharedPage('says that it takes no other list while it invites', async (page) => {
    await paste(page, people('busy', 2));
    await said(page, '2 new');
    const release = await hold(page, '**/api/svcops/invites', 'POST');
    await page.getByRole('button', { name: 'Invite 2' }).click();
    await choose(page, Buffer.from('more@example.com'));
    await said(page, 'The new list is not taken.');
    release();
    await said(page, /^2 invited\.$/);
  });

  onSharedPage(
    'invites only people who are in the field when the button is pressed',
    async (page) => {
      await paste(page, 'wrong@example.com\nright@example.com');
      await said(page, '2 new');
      await page.locator('#many-list').evaluate((field: HTMLTextAreaElement) => {
        field.value = 'right@example.com';
        field.dispatchEvent(new Event('input'));
        document.querySelector<HTMLElement>('#many-start')?.click();
      });
      await said(page, /^1 new\.$/);
      await page.getByRole('button', { name: 'Invite 1' }).click();
      // Not the message: the pause after typing may end after the invite.
      await hasRow(page, 'people', 'right@example.com');
      assert.deepEqual(await listed(page, 'wrong'), []);
    },
  );

  onSharedPage('invites a person again who was on the list and was removed since', async (page) => {
    await paste(page, 'back@example.com\nother@example.com');
    await said(page, '2 new');
    site.invite('back@example.com');
    await page.getByRole('button', { name: 'Invite 2' }).click();
    await said(page, '1 invited, 1 already invited.');
    site.write(({ invites }) => invites.remove('back@example.com'));
    await page.locator('#many-list').fill('back@example.com');
    await said(page, /^1 new\.$/);
  });

  onSharedPage('reads a file that is chosen or dropped', async (page) => {
    await paste(page, '');
    await choose(page, Buffer.from('Zoë <zoe@example.com>', 'latin1'));
    await page.locator('#many-preview input[value=Zoë]').waitFor();
    await page.getByText('Invite many').click();
    const dataTransfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['Dora <dora@example.com>'], 'dropped.txt'));
      return data;
    });
    await page.dispatchEvent('#many', 'drop', { dataTransfer });
    await page.locator('#many-preview input[value=Dora]').waitFor();
  });

  onSharedPage('refuses a file that is not text, and a list that is too long', async (page) => {
    await paste(page, '');
    await choose(page, Buffer.from('PK\x03\x04\0\0'));
    await said(page, 'That file is not text');
    for (const text of ['a\n'.repeat(10_001), 'x'.repeat(1_000_001)]) {
      await choose(page, Buffer.from(text));
      await said(page, 'The list is too long');
      await paste(page, '');
    }
  });

  onSharedPage('takes a long text that is pasted, without typing it', async (page) => {
    await paste(page, '');
    await page.evaluate((text) => navigator.clipboard.writeText(text), people('long', 2000));
    await page.locator('#many-list').press('ControlOrMeta+V');
    await said(page, '2,000 new');
    assert.equal(await page.locator('#many-list').inputValue(), people('long', 2000));
  });

  onSharedPage('looks for the pasted people alone on a far longer invite list', async (page) => {
    site.write(({ invites }) => {
      for (const email of ['zoe@example.com', ...people('a', 120).split('\n')])
        invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt: NOW });
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(/.*svcops/, '')));
    await paste(page, 'zoe@example.com');
    await said(page, '1 already invited.');
    assert.deepEqual(
      asked.filter((url) => /sort=email|person/.test(url)),
      ['/invites?sort=email&order=asc&limit=100', '/person?email=zoe%40example.com'],
    );
    await page.locator('#many-list').fill('zoe@example.com\nzora@example.com');
    await said(page, '1 new, 1 already invited.');
  });
});
