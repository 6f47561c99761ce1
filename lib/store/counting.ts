/** Counts the logs into temporary tables of a connection, which end with it: sql/count.sql. */
import fs from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { root } from '../config.ts';
import { messageOf, StoreUnavailable } from './errors.ts';

/** Statements that define tables and a view, then those that count. A blank line follows each. */
const STATEMENTS = fs.readFileSync(path.join(root, 'sql/count.sql'), 'utf8').split(/(?<=;)\n\n/);
const isDefinition = (sql: string): boolean => sql.includes('create temp ');

const RESET_COUNTS = `
  delete from temp.people; delete from temp.days; delete from temp.devices;
  update counted set event = 0, click = 0, deletions = (select number from deletions)`;

/**
 * Makes a function that counts the rows that are new, all of them if rows were deleted. It is called
 * in the transaction that reads the counts.
 *
 * @throws {StoreUnavailable} where the store is damaged or locked; that function alone
 */
export function logCounter(db: Database): () => void {
  db.pragma('temp_store = memory');
  for (const sql of STATEMENTS.filter(isDefinition)) db.exec(sql);
  const count = STATEMENTS.filter((sql) => !isDefinition(sql)).map((sql) => db.prepare(sql));
  const hasDeletions = db
    .prepare<[], 0 | 1>('select deletions is not (select number from deletions) from counted')
    .pluck();
  return () => {
    try {
      if (hasDeletions.get() === 1) db.exec(RESET_COUNTS);
      for (const statement of count) statement.run();
    } catch (error) {
      // A damaged page may also give rows that break a constraint.
      const message = `the rows of ${db.name} cannot be counted: ${messageOf(error)}`;
      throw new StoreUnavailable(message, { cause: error });
    }
  };
}
