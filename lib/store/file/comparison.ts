/** The changes that a restore makes, by person. */
import { isBusy } from '../errors.ts';
import { ERASED } from '../rows/personal-data.ts';
import Database from './sqlite.ts';

export type Difference = {
  readonly email: string;
  readonly what: keyof typeof ROWS;
  /** Rows that only the snapshot has. */
  readonly returns: number;
  /** Rows that only the store has. */
  readonly loses: number;
};

/** Tables, or parts of them, and the columns that identify a row. */
const ROWS = {
  invites: { table: 'invites', key: ['email'], where: 'true' },
  administrators: { table: 'invites', key: ['email', 'is_admin'], where: 'is_admin = 1' },
  sessions: { table: 'sessions', key: ['id'], where: 'expires_at > @now' },
  events: { table: 'events', key: ['id', 'email', 'occurred_at'], where: 'true' },
  'join clicks': { table: 'project_joins', key: ['id', 'email', 'clicked_at'], where: 'true' },
} as const;

type Rows = (typeof ROWS)[keyof typeof ROWS];

const onlyIn = (side: string, other: string, { table, key, where }: Rows): string =>
  `${side}.${table} as own where ${where} and not exists (select 1 from ${other}.${table} as other
     where ${key.map((column) => `other.${column} = own.${column}`).join(' and ')})`;

const DIFFERENCES = Object.entries(ROWS)
  .flatMap(([what, rows]) => [
    `select email, '${what}' as what, 1 as returns, 0 as loses from ${onlyIn('main', 'replaced', rows)}`,
    `select email, '${what}', 0, 1 from ${onlyIn('replaced', 'main', rows)}`,
  ])
  .join(' union all ');

const SAME = 'other.id = own.id and other.at = own.at and other.what = own.what';

/** Adds the changes that the draft lacks, and erases the addresses that have been erased since. */
const KEEP_CHANGES = `
  update main.changes as own set
    email = iif(other.email = '${ERASED}', '${ERASED}', own.email),
    author = iif(other.author = '${ERASED}', '${ERASED}', own.author)
    from replaced.changes as other where ${SAME} and '${ERASED}' in (other.email, other.author);
  insert into main.changes (at, author, via, what, email, detail)
    select at, author, via, what, email, detail from replaced.changes as own
    where not exists (select 1 from main.changes as other where ${SAME}) order by id`;

/**
 * Compares a snapshot's draft with the store that it replaces. Deletes the draft's sessions of
 * people without an invite in the store.
 *
 * @param db the draft, with the schema of this code
 * @returns `undefined` if the store cannot be read; then all sessions are deleted
 */
export function compare(db: Database.Database, store: string): readonly Difference[] | undefined {
  try {
    db.prepare('attach ? as replaced').run(store);
    db.exec('delete from sessions where email not in (select email from replaced.invites)');
    // The log of changes is never taken back.
    if (db.prepare("select 1 from replaced.sqlite_schema where name = 'changes'").get())
      db.exec(KEEP_CHANGES);
    return db
      .prepare<{ now: number }, Difference>(
        `select email, what, sum(returns) as returns, sum(loses) as loses
         from (${DIFFERENCES}) group by email, what order by email, what`,
      )
      .all({ now: Date.now() });
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || isBusy(error)) throw error;
    db.exec('delete from main.sessions');
    return undefined;
  }
}
