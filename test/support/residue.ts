/** Traces of Ann in a store, left by a program without `secure_delete`. `JOANN` contains `ANN`. */
import fs from 'node:fs';
import { queryOne, withDatabase } from './database.ts';

export const ANN = 'ann@example.com';
export const JOANN = 'joann@example.com';

/** Adds logins of both, and deletes every second one without overwriting its bytes. */
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

/** How often Ann's address is in a file, except as a part of Joann's. */
export const tracesOfAnn = (file: string): number =>
  fs.readFileSync(file, 'latin1').replaceAll(JOANN, '').split(ANN).length - 1;

/** Increases when the whole store is rewritten. */
export const schemaVersion = (file: string) => queryOne(file, 'pragma schema_version');
