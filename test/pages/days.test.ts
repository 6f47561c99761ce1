/** Days of the administrator page, and their grouping for the chart. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  addDays,
  columnsOf,
  countDays,
  groupDays,
  isDay,
  lastWhole,
  unitFor,
} from '../../pages/svcops/days.ts';

const day = (name: string) => ({ day: name, logins: 1, timelineViews: 2, joinClicks: 3 });

it('knows which days exist, and counts them', () => {
  const days = ['2028-02-29', '2027-02-29', '2026-02-31', '2026-13-01', '2026-1-1', ''];
  assert.deepEqual(days.map(isDay), [true, false, false, false, false, false]);
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
    assert.deepEqual(
      groups.map(({ day }) => day),
      starts,
    );
    assert.equal(groups.at(-1)?.last, '2026-12-06');
    assert.equal(
      groups.reduce((sum, { joinClicks }) => sum + joinClicks, 0),
      120,
    );
  }
});

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
