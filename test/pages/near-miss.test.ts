/** Domains that are probably misspelt. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { meantDomain } from '../../pages/svcops/near-miss.ts';

it('a domain one slip away from a large mail service is doubted', () => {
  for (const domain of 'gmial.com gmai.com ggmail.com gmail.con gmail.co hmail.com mgail.com'.split(
    ' ',
  ))
    assert.equal(meantDomain(`ada@${domain}`), 'gmail.com', domain);
  assert.equal(meantDomain('ada@hotmial.com'), 'hotmail.com');
  assert.equal(meantDomain('ada@outlok.de'), 'outlook.de');
});

it('other domains are not doubted', () => {
  for (const domain of [
    'gmail.com',
    // Large services that are close to others.
    'mail.com',
    'email.com',
    'hotmail.de',
    'gmx.de',
    'example.com',
    'gmail.com.example.com',
    'gmmial.com',
    '',
  ])
    assert.equal(meantDomain(`ada@${domain}`), undefined, domain);
});
