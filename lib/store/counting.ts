/** Counts the logs into temporary tables, which exist as long as their connection. */
import fs from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { root } from '../config.ts';
import { ACTIVITY_COLUMNS } from '../lists.ts';
import { messageOf, StoreUnavailable } from './errors.ts';

const readSql = (name: string): string => fs.readFileSync(path.join(root, 'sql', name), 'utf8');

const CREATE_TABLES = readSql('count-tables.sql');

/** The statements of the file. A semicolon ends each, and the file has no other semicolon. */
const COUNT = readSql('count.sql')
  .split(';')
  .filter((sql) => sql.trim() !== '');

const RESET = `
  delete from temp.person_totals;
  delete from temp.day_totals;
  delete from temp.device_totals;
  update counted set event = 0, click = 0, deletions = (select number from deletions)`;

/**
 * SQL with a part for each number, separated by commas: `ifnull(logins, 0) as logins, …`
 *
 * @param write makes the part of one number from its field and its column
 */
export const forNumbers = (write: (name: string, column: string) => string): string =>
  Object.entries(ACTIVITY_COLUMNS)
    .map(([name, column]) => write(name, column))
    .join(', ');

/** Creates the tables of sql/count-tables.sql, which `logCounter` fills. */
export function createCountTables(db: Database): void {
  db.pragma('temp_store = memory');
  db.exec(CREATE_TABLES);
}

/**
 * Makes a function that counts the new rows, or all rows if some were deleted. Call it in the
 * transaction that reads the numbers.
 *
 * @param db has the tables of `createCountTables`
 * @returns a function that throws `StoreUnavailable` if the store is damaged or locked
 */
export function logCounter(db: Database): () => void {
  const count = COUNT.map((sql) => db.prepare(sql));
  const hasDeletions = db
    .prepare<[], 0 | 1>('select deletions is not (select number from deletions) from counted')
    .pluck();
  return () => {
    try {
      if (hasDeletions.get() === 1) db.exec(RESET);
      for (const statement of count) statement.run();
    } catch (error) {
      // Rows of a damaged page can also violate a constraint.
      const message = `the rows of ${db.name} cannot be counted: ${messageOf(error)}`;
      throw new StoreUnavailable(message, { cause: error });
    }
  };
}
