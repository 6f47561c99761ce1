/** Long exports: one snapshot, read at the pace of the client and only until it disconnects. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { answerRequests } from '../../../lib/http/listener.ts';
import { csvFile } from '../../../lib/http/reply.ts';
import { csvLines } from '../../../lib/routes/lists/csv.ts';
import { svcops } from '../../../lib/routes/svcops.ts';
import { openServerStore } from '../../../lib/store/open.ts';
import { temporaryFolder } from '../../support/site.ts';

/** A list that never ends; it counts how much of it has been read. */
let read = 0;
let readInTurn = 0;
let largest = 0;
const nextTurn = (): void => {
  readInTurn = 0;
};
function* endless() {
  for (let id = 0; ; id += 1) {
    if (readInTurn === 0) setImmediate(nextTurn);
    readInTurn += 1;
    largest = Math.max(largest, readInTurn);
    read = id + 1;
    yield { id, text: 'x'.repeat(80) };
  }
}

const transaction = { close() {} };
const lines = () =>
  csvLines(
    ['id', 'text'],
    () => transaction,
    endless,
    async () => {},
  );
const server = http.createServer();
answerRequests(server, () => csvFile('endless.csv', lines()), []);
let port: number;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = Number((server.address() as { port: number }).port);
});
after(() => void server.close());

/** Starts an export, and reads nothing of it yet. */
async function start(): Promise<http.IncomingMessage> {
  read = 0;
  const request = http.get({ port, host: '127.0.0.1', agent: false });
  const [response] = await once(request, 'response');
  return response;
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

describe('an export', () => {
  it('stops reading the store while its client reads nothing', async () => {
    const response = await start();
    const waiting = await standstill();
    assert.ok(waiting > 0 && waiting < 200_000, `read ${waiting} rows ahead`);
    response.resume();
    while (read < waiting * 3) await once(response, 'data');
    assert.ok(largest <= 25, 'rows read in one turn');
    response.destroy();
    await standstill();
  });

  it('stops reading when its client disconnects', async () => {
    const response = await start();
    while (read < 50_000) await once(response, 'data');
    response.destroy();
    const stopped = await standstill();
    assert.equal(await standstill(), stopped);
  });
});

describe('an export of a list that changes', () => {
  const file = path.join(temporaryFolder(), 'guestlist.db');
  const store = openServerStore(file);
  const { listInvites, listJoins, listEvents } = svcops(store);
  const byHand = new Database(file);
  after(async () => {
    byHand.close();
    await store.close();
  });

  const PEOPLE = 1203;
  const emailOf = (i: number) => `p${i}@example.com`;
  const device = { session: 's', deviceType: 'mobile', os: 'iOS', browser: 'Mobile Safari' };
  let time = Date.UTC(2026, 2, 1);

  /** Each of these people logs in, views and presses. */
  const come = (numbers: readonly number[]) =>
    store.write(({ invites, events, joins }) => {
      for (const i of numbers) {
        time += 1;
        const [email, occurredAt] = [emailOf(i), time];
        invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt: occurredAt });
        const meta = { view: 'mobile', forced: false } as const;
        events.record({ type: 'login', email, occurredAt, ...device, meta: null });
        events.record({ type: 'timeline_view', email, occurredAt, ...device, meta });
        joins.record({ email, session: 's', clickedAt: occurredAt });
      }
    });

  before(() => come(Array.from({ length: PEOPLE }, (_, i) => i)));

  function begin(handler: typeof listInvites, query: string): AsyncIterator<string | Uint8Array> {
    const body = Readable.from([]);
    const request = { method: 'GET', path: '', query, headers: {}, peer: '127.0.0.1', body };
    const reply = handler(request);
    assert.ok(typeof reply.body !== 'string' && !(reply.body instanceof Uint8Array));
    return reply.body[Symbol.asyncIterator]();
  }

  async function rest(lines: ReturnType<typeof begin>): Promise<string> {
    let text = '';
    for (let next = await lines.next(); !next.done; next = await lines.next()) text += next.value;
    return text;
  }

  it('has every row, over many pages', async () => {
    const [, ...lines] = (await rest(begin(listInvites, 'format=csv'))).trimEnd().split('\r\n');
    const found = lines.map((line) => line.split(',')[0]);
    const everybody = Array.from({ length: PEOPLE }, (_, i) => emailOf(i));
    assert.deepEqual(found.sort(), everybody.sort());
  });

  for (const [round, [what, handler, query]] of (
    [
      ['people, in a changing order', listInvites, 'sort=lastSeenAt&status=joined&q=example'],
      ['people, by their logins', listInvites, 'sort=logins&order=asc'],
      ['joiners', listJoins, 'of=summary'],
      ['clicks', listJoins, 'of=clicks'],
      ['events', listEvents, 'type=login'],
      ['events of a day', listEvents, 'from=2026-03-01&to=2026-03-01'],
      ['people who joined on a day', listJoins, 'of=summary&from=2026-03-01&to=2026-03-01'],
      ['people by status and day', listInvites, 'sort=status&status=joined&from=2026-03-01'],
    ] as const
  ).entries())
    it(`has all ${what}, each once, as they were when it began`, async () => {
      const expected = await rest(begin(handler, `${query}&format=csv`));
      const lines = begin(handler, `${query}&format=csv`);
      let found = '';
      for (let page = 0; page < 2; page++) found += (await lines.next()).value;
      // Of the last people in the list, some come again and some are removed. New ones come.
      const oldest = Array.from({ length: 60 }, (_, i) => 60 * round + i);
      await come([...oldest.slice(9), time, time + 1]);
      const removed = oldest.slice(0, 9).map(emailOf);
      for (const table of ['invites', 'project_joins', 'events'])
        byHand
          .prepare(`delete from ${table} where email in (${removed.map(() => '?')})`)
          .run(removed);
      found += await rest(lines);
      assert.equal(found, expected);
    });

  it('allows a checkpoint of the WAL as soon as it ends', async () => {
    const isHeld = () => byHand.pragma('wal_checkpoint(truncate)', { simple: true }) === 1;
    byHand.pragma('busy_timeout = 0');
    const lines = begin(listEvents, 'format=csv');
    await lines.next();
    await come([1]);
    assert.equal(isHeld(), true);
    await lines.return?.();
    assert.equal(isHeld(), false);
    await rest(begin(listEvents, 'format=csv'));
    assert.equal(isHeld(), false);
  });

  it('uses the connection of an export that has ended, and opens one if all are in use', () => {
    const [first, second] = [store.beginRead(), store.beginRead()];
    assert.notEqual(first.people, second.people);
    first.close();
    const third = store.beginRead();
    assert.equal(third.people, first.people);
    for (const open of [second, third]) open.close();
  });
});
