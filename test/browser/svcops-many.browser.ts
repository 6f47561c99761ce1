/** Inviting many on the administrator page, in a real browser. */
import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { hasFocus, textsOf } from './page.ts';
import { hasRow, openSvcops } from './svcops-page.ts';

const { installation: site, sharedPage } = await openSvcops('short');
const onPage = sharedPage();

const URL = '**/api/svcops/invites/many';

/** Those of a list who are invited. */
const invitedOf = (list: string) =>
  site.withStore(({ invites }) => list.split('\n').filter((email) => invites.find(email)));

const said = (page: Page, hasText: string | RegExp) =>
  page.locator('#many-message', { hasText }).waitFor();

/** Puts a list into the form, in place of what a former test has left, and waits for the words. */
async function paste(page: Page, list: string, words: string | RegExp = ''): Promise<void> {
  await page.locator('#many').evaluate((form) => form.setAttribute('open', ''));
  const field = page.locator('#many-list');
  // Not typed: a long list takes its time. A field that was empty would not change.
  await field.evaluate((field: HTMLTextAreaElement) => {
    field.value = '';
    field.dispatchEvent(new Event('input'));
  });
  await page.locator('#many-message:empty').waitFor({ state: 'attached' });
  await field.fill(list);
  if (words) await said(page, words);
}

const listOf = (page: Page) => page.locator('#many-list').inputValue();

/** Presses the button for so many people, and waits for the words. */
async function send(page: Page, count: string, words: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Invite ${count}` }).click();
  await said(page, words);
}

const people = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}${i}@example.com`).join('\n');

const choose = (page: Page, buffer: Buffer) =>
  page.locator('#many-file').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer });

const LIST = `Last;First;E-Mail
Lovelace;Ada;ada@example.com
Byron;Augusta;bo@example.com
New;Nina;nina@example.com
New;Nina;NINA@example.com`;

onPage('shows what each line is, and invites nobody before', async (page) => {
  const list = `${LIST}\nMüller;Eva Maria;Eva@MÜLLER.example.com;x\nBad;Bo;bo@example,com`;
  const under = '1 already invited under another name';
  await paste(page, list, `2 new, 1 already invited, ${under}, 1 duplicate, 1 not an add`);
  const rows = await textsOf(page, '#many-preview tbody tr');
  assert.deepEqual(
    rows.map((row) => row.split('\t').join(' | ')),
    [
      '2 | ada@example.com | Ada | already invited',
      '3 | bo@example.com | Augusta | already invited under another name',
      '4 | nina@example.com |  | new',
      '5 | nina@example.com | Nina | duplicate',
      '6 | eva@müller.example.com |  | new',
      '7 | Bad;Bo;bo@example,com | Bo | not an address',
    ],
  );
  const name = page.getByLabel('First name of eva@xn--mller-kva.example.com');
  assert.equal(await name.inputValue(), 'Eva Maria');
  assert.deepEqual(invitedOf('nina@example.com'), []);
});

onPage('invites the new ones, leaves the refused ones, and has a letter to copy', async (page) => {
  await paste(page, `${LIST.replace(/nina@/gi, 'ines@')}\nBad;Bo;bo at example.com`, '1 new');
  const known = '1 already invited, 1 already invited under another name, 1 duplicate';
  await send(page, '1', `1 invited, ${known}. Still in the list: 1 not an address.`);
  assert.equal(await listOf(page), 'Last;First;E-Mail\nBad;Bo;bo at example.com');
  await hasRow(page, 'people', 'ines@');
  const untold = page.getByRole('region', { name: '1 is on the list. Invitations not sent yet.' });
  await untold.getByText('Letter 1 of 1, to Nina, ines@example.com.').waitFor();
  const letter = await untold.getByRole('textbox').inputValue();
  assert.match(letter, /^Hello Nina,\n/);
  await page.locator('#many-list').fill('Last;First;E-Mail\nBad;Bo;bodo@example.com');
  await send(page, '1', '1 invited.');
  await page.getByText('2 are on the list. Invitations not sent yet.').waitFor();
  await page.locator('#many-untold').getByText('of 2, to').waitFor();
});

onPage('takes first names that are typed into the preview', async (page) => {
  await paste(page, 'Ex,wrong,mail@gmial.com\nnils@example.com', /^1 new, 1 two names without/);
  const name = page.getByLabel('First name of mail@gmial.com');
  await name.fill('x'.repeat(101));
  await name.press('Tab');
  await said(page, '1 new, 1 first name over 100');
  await name.fill('Max "M", Ö');
  await name.press('Enter');
  await said(page, '2 new. Is gmial.com right, or gmail.com?');
  assert.ok(await hasFocus(name));
  await send(page, '2', '2 invited.');
  await hasRow(page, 'people', 'Max "M", Ö');
});

onPage('names a lost connection and a refusal, keeps the list, and goes on', async (page) => {
  for (const [fulfil, words] of [
    [
      undefined,
      'No connection to the service. The invitations may not have been saved. Still in the list: 2 new.',
    ],
    [{ status: 503 }, 'temporarily unavailable. The invitations may not have been saved.'],
    [{ status: 404 }, 'Your session has ended'],
  ] as const) {
    await paste(page, people('lost', 2), '2 new');
    const fail = (route: Route) => (fulfil ? route.fulfill(fulfil) : route.abort());
    await page.route(URL, fail, { times: 1 });
    await send(page, '2', words);
    assert.equal(await listOf(page), people('lost', 2));
  }
  await page.route(URL, (route) => route.abort(), { times: 1 });
  await paste(page, people('lost', 3), 'No connection to the service.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await said(page, /^3 new\.$/);
  await paste(page, people('lost', 2), '2 new.');
  await page.route(URL, async (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await send(page, '2', 'Still in the list: 2 already invited.');
  assert.equal(invitedOf(people('lost', 2)).length, 2);
});

onPage('reads a text file that is chosen or dropped, if it is not too long', async (page) => {
  for (const [content, words] of [
    ['PK\x03\x04\0\0', 'That file is not text'],
    ['x'.repeat(1_048_600), 'The list is over 1 MB'],
    ['Zoë <zoe@example.com>', '1 new.'],
  ] as const) {
    await paste(page, '');
    await choose(page, Buffer.from(content, 'latin1'));
    await said(page, words);
  }
  await page.locator('#many-preview input[value=Zoë]').waitFor();
  const dataTransfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['Dora <dora@example.com>'], 'dropped.txt'));
    return data;
  });
  await page.dispatchEvent('#many', 'drop', { dataTransfer });
  await page.locator('#many-preview input[value=Dora]').waitFor();
});

onPage('takes 5,000 lines that are pasted, without typing them', async (page) => {
  await paste(page, '');
  const crowd = people('long', 5000);
  await page.evaluate((text) => navigator.clipboard.writeText(text), crowd);
  await page.locator('#many-list').press('ControlOrMeta+V');
  await said(page, '5,000 new');
  assert.equal(await listOf(page), crowd);
  await send(page, '5,000', '5,000 invited.');
  assert.equal(invitedOf(crowd).length, 5000);
});
