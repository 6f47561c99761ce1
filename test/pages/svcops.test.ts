/** The modules of the administrator page that need no browser. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { meantDomain } from '../../lib/addresses/address.ts';
import { fillIn, mailto } from '../../lib/addresses/letters.ts';
import {
  addDays,
  columnsOf,
  countDays,
  groupDays,
  lastWhole,
  unitFor,
} from '../../pages/svcops/days.ts';

const day = (name: string) => ({ day: name, logins: 1, timelineViews: 2, joinClicks: 3 });

it('counts days', () => {
  assert.equal(addDays('2026-03-01', -1), '2026-02-28');
  assert.equal(countDays('2026-02-28', '2026-03-01'), 2);
  assert.equal(countDays('2026-03-01', '2026-02-28'), 0);
});

it('knows the last whole week and month before a day', () => {
  for (const [today, week, month] of [
    // A Sunday, whose week is not over, and the Monday after it.
    ['2026-11-22', ['2026-11-09', '2026-11-15'], ['2026-10-01', '2026-10-31']],
    ['2026-11-23', ['2026-11-16', '2026-11-22'], ['2026-10-01', '2026-10-31']],
    ['2028-03-01', ['2028-02-21', '2028-02-27'], ['2028-02-01', '2028-02-29']],
    ['2026-01-04', ['2025-12-22', '2025-12-28'], ['2025-12-01', '2025-12-31']],
  ] as const) {
    assert.deepEqual(Object.values(lastWhole('week', today)), week);
    assert.deepEqual(Object.values(lastWhole('month', today)), month);
  }
});

it('draws long periods by week or month, with every day once', () => {
  assert.deepEqual([90, 365, 3660].map(unitFor), ['day', 'week', 'month']);
  const days = Array.from({ length: 40 }, (_, i) => day(addDays('2026-10-28', i)));
  for (const [unit, starts] of [
    ['day', days.map(({ day }) => day)],
    // 28 October 2026 is a Wednesday.
    ['week', ['10-28', '11-02', '11-09', '11-16', '11-23', '11-30'].map((at) => `2026-${at}`)],
    ['month', ['2026-10-28', '2026-11-01', '2026-12-01']],
  ] as const) {
    const groups = groupDays(days, unit);
    const found = groups.map(({ day }) => day);
    assert.deepEqual(found, starts);
    assert.equal(groups.at(-1)?.last, '2026-12-06');
    const clicks = groups.reduce((sum, { joinClicks }) => sum + joinClicks, 0);
    assert.equal(clicks, 3 * days.length);
  }
});

const values = { firstName: '', title: 'Aurora', address: 'https://x.example.com', email: 'a@b.c' };

it('draws the views up to today apart from those of days that are over', () => {
  const today = new Date().toISOString().slice(0, 10);
  const days = [-2, -1, 0].map((ago) => day(addDays(today, ago)));
  const viewsOf = (shown: typeof days) => columnsOf(groupDays(shown, 'day')).slice(1, 3);
  assert.deepEqual(viewsOf(days), [
    [2, 2, null],
    [null, 2, 2],
  ]);
  assert.deepEqual(viewsOf(days.slice(0, 2)), [
    [2, 2],
    [null, null],
  ]);
});

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
