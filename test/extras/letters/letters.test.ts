/** Letters to guests: their texts with the values of a person, on the page and as a mail merge. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fillIn, mailto, warnOfLongLetters } from '../../../lib/extras/letters/letters.ts';
import { startService } from '../../support/service.ts';

const values = { firstName: '', title: 'Aurora', address: 'https://x.example.com', email: 'a@b.c' };

it('a text reads well with a first name and without one', () => {
  for (const [text, named, unnamed] of [
    ['Hello {firstName},\nsee {title}', 'Hello Ada,\nsee Aurora', 'Hello,\nsee Aurora'],
    ['Hello, {firstName}!', 'Hello, Ada!', 'Hello!'],
    ['{firstName}, you are invited', 'Ada, you are invited', 'You are invited'],
    ['Hi\n{firstName}, éa\n{firstName}', 'Hi\nAda, éa\nAda', 'Hi\nÉa\n'],
    ['{firstName}: {address}', 'Ada: https://x.example.com', 'https://x.example.com'],
    ['{unknown}{email}', 'a@b.c', 'a@b.c'],
  ] as const) {
    assert.equal(fillIn(text, { ...values, firstName: 'Ada' }), named);
    assert.equal(fillIn(text, values), unnamed);
  }
});

it('a link opens the whole letter in the mail program', () => {
  assert.equal(
    mailto({ email: 'a+b&c@x.example.com', subject: 'R&D: 100%', message: 'Hello,\nÄ & B' }),
    'mailto:a%2Bb%26c@x.example.com?subject=R%26D%3A%20100%25&body=Hello%2C%0D%0A%C3%84%20%26%20B',
  );
});

it('the administrator page has the texts of the letters', async () => {
  const { send } = await startService();
  const { text } = await send('GET /svcops', { as: 'administrator' });
  for (const name of ['invitation', 'reminder'])
    assert.match(text, new RegExp(`data-${name}="[^"]+&#123;address}`));
});

// extra: export
it('letters to a list’s guests are a file for mail merge', async () => {
  const { send } = await startService();
  const url = 'GET /api/svcops/invites?q=invitee&format=csv&letters=reminder';
  const { headers, text } = await send(url, { as: 'administrator' });
  assert.match(headers.get('content-disposition') ?? '', /filename="reminders\.csv"/);
  const [heading, letter] = text.split('\r\n');
  assert.equal(heading, '\ufeffemail,firstName,link,subject,message');
  const link = 'http://localhost:3000/#invitee@example.com';
  assert.ok(letter?.startsWith(`invitee@example.com,Ada,${link},`), letter);
});
// end: export

it('a letter that is too long for a mail app is named', () => {
  const short = { title: 'Halden', subject: 'Come', reminderSubject: 'Come', isSample: false };
  const texts = { ...short, publicOrigin: 'https://preview.example.com', reminder: '{address}' };
  assert.deepEqual(warnOfLongLetters({ ...texts, invitation: '{address}' }), []);
  // Each of these letters takes six characters in a link.
  const long = { ...texts, invitation: `${'я'.repeat(330)} {address}` };
  assert.deepEqual(warnOfLongLetters(long), [
    'content.json: invitation: too long to open in a mail app; it can be copied',
  ]);
});
