/** Inviting one and many on the administrator page in a real browser, for every reply. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { answerOnce, boxOf, hasFocus, overflow, type Reply, textsOf } from './page.ts';
import { hasRow, openSvcops } from './svcops-page.ts';

const SITE = 'https://preview.example.com';

const { installation, open } = await openSvcops('short', { PUBLIC_ORIGIN: SITE });

const FORM = '**/api/svcops/invites';
const MANY = '**/api/svcops/invites/many'; // extra: bulk

/** Lets the next request arrive, and loses its reply, or puts another in its place. */
const loseReply = (page: Page, url: string, reply?: Reply) =>
  page.route(
    url,
    async (route) => {
      await route.fetch();
      await (reply ? route.fulfill(reply) : route.abort());
    },
    { times: 1 },
  );

it('the form invites a person once, and has a text to send', async () => {
  const page = await open();
  const field = page.getByLabel('Email', { exact: true });
  const invite = async (email: string, outcome: 'done' | 'failed', hasText: string | RegExp) => {
    await field.fill(email);
    await page.keyboard.press('Enter');
    await page.locator(`#invite-message.${outcome}`, { hasText }).waitFor();
  };
  for (const [address, message] of [
    ['not an address', /Enter a full email address/],
    ['to: x@example.com', /Enter a full email address/],
    ['\u0430da@example.com', /letters of two alphabets/],
    ['ada@example.com', /ada@example.com is already invited\./],
  ] as const) {
    await invite(address, 'failed', message);
    assert.equal(await field.inputValue(), address);
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.ok(await hasFocus(field));
  }

  const email = 'new.guest@example.com';
  await page.getByLabel('First name (optional)').fill('Nina');
  await invite(' Nina <New.Guest@Example.com>, ', 'done', `Invited ${email}.`);
  await hasRow(page, 'people', email);
  await hasRow(page, 'changes', email);
  const change = page.locator('#changes tbody tr', { hasText: email });
  assert.match(await change.innerText(), /Invited\s+new\.\S+\s+–\s+You$/);
  // extra: letters
  const invitation = page.locator('#invitation');
  await invitation.getByRole('button', { name: 'Copy' }).click();
  await invitation.getByText('Copied.').waitFor();
  const text = await invitation.getByRole('textbox').inputValue();
  assert.match(text, new RegExp(`^Hello Nina,[^]*\n${SITE}/#${email}\n[^]*${email}`));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  const mail = await invitation.getByRole('link', { name: 'Open in mail' }).getAttribute('href');
  assert.ok(mail?.startsWith(`mailto:${email}?subject=`));
  // end: letters

  for (const [name, reply] of Object.entries({
    lost: undefined,
    proxy: { status: 504, body: '<h1>Gateway Time-out</h1>' },
  })) {
    const email = `${name}@example.com`;
    await loseReply(page, FORM, reply);
    await invite(email, 'failed', 'No response. You can safely try again.');
    await hasRow(page, 'people', email);
    await invite(email, 'failed', `${email} is already invited.`);
  }

  const typo = 'mail@gmial.com';
  for (const [choice, invited] of [
    ['mail@gmail.com', 'mail@gmail.com'],
    ['Invite anyway', typo],
  ] as const) {
    await field.fill(typo);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Did you mean mail@gmail.com?' }).waitFor();
    assert.deepEqual(invitedOf(typo), [], 'nothing is invited by Enter alone');
    await page.getByRole('button', { name: choice }).click();
    await page.locator('#invite-message.done', { hasText: `Invited ${invited}.` }).waitFor();
  }
  assert.deepEqual(invitedOf(typo), [typo]);
});

/** The people of a list who are invited. */
const invitedOf = (list: string) =>
  installation.withStore(({ invites }) => list.split('\n').filter((email) => invites.find(email)));

// extra: bulk
const listMessageSays = (page: Page, hasText: string | RegExp) =>
  page.locator('#many-message', { hasText }).waitFor();

/** Puts a list into the form, in place of what is there, and waits for the words. */
async function paste(page: Page, list: string, words: string | RegExp): Promise<void> {
  await page.locator('#many').evaluate((form) => form.setAttribute('open', ''));
  // Playwright needs long to type a long list.
  const put = (text: string) =>
    page.locator('#many-list').evaluate((field: HTMLTextAreaElement, text) => {
      field.value = text;
      field.dispatchEvent(new Event('input'));
    }, text);
  await put('');
  await page.locator('#many-message:empty').waitFor({ state: 'attached' });
  await put(list);
  await listMessageSays(page, words);
}

const listOf = (page: Page) => page.locator('#many-list').inputValue();

/** Presses the button for so many people, and waits for the words. */
async function send(page: Page, count: string, words: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Invite ${count}` }).click();
  await listMessageSays(page, words);
}

it('a list is checked line by line before new people are invited', async () => {
  const page = await open();
  const list = `Last;First name;E-Mail
Lovelace;Ada;ada@example.com
Byron;Augusta;bo@example.com
New;Ines;ines@example.com
New;Ines;INES@example.com
Müller;Eva Maria;Eva@MÜLLER.example.com
Bad;Bo;bo@example,com`;
  const known = '1 already invited, 1 already invited with another first name, 1 duplicate';
  await paste(page, list, `2 new, ${known}, 1 invalid address.`);
  const read = await page.locator('#many-read').innerText();
  assert.equal(read, 'Read addresses from “E-Mail”, first names from “First name”.');
  const ignored = page.locator('#many-ignored');
  assert.equal(await ignored.innerText(), '1 column ignored');
  await ignored.locator('summary').click();
  assert.match(await ignored.innerText(), /Last\.$/);
  const rows = await textsOf(page, '#many-preview tbody tr');
  const cells = rows.map((row) => row.replace(/\s*[\t\n]\s*/g, ' | '));
  assert.deepEqual(
    cells.filter((row) => /ines|,com/.test(row)),
    [
      '7 | bo@example,com | Bo | invalid address',
      '4 | ines@example.com | Ines | new',
      '5 | ines@example.com | INES@example.com | Ines | duplicate',
    ],
  );
  assert.deepEqual(invitedOf('ines@example.com'), []);

  await send(page, '2', '2 guests added, 2 already invited. 1 row needs fixing.');
  await page.waitForURL(/#status=pending&invitedAt=\d+$/);
  const [first = ''] = page.url().split('#').slice(1);
  assert.equal(await listOf(page), list, 'to correct');
  await page.locator('#many-list').fill(list.replace('bo@example,com', 'bodo@example.com'));
  await send(page, '1', '1 guest added, 4 already invited.');
  assert.equal(await listOf(page), '');
  await page.getByText('1 guest added, 4 already invited. Now send their invitations.').waitFor();
  const chosen = page.locator('#people-status option:checked');
  assert.match(await chosen.innerText(), /^Pending, of the list saved (at|on) /);
  await hasRow(page, 'people', 'bodo@');
  // The clock of the service stands still, but each save gets another moment.
  assert.equal(await page.locator('#people tbody tr', { hasText: 'ines@' }).count(), 0);
  // extra: letters
  // extra: export
  const download = page.getByRole('link', { name: 'Download 1 invitation' });
  assert.ok(await hasFocus(download));
  const { y, height } = await boxOf(download);
  assert.ok(y >= 0 && y + height <= (page.viewportSize()?.height ?? 0), 'in view');
  const href = (await download.getAttribute('href')) ?? '';
  assert.match(href, /invitedAt=\d+&format=csv&letters=invitation$/);
  // end: export
  // end: letters

  // The address of the first list, as another administrator may open it.
  const other = await open({ address: `#${first}` });
  await hasRow(other, 'people', 'ines@');
  const choice = other.locator('#people-status option:checked');
  assert.match(await choice.innerText(), /^Pending, of the list saved (at|on) /);

  await paste(page, 'post@gmial.com\nnils@example.com', '2 new.');
  await page.getByRole('button', { name: 'Did you mean gmail.com?' }).click();
  await page.locator('#many-preview', { hasText: 'post@gmail.com' }).waitFor();
  assert.equal(await listOf(page), 'post@gmail.com\nnils@example.com');
});

it('a review begins with what somebody should check', async () => {
  const page = await open({ viewport: { width: 390, height: 800 } });
  const columns = Array.from({ length: 89 }, (_, i) => `Column ${i}`);
  const list = [
    ['E-Mail', 'First name', 'Last name', ...columns],
    ['ada@example.com', 'Ada'],
    ['bad1@example,com', 'Bo'],
    ['bad2@example,com', 'Bo'],
    ['plain@example.com', 'Piet'],
    ['couple@example.com', 'Eva & Tom'],
    ['typo@gmial.com', 'Tilda'],
  ];
  await paste(page, list.map((cells) => cells.join(';')).join('\n'), '3 new');
  const message = page.locator('#many-message');
  assert.equal(await message.textContent(), '3 new, 1 already invited, 2 invalid addresses.');
  assert.deepEqual(await message.locator('.chip').allInnerTexts(), [
    '3 new',
    '1 already invited',
    '2 invalid addresses',
  ]);
  const addresses = await textsOf(page, '#many-preview td[data-label=Address]');
  assert.deepEqual(
    addresses.map((text) => text.trim()),
    [
      'typo@gmial.com',
      'bad1@example,com',
      'bad2@example,com',
      'couple@example.com',
      'plain@example.com',
      'ada@example.com',
    ],
  );
  const [typo, , , couple, plain] = await textsOf(page, '#many-preview tbody tr');
  assert.match(typo ?? '', /new Did you mean gmail\.com\?/);
  assert.match(couple ?? '', /Eva & Tom check/);
  assert.doesNotMatch(plain ?? '', /check/);
  // The sentence about names comes first, and columns that are not read are folded away.
  const preview = await page.locator('#many-preview').innerText();
  assert.match(
    preview,
    /check these: “Eva & Tom”[\s\S]*Read addresses from[\s\S]*90 columns ignored/,
  );
  assert.doesNotMatch(preview, /Column 5/);
  assert.equal(await overflow(page), 0);
  const card = await boxOf(page.locator('#invite'));
  const table = await boxOf(page.locator('#many-preview table'));
  assert.ok(table.x + table.width <= card.x + card.width);
});

it('a list of 5,000 lines is kept when it is refused', async () => {
  const page = await open();
  await page.getByText('Invite a list').click();
  const NO_LIST = 'x.csv is no list. Save it as CSV UTF-8 and try again.';
  const TOO_LARGE = 'The list is larger than 1 MB';
  for (const [content, words, encoding = 'latin1'] of [
    ['x'.repeat(1_048_600), TOO_LARGE],
    ['PK\x03\x04\0\xff', NO_LIST],
    ['Zoë <zoe@example.com>', '1 new.'],
    ['x'.repeat(2_097_200), TOO_LARGE],
    ['\uFEFFZoë <zoe@example.com>', '1 new.', 'utf16le'],
  ] as const) {
    const file = { name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(content, encoding) };
    await page.locator('#many-file').setInputFiles(file);
    await listMessageSays(page, words);
    if (content.startsWith('Zoë'))
      await page.getByText('It was read as Windows-1252. Check these names: “Zoë”.').waitFor();
  }
  await page.locator('#many-preview td', { hasText: 'Zoë check' }).waitFor();

  const people = Array.from({ length: 5000 }, (_, i) => `guest${i}@example.com`).join('\n');
  const lost = 'No connection to the service.';
  await paste(page, people, '5,000 new');
  for (const [reply, words] of [
    [undefined, `${lost} The invitations may not have been saved. 5,000 new.`],
    [{ status: 404 }, 'Not invited. Your session has ended'],
  ] as const) {
    await answerOnce(page, MANY, reply);
    await send(page, '5,000', words);
    assert.equal(await listOf(page), people);
  }
  await answerOnce(page, MANY);
  await paste(page, `${people}\n`, 'No connection to the service.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await listMessageSays(page, /^5,000 new\.$/);
  await loseReply(page, MANY);
  // The clock of the service stands still, so lists of other tests have the same moment.
  await send(page, '5,000', /^5,00\d guests added/);
  assert.equal(invitedOf(people).length, 5000);
  await page.locator('#people-saved', { hasText: 'Now send their invitations.' }).waitFor();
  assert.equal(await listOf(page), '');
});
// end: bulk
