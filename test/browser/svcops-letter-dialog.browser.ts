/** One letter on the administrator page: who gets one, and how it is opened and copied. */
// extra: letters
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addInvite, recordJoin, recordLogin, recordView } from '../support/rows.ts';
import { halfAMinute, NOW, openSvcops } from './svcops-page.ts';

const { installation, open } = await openSvcops('none');

it('the letter of a row can be copied', async () => {
  installation.write((writer) => addInvite(writer, 'row@example.com', { invitedAt: NOW }));
  const page = await open();
  await page.getByRole('button', { name: 'Invitation to row@example.com' }).click();
  const letter = page.getByRole('dialog');
  await letter.getByRole('button', { name: 'Copy' }).click();
  await letter.getByText('Copied.').waitFor();
  const text = await letter.getByRole('textbox').inputValue();
  assert.match(text, /#row@example\.com/);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
});

it('a clipboard that never answers leaves the text selected, and says so', async () => {
  installation.write((writer) => addInvite(writer, 'copy@example.com', { invitedAt: NOW }));
  const page = await open();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => new Promise(() => undefined);
  });
  await page.getByRole('button', { name: 'Invitation to copy@example.com' }).click();
  const letter = page.getByRole('dialog');
  await letter.getByRole('button', { name: 'Copy' }).click();
  await letter.getByRole('status').filter({ hasText: 'The text is selected' }).waitFor();
  const text = await letter.getByRole('textbox').inputValue();
  const selected = await letter
    .getByRole('textbox')
    .evaluate(({ selectionStart, selectionEnd }: HTMLTextAreaElement) => [
      selectionStart,
      selectionEnd,
    ]);
  assert.deepEqual(selected, [0, text.length]);
});

it('administrators cannot write letters to themselves', async () => {
  const page = await open({ address: '#person=root%40example.com' });
  await page.locator('#person-marks', { hasText: 'Admin' }).waitFor();
  await page.locator('#people tbody tr', { hasText: 'root@example.com' }).waitFor();
  assert.equal(await page.getByRole('button', { name: / to root@/ }).count(), 0);
});

it('the Back button closes a letter and the panel below it', async () => {
  installation.write((writer) => addInvite(writer, 'kim@example.com', { invitedAt: NOW }));
  const page = await open();
  await page.locator('#people .person', { hasText: 'kim@' }).click();
  await page.locator('#person').getByRole('button', { name: 'Invitation to kim@' }).click();
  await page.getByRole('dialog', { name: 'Invitation to kim@' }).waitFor();
  await page.goBack();
  await page.locator('dialog[open]').first().waitFor({ state: 'detached' });
});

it('a letter too long for a link can be copied alone', async () => {
  installation.write((writer) => addInvite(writer, 'long@example.com', { invitedAt: NOW }));
  const page = await open();
  // As if the owner had written it: each of these letters takes six characters in a link.
  await page.route('**/svcops', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replace('data-invitation="', `$&${'я'.repeat(340)} `);
    await route.fulfill({ response, body });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Invitation to long@example.com' }).click();
  const letter = page.getByRole('dialog');
  await letter.getByText('Guestlist sends no email. Copy this letter.', { exact: true }).waitFor();
  assert.equal(await letter.getByRole('link', { name: 'Open in mail app' }).count(), 0);
});

it('a guest who joined gets no letter in list and panel', async () => {
  installation.write((writer) => {
    addInvite(writer, 'joined@example.com', { invitedAt: NOW });
    recordLogin(writer, 'joined@example.com', NOW);
    recordView(writer, 'joined@example.com', NOW);
    recordJoin(writer, 'joined@example.com', NOW);
  });
  const page = await open({ address: '#person=joined%40example.com' });
  await page.locator('#person-marks', { hasText: 'Joined' }).waitFor();
  assert.equal(await page.getByRole('button', { name: / to joined@/ }).count(), 0);
});

it('a letter greets by the first name that was read last', async () => {
  const email = 'renamed@example.com';
  installation.write((writer) => addInvite(writer, email, { firstName: 'Old', invitedAt: NOW }));
  const page = await open({ frozen: true });
  const opener = page.getByRole('button', { name: `Invitation to ${email}` });
  await opener.waitFor();
  installation.write(({ invites }) => invites.setFirstName(email, 'New'));
  await halfAMinute(page);
  await page.locator('#people tbody tr', { hasText: email }).getByText('New').waitFor();
  await opener.click();
  const text = page.getByRole('textbox', { name: `Invitation to ${email}` });
  assert.match(await text.inputValue(), /^Hello New,/);
});
// end: letters
