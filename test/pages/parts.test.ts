/** Numbers as the administrator page shows them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatChange } from '../../pages/svcops/parts.ts';

it('a change is in whole per cent with its sign, and none from nothing', () => {
  for (const [from, to, expected] of [
    [74, 87, '+18%'],
    [200, 100, '-50%'],
    [5, 0, '-100%'],
    [1, 13, '+1,200%'],
    [3, 3, '0%'],
    [1000, 999, '0%'],
    [0, 5, ''],
  ] as const)
    assert.equal(formatChange(from, to), expected);
});
