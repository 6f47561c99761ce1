/**
 * Exports are read page by page, as fast as the client reads. They have every row that existed at
 * the beginning.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, it } from 'node:test';
import Database from 'better-sqlite3';
import { exportCsv } from '../../../lib/extras/export/csv-export.ts';
import { NOT_FOUND } from '../../../lib/http/reply.ts';
import { addInvite, recordJoin, recordLogin, recordView } from '../../support/rows.ts';
import { startService } from '../../support/service.ts';

const { replyTo, beginSession, file, invite, send, store } = await startService();
const byHand = new Database(file);
after(() => void byHand.close());
let time = Date.UTC(2026, 2, 1);

/** Each of these people logs in, views and joins. */
const recordPeople = (numbers: readonly number[]) =>
  store.write((writer) => {
    for (const i of numbers) {
      time += 1;
      addInvite(writer, `p${i}@example.com`, { invitedAt: time });
      for (const record of [recordLogin, recordView, recordJoin])
        record(writer, `p${i}@example.com`, time);
    }
  });

before(() => recordPeople(Array.from({ length: 1203 }, (_, i) => i)));

async function beginExport(
  list: string,
  by: Parameters<typeof replyTo>[1] = { as: 'administrator' },
): Promise<AsyncIterator<string | Uint8Array>> {
  const { body } = await replyTo(`GET /api/svcops/${list}&format=csv`, by);
  assert.ok(typeof body !== 'string' && !(body instanceof Uint8Array));
  return body[Symbol.asyncIterator]();
}

/** The first cells of all lines. @param change called after each page */
async function keysOf(list: string, change: (page: number) => unknown = () => undefined) {
  const parts = await beginExport(list);
  let text = '';
  for (let page = 0; ; page += 1) {
    const { done, value } = await parts.next();
    if (done) return [...text.matchAll(/^([^,\r\n]+),.*\r$/gm)].map(([, key]) => key).slice(1);
    text += value;
    await change(page);
  }
}

const LISTS = [
  'invites?sort=lastSeenAt&status=joined&q=example',
  'invites?did=login&from=2026-03-01',
  'joins?of=summary',
  'joins?of=clicks',
  'joins?of=clicks&from=2026-03-01',
  'events?from=2026-03-01&to=2026-03-01',
  'changes?',
];
for (const [round, list] of LISTS.entries())
  it(`an export has each row of ${list} once, without those deleted meanwhile`, async () => {
    const expected = await keysOf(list);
    assert.ok(expected.length > 1000);
    const found = await keysOf(list, async (page) => {
      // While the list is read, some guests come again, new ones come, and some are removed.
      const known = Array.from({ length: 20 }, (_, i) => 60 * round + 20 * page + i);
      await recordPeople([...known, time, time + 1]);
      const emails = known.slice(0, 5).map((i) => `'p${i}@example.com'`);
      for (const table of ['invites', 'project_joins', 'events'])
        byHand.exec(`delete from ${table} where email in (${emails})`);
    });
    const left = new Set(await keysOf(list));
    assert.equal(new Set(found).size, found.length, 'no row twice');
    assert.deepEqual(
      found.filter((key) => !expected.includes(key)),
      [],
    );
    assert.deepEqual(
      expected.filter((key) => left.has(key) && !found.includes(key)),
      [],
    );
  });

for (const list of LISTS)
  it(`the event loop turns between two parts of ${list}`, async () => {
    const parts = await beginExport(list);
    let turns = 0;
    let handle = setImmediate(function count() {
      turns += 1;
      handle = setImmediate(count);
    });
    const turnsAtPart: number[] = [];
    while (!(await parts.next()).done) turnsAtPart.push(turns);
    clearImmediate(handle);
    // The heading and the first part are read at once.
    const later = turnsAtPart.slice(1);
    assert.ok(later.length > 1);
    assert.equal(new Set(later).size, later.length, `${turnsAtPart} turns`);
  });

it('an export stops when its client leaves', async () => {
  const parts = await beginExport('events?');
  await parts.next();
  await parts.return?.();
  assert.equal((await parts.next()).done, true);
});

for (const query of ['joins?format=csv&of=x', 'invites?format=xml', 'events?format='])
  it(`an export with an invalid query is refused: ${query}`, async () => {
    const { status, text } = await send(`GET /api/svcops/${query}`, { as: 'administrator' });
    assert.deepEqual([status, text], [400, '{"error":"invalid_query"}']);
  });

it('if the store cannot be read, the reply is an error, not a file', async (t) => {
  t.mock.method(console, 'error', () => undefined);
  t.mock.method(store, 'read', () => Promise.reject(new Error('a fault')));
  const line = 'GET /api/svcops/events?format=csv';
  assert.equal((await replyTo(line, { as: 'administrator' })).status, 500);
});

/** How an administrator loses access during an export: the name of a change, and the change. */
const ENDS = {
  'no longer an administrator': "update invites set is_admin = 0 where email = 'eve@example.com'",
  'no longer invited': "delete from invites where email = 'eve@example.com'",
  'logged out': "delete from sessions where email = 'eve@example.com'",
  'logged in for more than 30 days':
    "update sessions set expires_at = 1 where email = 'eve@example.com'",
} as const;
const EXPORTS = [
  ...LISTS,
  'invites?letters=invitation', // extra: letters
];
for (const [what, sql] of Object.entries(ENDS))
  it(`is cut before its next page for a visitor who is ${what}`, async () => {
    for (const list of EXPORTS) {
      await invite(['eve']);
      await store.write(({ invites }) => invites.setAdmin('eve@example.com', true));
      const parts = await beginExport(list, { cookie: await beginSession('eve') });
      const heading = await parts.next();
      const page = await parts.next();
      assert.ok(!heading.done && !page.done);
      byHand.exec(sql);
      await assert.rejects(parts.next(), {
        name: 'Error',
        message: /^[a-z-]+\.csv was cut: the client is no longer an administrator$/,
      });
      assert.equal((await parts.next()).done, true);
    }
  });

it('an export does not begin after its visitor lost the flag', async () => {
  const visitor = { id: 'ended', email: 'eve@example.com', firstName: null, isAdmin: true };
  const request = { method: 'GET', path: '/', query: '', headers: {}, peer: '' };
  const given = {
    request: { ...request, body: Readable.from([]) },
    visitor,
    replyWithoutSession: () => NOT_FOUND,
  };
  const readNothing = () => ({ rows: [], next: null });
  assert.equal(await exportCsv(store, given, 'events', ['id'], readNothing), NOT_FOUND);
});
