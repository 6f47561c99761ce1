/** Inviting many on the administrator page, in a real browser. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { hasFocus, hold, requestsOf, textsOf } from './page.ts';
import { clipboard, hasRow, NOW, openSvcops } from './svcops-page.ts';

const { installation: site, sharedPage } = await openSvcops('short');
const onPage = sharedPage();

const FORM = '**/api/svcops/invites';

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
async function send(page: Page, count: number, words: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Invite ${count}` }).click();
  await said(page, words);
}

const people = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}${i}@example.com`).join('\n');

const choose = (page: Page, buffer: Buffer) =>
  page.locator('#many-file').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer });

const LIST = `Last;First;E-Mail
Lovelace;Ada;ada@example.com
New;Nina;nina@example.com
New;Nina;NINA@example.com`;

onPage('shows what each line is, and sends nothing before', async (page) => {
  const list = `${LIST}\nMüller;Eva Maria;Eva@MÜLLER.example.com;x\nBad;Bo;bo@example,com`;
  await paste(page, list, '2 new, 1 already invited, 1 twice in the list, 1 not an address.');
  const rows = await textsOf(page, '#many-preview tbody tr');
  const shown = rows.map((row) => row.split('\t').slice(1).join(' | '));
  assert.deepEqual(shown, [
    'Last;First;E-Mail | – | headings',
    'ada@example.com | Ada | already invited',
    'nina@example.com |  | new',
    'NINA@example.com | Nina | twice in the list',
    'Eva@MÜLLER.example.com |  | new',
    'Bad;Bo;bo@example,com | Bo | not an address',
  ]);
  const name = page.getByLabel('First name of eva@xn--mller-kva.example.com');
  assert.equal(await name.inputValue(), 'Eva Maria');
  assert.deepEqual(invitedOf('nina@example.com'), []);
});

onPage('invites the new ones, leaves what is to mend, and copies', async (page) => {
  await paste(page, `${LIST.replace(/nina@/gi, 'ines@')}\nBad;Bo;bo at example.com`);
  const done = '1 invited, 1 already invited, 1 twice in the list';
  await send(page, 1, `${done}. Left in the list: 1 not an address.`);
  assert.equal(await listOf(page), 'Last;First;E-Mail\nBad;Bo;bo at example.com');
  await hasRow(page, 'people', 'ines@');
  const untold = page.getByRole('region', { name: '1 is on the list. Nobody has been told yet.' });
  const letter = await untold.getByLabel('Invitation for ines@example.com').inputValue();
  assert.match(letter, /^Hello Nina,\n[\s\S]*There is no password\.$/);
  await untold.getByRole('button', { name: 'Copy letter' }).click();
  await untold.getByText('Copied.').waitFor();
  assert.equal(await clipboard(page), letter);
});

onPage('takes first names that are typed into the preview', async (page) => {
  await paste(page, 'Ex,wrong,mail@gmial.com\nnils@example.com', /^1 new, 1 two names without/);
  const name = page.getByLabel('First name of mail@gmial.com');
  await name.fill('x'.repeat(101));
  await name.press('Tab');
  await said(page, '1 new, 1 first name over 100');
  await name.fill('Max');
  await name.press('Enter');
  await said(page, '2 new. Is gmial.com right, or gmail.com?');
  assert.ok(await hasFocus(name));
  await send(page, 2, '2 invited.');
  await hasRow(page, 'people', 'Max');
});

onPage('stops at a lost connection or when told to, and goes on with the rest', async (page) => {
  const all = people('stopped', 40);
  await paste(page, all, '40 new');
  await page.route(FORM, (route) => route.abort());
  await send(page, 40, /^Stopped\. .*No connection.*Nobody invited.*: 40 new/);
  assert.equal(await listOf(page), all);
  await page.unroute(FORM);
  await page.route(FORM, async (route) => {
    if (route.request().postData()?.includes('stopped9@')) await page.locator('#many-stop').click();
    await route.continue();
  });
  await send(page, 40, /^Stopped\. \d+ invited\. Left in the list: \d+ new\.$/);
  const left = (await listOf(page)).split('\n').length;
  assert.equal(invitedOf(all).length, 40 - left);
  await send(page, left, new RegExp(`^${left} invited\\.$`));
  assert.equal(invitedOf(all).length, 40);
});

onPage('says why a person is refused, and leaves the line to mend', async (page) => {
  await page.route(FORM, (route) => {
    const { email } = route.request().postDataJSON();
    const error = { 'r0@example.com': 'invalid_email', 'r1@example.com': 'odd' }[String(email)];
    return error ? route.fulfill({ status: 400, json: { error } }) : route.continue();
  });
  await paste(page, people('r', 3));
  await send(page, 3, /^1 invited\. .*: 1 not an address, 1 refused by the service: odd\.$/);
  assert.equal(await listOf(page), people('r', 2));
  assert.equal(await page.locator('#many-start').isVisible(), false);
  assert.equal(await page.locator('#many-preview .failed').count(), 2);
});

onPage('invites only people who are in the field when it starts', async (page) => {
  await paste(page, 'wrong@example.com\nright@example.com', '2 new');
  await page.locator('#many-list').evaluate((field: HTMLTextAreaElement) => {
    field.value = 'right@example.com';
    field.dispatchEvent(new Event('input'));
    document.querySelector<HTMLElement>('#many-start')?.click();
  });
  await said(page, /^1 new\.$/);
  await page.getByRole('button', { name: 'Invite 1' }).click();
  // Not the message: the pause after typing may end after the invite.
  await hasRow(page, 'people', 'right@example.com');
  assert.deepEqual(invitedOf('wrong@example.com'), []);
});

onPage('takes no other list meanwhile, and invites again who was removed since', async (page) => {
  await paste(page, 'back@example.com\nother@example.com', '2 new');
  site.invite('back@example.com');
  const release = await hold(page, FORM, 'POST');
  await page.getByRole('button', { name: 'Invite 2' }).click();
  await choose(page, Buffer.from('more@example.com'));
  await said(page, 'The new list is not taken.');
  release();
  await said(page, '1 invited, 1 already invited.');
  site.write(({ invites }) => invites.remove('back@example.com'));
  await page.locator('#many-list').fill('back@example.com');
  await said(page, /^1 new\.$/);
});

onPage('reads a text file that is chosen or dropped, if it is not too long', async (page) => {
  for (const [content, words] of [
    ['PK\x03\x04\0\0', 'That file is not text'],
    ['a\n'.repeat(10_001), 'The list is too long'],
    ['x'.repeat(1_000_001), 'The list is too long'],
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

onPage('takes a long text that is pasted, without typing it', async (page) => {
  await paste(page, '');
  await page.evaluate((text) => navigator.clipboard.writeText(text), people('long', 2000));
  await page.locator('#many-list').press('ControlOrMeta+V');
  await said(page, '2,000 new');
  assert.equal(await listOf(page), people('long', 2000));
});

onPage('looks for the pasted people alone on a far longer invite list', async (page) => {
  site.write(({ invites }) => {
    for (const email of ['zoe@example.com', ...people('a', 120).split('\n')])
      invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt: NOW });
  });
  const requests = requestsOf(page);
  await paste(page, 'zoe@example.com', '1 already invited.');
  const asked = (words: string) => requests.filter((url) => url.includes(words)).length;
  assert.deepEqual([asked('/invites?sort=email'), asked('/person?email=zoe%40')], [1, 1]);
  await page.locator('#many-list').fill('zoe@example.com\nzora@example.com');
  await said(page, '1 new, 1 already invited.');
});
