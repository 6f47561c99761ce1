/** A person who is erased is gone from the bytes of the store, too. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { forgetPerson } from '../../lib/store/forget.ts';
import { openStoreFile } from '../../lib/store/open.ts';
import { invite, temporaryFolder } from '../service.ts';

test('leaves no byte of an address that SQLite copied when it split a page', () => {
  const file = path.join(temporaryFolder(), 'guestlist.db');
  const filled = openStoreFile(file);
  const emails: string[] = [];
  // In mixed order, so that pages are split.
  for (let i = 0; i < 3000; i += 1) emails.push(`${10_000 + ((i * 7919) % 10_007)}@example.com`);
  filled.transaction(() => {
    for (const email of emails) invite(filled, email);
  })();
  filled.close();

  const occurrences = (email: string) => fs.readFileSync(file, 'latin1').split(email).length - 1;
  // One in the table and one in its index.
  const copied = emails.find((email) => occurrences(email) > 2);
  assert.ok(copied, 'SQLite left a copy');

  const db = openStoreFile(file);
  assert.deepEqual(forgetPerson(db, copied), { rows: 1, guests: 0 });
  db.close();
  assert.equal(occurrences(copied), 0);
});
