/** Letters, and the doubt about domains that are probably misspelt. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { meantDomain } from '../lib/addresses/address.ts';
import { fillIn, mailto } from '../lib/addresses/letters.ts';

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

it('a domain one slip away from a large mail service is doubted', () => {
  const slips = 'gmial.com gmai.com ggmail.com gmail.con gmail.co hmail.com mgail.com';
  for (const domain of slips.split(' '))
    assert.equal(meantDomain(`ada@${domain}`), 'gmail.com', domain);
  assert.equal(meantDomain('ada@hotmial.com'), 'hotmail.com');
  assert.equal(meantDomain('ada@outlok.de'), 'outlook.de');
});

it('other domains are not doubted', () => {
  // Of large services, too, and close to others.
  const sound = 'gmail.com mail.com email.com hotmail.de gmx.de example.com gmail.com.example.com';
  for (const domain of [...sound.split(' '), 'gmmial.com', ''])
    assert.equal(meantDomain(`ada@${domain}`), undefined, domain);
});
