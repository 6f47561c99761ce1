/** Who logged in, viewed or joined in a period. */
import type { Database } from 'better-sqlite3';
import type { PeopleCounts } from '../records.ts';
import type { Sliced } from './counted-reads.ts';
import { requireRow } from './paging.ts';
import type { Period } from './period.ts';

/** What people do, and the column of its number; `last_login_at` has the time of the last login. */
export const ACTS = { login: 'logins', view: 'timeline_views', join: 'join_clicks' } as const;

export type Act = keyof typeof ACTS;

export const ALL_ACTS = Object.keys(ACTS) as readonly Act[];

/** How long a slice reads, in ms. */
const SLICE = 5;

export function actReader(db: Database) {
  const dataAfter = db
    .prepare<[Period], 0 | 1>('select exists (select 1 from days where day > @to)')
    .pluck();
  const lastId = db.prepare<[], number | null>('select max(id) from people').pluck();
  const daysOf = db
    .prepare<[Period], number>('select day from days where day between @from and @to')
    .pluck();
  // Each as one integer: the person's id, then a bit for each act. As JSON, because rows take twice
  // as long.
  const bits = (sums: readonly string[]) =>
    sums.map((did, i) => `(${did}) * ${1 << i}`).join(' + ');
  const actsOfDay = db
    .prepare<[number], string>(
      `select json_group_array(person * 8 + ${bits(ALL_ACTS.map((act) => `${ACTS[act]} > 0`))})
       from person_days where day = ?`,
    )
    .pluck();
  const actsSince = db
    .prepare<[Period], string>(
      `select json_group_array(id * 8 + ${bits(
        ALL_ACTS.map((act) => `ifnull(last_${act}_at >= @from * 86400000, 0)`),
      )}) from people`,
    )
    .pluck();

  /** What each person did in a period: the bits of the acts, by the person's id. */
  function* bitsIn(period: Period): Sliced<Uint8Array> {
    const did = new Uint8Array((lastId.get() ?? 0) + 1);
    const add = (json: string | undefined) => {
      for (const each of JSON.parse(requireRow(json)))
        did[each >> 3] = (did[each >> 3] ?? 0) | (each & 7);
    };
    // Without data after the period, the last acts tell.
    if (dataAfter.get(period) === 0) add(actsSince.get(period));
    else {
      let begun = performance.now();
      for (const day of daysOf.all(period)) {
        add(actsOfDay.get(day));
        if (performance.now() < begun + SLICE) continue;
        yield;
        begun = performance.now();
      }
    }
    return did;
  }

  /** How many different people did each act in a period. */
  function* count(period: Period): Sliced<PeopleCounts> {
    const bits = yield* bitsIn(period);
    const withBit = (i: number) => bits.reduce((sum, did) => sum + ((did >> i) & 1), 0);
    return { loggedIn: withBit(0), viewed: withBit(1), joined: withBit(2) };
  }

  /** The ids of the people who did an act in a period. */
  function* idsIn(act: Act, period: Period): Sliced<readonly number[]> {
    const bit = 1 << ALL_ACTS.indexOf(act);
    return Array.from(yield* bitsIn(period)).flatMap((did, id) => (did & bit ? id : []));
  }

  return { count, idsIn };
}
