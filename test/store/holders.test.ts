/** Which unit of systemd holds a store, for the command that stops it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findOwnUnit } from '../../lib/store/holders.ts';

const UNITS: readonly (readonly [groups: string, unit: string | undefined])[] = [
  ['0::/system.slice/guestlist.service\n', 'guestlist'],
  ['0::/system.slice/guestlist-en.service\n', 'guestlist-en'],
  ['1:name=systemd:/system.slice/guestlist.service\n0::/other\n', 'guestlist'],
  ['0::/system.slice/cron.service\n', undefined],
  ['0::/user.slice/user-0.slice/session-3.scope\n', undefined],
  ['', undefined],
];

for (const [groups, unit] of UNITS)
  it(`the unit of ${JSON.stringify(groups)} is ${unit}`, () =>
    assert.equal(findOwnUnit(groups), unit));
