/** Long exports: one snapshot, read at the pace of the client and only until it disconnects. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { csvReply } from '../../lib/http/reply.ts';
import { exportCsv } from '../../lib/routes/lists/csv-export.ts';
import { countsFile } from '../../lib/store/counting.ts';
import { damagePage } from '../support/database.ts';
import { inject } from '../support/inject.ts';
import { addInvite, recordJoin, recordLogin, recordView } from '../support/rows.ts';
import { serve } from '../support/serve.ts';

/** A list that never ends; it counts how much of it has been read. */
let read = 0;
let readInTurn = 0;
let largest = 0;
function* endless() {
  for (let id = 0; ; id += 1) {
    if (readInTurn === 0)
      setImmediate(() => {
        readInTurn = 0;
      });
    readInTurn += 1;
    largest = Math.max(largest, readInTurn);
    read = id + 1;
    yield { id, text: 'x'.repeat(80) };
  }
}

let open = 0;
const reads = new EventEmitter();
const store = {
  async beginRead() {
    open += 1;
    const close = () => {
      open -= 1;
      reads.emit('close');
    };
    return { close };
  },
  synced: async () => {},
};
const lines = () => exportCsv(store, ['id', 'text'], endless);
const { origin } = await serve(async () => csvReply('endless.csv', await lines()));

/** Starts an export, and reads nothing of it yet. */
async function start(): Promise<http.IncomingMessage> {
  read = 0;
  const [response] = await once(http.get(origin, { agent: false }), 'response');
  return response;
}

/** Disconnects, and waits until the store is read no more. */
async function leave(response: http.IncomingMessage): Promise<void> {
  const closed = once(reads, 'close');
  response.destroy();
  await closed;
  assert.equal(open, 0);
}

/** Resolves when nothing has been read for 100 turns of the event loop. */
async function standstill(): Promise<number> {
  let former = -1;
  for (let turns = 0; turns < 100; turns = former === read ? turns + 1 : 0) {
    former = read;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return read;
}

it('an export stops reading the store while its client reads nothing, and when it leaves', async () => {
  const response = await start();
  const waiting = await standstill();
  assert.ok(waiting > 0 && waiting < 200_000, `read ${waiting} rows ahead`);
  response.resume();
  while (read < waiting * 3) await once(response, 'data');
  assert.ok(largest <= 25, 'rows read in one turn');
  await leave(response);
});

describe('an export of a list that changes', async () => {
  const { ask, file, store } = await inject();
  const byHand = new Database(file);
  after(() => void byHand.close());

  const PEOPLE = 1203;
  const emailOf = (i: number) => `p${i}@example.com`;
  let time = Date.UTC(2026, 2, 1);

  /** Each of these people logs in, views and presses. */
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

  async function rest(lines: AsyncIterator<string | Uint8Array>): Promise<string> {
    let text = '';
    for (let next = await lines.next(); !next.done; next = await lines.next()) text += next.value;
    return text;
  }

  it('has every row, over many pages', async () => {
    const [, ...lines] = (await rest(await begin('invites?order=asc'))).trimEnd().split('\r\n');
    const everybody = Array.from({ length: PEOPLE }, (_, i) => emailOf(i));
    for (const name of ['administrator', 'invitee']) everybody.push(`${name}@example.com`);
    assert.deepEqual(lines.map((line) => line.split(',')[0]).sort(), everybody.sort());
  });

  const LISTS = {
    'people, in a changing order': 'invites?sort=lastSeenAt&status=joined&q=example',
    'people, by their logins': 'invites?sort=logins&order=asc',
    joiners: 'joins?of=summary',
    clicks: 'joins?of=clicks',
    events: 'events?type=login',
    'events of a day': 'events?from=2026-03-01&to=2026-03-01',
    'people who joined on a day': 'joins?of=summary&from=2026-03-01&to=2026-03-01',
    'people by status and day': 'invites?sort=status&status=joined&from=2026-03-01',
  };
  for (const [round, [what, list]] of Object.entries(LISTS).entries())
    it(`has all ${what}, each once, as they were when it began`, async () => {
      const expected = await rest(await begin(list));
      const lines = await begin(list);
      let found = '';
      for (let page = 0; page < 2; page++) found += (await lines.next()).value;
      // Of the last people in the list, some come again and some are removed. New ones come.
      const oldest = Array.from({ length: 60 }, (_, i) => 60 * round + i);
      await come([...oldest.slice(9), time, time + 1]);
      const removed = oldest.slice(0, 9).map((i) => `'${emailOf(i)}'`);
      for (const table of ['invites', 'project_joins', 'events'])
        byHand.exec(`delete from ${table} where email in (${removed})`);
      found += await rest(lines);
      assert.equal(found, expected);
    });

  it('is refused while four others run for 5 s; HEAD begins none', async (t) => {
    const running = await Promise.all([1, 2, 3, 4].map(() => begin('events?')));
    let now = performance.now();
    t.mock.method(performance, 'now', () => (now += 1000));
    const fifth = () => ask('GET /api/svcops/events?format=csv', { as: 'administrator' });
    const { status, headers } = await fifth();
    assert.deepEqual([status, headers.includes('Retry-After')], [503, true]);
    assert.equal(
      (await ask('HEAD /api/svcops/events?format=csv', { as: 'administrator' })).status,
      200,
    );
    await running[0]?.return?.();
    const { body } = await fifth();
    assert.ok(typeof body !== 'string' && !(body instanceof Uint8Array));
    await body[Symbol.asyncIterator]().return?.();
    for (const each of running) await each.return?.();
  });

  it('allows a checkpoint of the WAL as soon as it ends', async () => {
    const isHeld = () => byHand.pragma('wal_checkpoint(truncate)', { simple: true }) === 1;
    byHand.pragma('busy_timeout = 0');
    const lines = await begin('events?');
    await lines.next();
    await come([1]);
    assert.equal(isHeld(), true);
    await lines.return?.();
    assert.equal(isHeld(), false);
    await rest(await begin('events?'));
    assert.equal(isHeld(), false);
  });
});

it('an export that finds counted.db damaged is cut, and the next one is whole', async (t) => {
  t.mock.method(console, 'error', () => undefined);
  const { file, send } = await inject();
  const get = (line: string) => send(`GET /api/svcops/${line}`, { as: 'administrator' });
  await send('POST /auth/login', { json: { email: 'invitee@example.com' } });
  assert.equal((await get('stats')).status, 200);
  damagePage(countsFile(file), 'people');
  const people = 'invites?did=login&format=csv';
  await assert.rejects(get(people), { code: 'SQLITE_CORRUPT' });
  assert.match((await get(people)).text, /invitee@example\.com/);
});
