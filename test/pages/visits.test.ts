/** A person's activity by visit. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Entry, groupVisits } from '../../pages/svcops/visits.ts';

const MINUTE = 60_000;

const entry = (minute: number, session: string, device = 'phone'): Entry => ({
  kind: device === '' ? 'join' : 'login',
  key: String(minute),
  at: minute * MINUTE,
  what: '',
  session,
  device,
});

it('entries of one session belong to a visit until half an hour without any', () => {
  const visits = groupVisits([
    entry(200, 'b', ''),
    entry(190, 'a'),
    entry(180, 'b', 'desk'),
    entry(160, 'a', ''),
    entry(129, 'a'),
  ]);
  assert.deepEqual(
    visits.map(({ entries, device }) => [device, ...entries.map(({ key }) => key)]),
    [
      ['desk', '200', '180'],
      ['phone', '190', '160'],
      ['phone', '129'],
    ],
  );
  assert.deepEqual(groupVisits([]), []);
});
