/** Counts the logs into temporary tables of a connection, which end with it: sql/count.sql. */
import fs from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { root } from '../config.ts';

const readSql = (name: string): string => fs.readFileSync(path.join(root, 'sql', name), 'utf8');
const TABLES = readSql('counts.sql');
// A blank line follows each statement.
const STATEMENTS = readSql('count.sql').split(/(?<=;)\n\n/);

const TO_BEGINNING = `
  delete from temp.people; delete from temp.days; delete from temp.devices;
  update counted set events = -9223372036854775808, project_joins = -9223372036854775808,
    deletions = (select number from deletions)`;

/**
 * Makes a function that counts the rows that are new, all of them if rows were deleted. It is called
 * in the transaction that reads the counts.
 */
export function logCounter(db: Database): () => void {
  db.pragma('temp_store = memory');
  db.exec(TABLES);
  const statements = STATEMENTS.map((sql) => db.prepare(sql));
  const hasDeletions = db
    .prepare<[], 0 | 1>('select deletions <> (select number from deletions) from counted')
    .pluck();
  return () => {
    if (hasDeletions.get() === 1) db.exec(TO_BEGINNING);
    for (const statement of statements) statement.run();
  };
}
