/** Fills a store with a year of activity. */
import Database from 'better-sqlite3';

const YEAR = 365 * 86_400_000;

/**
 * Inserts events and people, and a join click for each ten events. Four fifths of the people log
 * in, some far more often than others.
 */
export function fill(file: string, events: number, people: number): void {
  const numbers = (n: number) =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${n})`;
  const time = (n: number) => `${Date.now() - YEAR} + cast(${YEAR / n} * i as integer)`;
  // Pseudo-random: multiplied by a prime, modulo 2^32. Squared, it favours small numbers.
  const random = '(i * 2654435761) % 4294967296 / 4294967296.0';
  const person = `'person' || cast(power(${random}, 2) * ${people * 0.8} as integer) || '@example.com'`;
  const db = new Database(file);
  db.pragma('synchronous = off');
  db.pragma('cache_size = -400000');
  db.exec(`begin;
    ${numbers(people)} insert into invites (email, first_name, invited_by, invited_at)
      select 'person' || i || '@example.com', json_extract('["Ada", "Grace", "Mary", "Zoë"]', '$[' || (i % 4) || ']'), 'cli', ${time(people)} from n;
    ${numbers(events)}
    insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
      select iif(i % 4 = 0, 'login', 'timeline_view'), ${person}, ${time(events)},
        printf('%022d', i / 5), 'desktop', iif(i % 5 = 0, 'Linux', 'Windows'), 'Chrome',
        iif(i % 4 = 0, null, '{"view":"desktop","forced":false}')
      from n;
    ${numbers(events / 10)} insert into project_joins (email, session_id, clicked_at)
      select ${person}, printf('%022d', i), ${time(events / 10)} from n;
    commit;`);
  db.close();
}
