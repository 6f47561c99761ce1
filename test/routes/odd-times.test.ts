/** A time that no calendar has, written by another program in nanoseconds, say: one row never costs a whole list. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { logIn, send } from '../support/client.ts';
import { install } from '../support/installation.ts';

const ADA = 'ada@example.com';
const ODD = 9_000_000_000_000_000;

const site = install();
site.invite(ADA);
site.setAdmin(ADA);
const db = new Database(site.store);
db.prepare('insert into project_joins values (1, ?, ?, ?)').run(ADA, 's', ODD);
db.close();
const server = await site.start();
const cookie = await logIn(server.origin, ADA);
after(() => site.remove());

for (const of of ['summary', 'clicks'])
  test(`the CSV export of ${of} has it as it is`, async () => {
    const answer = await send(server.origin, `GET /api/svcops/joins?format=csv&of=${of}`, {
      cookie,
    });
    assert.match(answer.text, new RegExp(`${ADA}.*,${ODD}\r\n$`));
  });

for (const command of ['summary', 'list'])
  test(`joins ${command} shows it as it is`, () => {
    const { status, stdout, stderr } = site.tool('joins', command);
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`${ADA}.* ${ODD}\n$`));
  });
