/** Texts that an administrator sends, with and without a first name. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fillIn, mailbox } from '../../pages/svcops/letters.ts';

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

it('a name and an address are written as mail programs read them', () => {
  for (const [firstName, expected] of [
    [null, 'a@b.c'],
    ['Zoë Ann', 'Zoë Ann <a@b.c>'],
    ['Ada "the" 1.', '"Ada \\"the\\" 1." <a@b.c>'],
  ] as const)
    assert.equal(mailbox({ email: 'a@b.c', firstName }), expected);
});
