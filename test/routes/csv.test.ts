/** Exports: read page by page at the pace of the client, with every row that was there at the beginning. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { inject } from '../support/inject.ts';
import { addInvite, recordJoin, recordLogin, recordView } from '../support/rows.ts';

const PEOPLE = 1203;
const emailOf = (i: number) => `p${i}@example.com`;

describe('an export of a list that changes', async () => {
  const { ask, file, store } = await inject();
  const byHand = new Database(file);
  after(() => void byHand.close());
  let time = Date.UTC(2026, 2, 1);

  /** Each of these people logs in, views and joins. */
  const come = (numbers: readonly number[]) =>
    store.write((writer) => {
      for (const i of numbers) {
        time += 1;
        addInvite(writer, emailOf(i), { invitedAt: time });
        for (const record of [recordLogin, recordView, recordJoin])
          record(writer, emailOf(i), time);
      }
    });

  before(() => come(Array.from({ length: PEOPLE }, (_, i) => i)));

  async function begin(list: string): Promise<AsyncIterator<string | Uint8Array>> {
    const { body } = await ask(`GET /api/svcops/${list}&format=csv`, { as: 'administrator' });
    assert.ok(typeof body !== 'string' && !(body instanceof Uint8Array));
    return body[Symbol.asyncIterator]();
  }

  /** The first cells of all lines. @param change called before each page */
  async function keysOf(list: string, change: (page: number) => unknown = () => undefined) {
    const parts = await begin(list);
    let text = '';
    for (let page = 0; ; page += 1) {
      const { done, value } = await parts.next();
      if (done)
        return text
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[0]);
      text += value;
      await change(page);
    }
  }

  const LISTS = [
    'invites?sort=lastSeenAt&status=joined&q=example',
    'invites?sort=logins&order=asc',
    'invites?did=login&from=2026-03-01',
    'joins?of=summary',
    'joins?of=summary&from=2026-03-01&to=2026-03-01',
    'joins?of=clicks',
    'events?type=login',
    'events?from=2026-03-01&to=2026-03-01',
    'changes?',
  ];
  for (const [round, list] of LISTS.entries())
    it(`has each row of ${list} that was there at its beginning once, without those deleted`, async () => {
      const expected = await keysOf(list);
      assert.ok(expected.length > 1000);
      const of = (page: number) => Array.from({ length: 20 }, (_, i) => 60 * round + 20 * page + i);
      const removed = new Set<string>();
      const found = await keysOf(list, async (page) => {
        // Some come again, and new ones come. Some are removed.
        await come([...of(page), time, time + 1]);
        const emails = of(page).slice(0, 5).map(emailOf);
        const select = 'select value from json_each(?)';
        for (const log of ['events', 'project_joins']) {
          const ids = byHand.prepare<[string], number>(
            `select id from ${log} where email in (${select})`,
          );
          for (const id of ids.pluck().all(JSON.stringify(emails))) removed.add(String(id));
        }
        for (const table of ['invites', 'project_joins', 'events'])
          byHand
            .prepare(`delete from ${table} where email in (${select})`)
            .run(JSON.stringify(emails));
        for (const email of emails) removed.add(email);
      });
      assert.equal(new Set(found).size, found.length, 'no row twice');
      const isExpected = new Set(expected);
      for (const key of found) assert.ok(isExpected.has(key ?? ''), key);
      const missing = expected.filter((key) => !found.includes(key));
      if (list !== 'changes?') for (const key of missing) assert.ok(removed.has(key ?? ''), key);
      else assert.deepEqual(missing, []);
    });

  it('lets other requests be answered between its pages, and stops when its client leaves', async () => {
    const parts = await begin('events?');
    await parts.next();
    const next = parts.next();
    const turn = setImmediate('a turn of the event loop');
    assert.ok(await Promise.race([next, turn]));
    await parts.return?.();
    assert.equal((await parts.next()).done, true);
  });

  it('of HEAD has no body, and of a store that cannot be read is 503', async (t) => {
    const line = '/api/svcops/events?format=csv';
    assert.equal((await ask(`HEAD ${line}`, { as: 'administrator' })).status, 200);
    t.mock.method(console, 'error', () => undefined);
    t.mock.method(store, 'read', () => Promise.reject(new Error('a fault')));
    assert.equal((await ask(`GET ${line}`, { as: 'administrator' })).status, 500);
  });
});
