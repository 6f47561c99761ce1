/** Adds what is counted to the totals. */
import type { Database } from 'better-sqlite3';

/** What the rows of a day add, or those of a person. First and last are by id. */
export type Sum = {
  rows: number;
  views: number;
  readonly firstId: number;
  lastId: number;
  readonly firstAt: number;
  lastAt: number;
  latestAt: number;
};

export type LogName = 'events' | 'project_joins';

/** How a column of a total takes the value of further rows. */
const UPDATES = {
  sum: (column: string) => `${column} + excluded.${column}`,
  first: (column: string) => `ifnull(${column}, excluded.${column})`,
  last: (column: string) => `excluded.${column}`,
  latest: (column: string) => `max(ifnull(${column}, excluded.${column}), excluded.${column})`,
};

export function additions(db: Database) {
  /** By position: first the keys, then the columns. Indexes of other columns are not touched. */
  function upsert(
    table: string,
    keys: readonly string[],
    columns: Readonly<Record<string, keyof typeof UPDATES>>,
  ) {
    const all = [...keys, ...Object.keys(columns)];
    const updates = Object.entries(columns).map(
      ([column, update]) => `${column} = ${UPDATES[update](column)}`,
    );
    return db.prepare<number[]>(
      `insert into ${table} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})
       on conflict do update set ${updates.join(', ')}`,
    );
  }

  const events = { logins: 'sum', timeline_views: 'sum' } as const;
  const clicks = { join_clicks: 'sum' } as const;
  const byDay = ['day', 'person'];
  const dayEvents = upsert('day_totals', ['day'], {
    ...events,
    ...{ first_event: 'first', last_event: 'last' },
  });
  const dayClicks = upsert('day_totals', ['day'], {
    ...clicks,
    ...{ first_join: 'first', last_join: 'last' },
  });
  const personEvents = upsert('activity', ['person'], { ...events, last_seen_at: 'last' });
  const personClicks = upsert('activity', ['person'], {
    ...clicks,
    ...{ first_join_at: 'first', last_join_at: 'last' },
  });
  const personDayEvents = upsert('person_days', byDay, { ...events, last_seen_at: 'latest' });
  const personDayClicks = upsert('person_days', byDay, clicks);

  return {
    events: {
      toDay: (day: number, { rows, views, firstId, lastId }: Sum): unknown =>
        dayEvents.run(day, rows - views, views, firstId, lastId),
      toPerson: (person: number, { rows, views, lastAt }: Sum): unknown =>
        personEvents.run(person, rows - views, views, lastAt),
      toPersonDay: (day: number, person: number, { rows, views, latestAt }: Sum): unknown =>
        personDayEvents.run(day, person, rows - views, views, latestAt),
    },
    project_joins: {
      toDay: (day: number, { rows, firstId, lastId }: Sum): unknown =>
        dayClicks.run(day, rows, firstId, lastId),
      toPerson: (person: number, { rows, firstAt, lastAt }: Sum): unknown =>
        personClicks.run(person, rows, firstAt, lastAt),
      toPersonDay: (day: number, person: number, { rows }: Sum): unknown =>
        personDayClicks.run(day, person, rows),
    },
  };
}
