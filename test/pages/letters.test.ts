/** Texts that an administrator sends, with and without a first name. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fillIn, mailbox, mailto, mergeFile } from '../../pages/svcops/letters.ts';

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

it('a letter to many has neither a name nor an address in it', () => {
  for (const [text, expected] of [
    ['Log in with this address, {email}. Thanks', 'Log in with this address. Thanks'],
    ['Melden Sie sich an: {email}.', 'Melden Sie sich an.'],
    ['Hello {firstName},\n{address}', 'Hello,\nhttps://x.example.com'],
  ] as const)
    assert.equal(fillIn(text, { ...values, email: '' }), expected);
});

it('a link opens the whole letter in the mail program', () => {
  assert.equal(
    mailto('a+b&c@x.example.com', 'R&D: 100%', 'Hello,\nÄ & B'),
    'mailto:a%2Bb%26c@x.example.com?subject=R%26D%3A%20100%25&body=Hello%2C%0D%0A%C3%84%20%26%20B',
  );
});

it('the file of a mail merge has a letter for each person, safe for spreadsheets', () => {
  const people = [
    { email: 'a@b.c', firstName: 'Ada' },
    { email: 'b@b.c', firstName: '=1+1' },
    { email: 'c@b.c', firstName: null },
  ];
  const file = mergeFile(people, ({ firstName }) => `Hello ${firstName ?? 'you'},\n"Hi".`);
  assert.deepEqual(file.split('\r\n'), [
    '\uFEFFemail,firstName,message',
    'a@b.c,Ada,"Hello Ada,\n""Hi""."',
    `b@b.c,'=1+1,"Hello =1+1,\n""Hi""."`,
    'c@b.c,,"Hello you,\n""Hi""."',
    '',
  ]);
});

it('a name and an address are written as mail programs read them', () => {
  for (const [firstName, expected] of [
    [null, 'a@b.c'],
    ['Zoë Ann', 'Zoë Ann <a@b.c>'],
    ['Ada "the" 1.', '"Ada \\"the\\" 1." <a@b.c>'],
  ] as const)
    assert.equal(mailbox({ email: 'a@b.c', firstName }), expected);
});
