/** What a program that does not overwrite what it deletes leaves of Ann in a store: an address within another one. */
import fs from 'node:fs';
import { queryOne, withDatabase } from './database.ts';

export const ANN = 'ann@example.com';
export const JOANN = 'joann@example.com';

/** Logins of both, of which every second is deleted again, its bytes not overwritten. */
export function leaveResidue(
  file: string,
  rows: number,
  { padding = '', somebody = ANN }: { readonly padding?: string; readonly somebody?: string } = {},
): void {
  withDatabase(file, (db) => {
    db.pragma('secure_delete = off');
    const insert = db.prepare(
      `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
       values ('login', ?, ?, 's', 'desktop', ?, '')`,
    );
    db.transaction(() => {
      for (let i = 0; i < rows; i += 1) insert.run(i % 3 === 0 ? somebody : JOANN, i, padding);
    })();
    db.exec('delete from events where id % 2 = 0');
  });
}

/** Occurrences of Ann's address in a file that are not part of Joann's. */
export const tracesOfAnn = (file: string): number =>
  fs.readFileSync(file, 'latin1').replaceAll(JOANN, '').split(ANN).length - 1;

/** Rises whenever the whole store is rewritten. */
export const schemaVersion = (file: string) => queryOne(file, 'pragma schema_version');
