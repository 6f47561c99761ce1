/** Long exports: read no faster than they are taken, and no longer than somebody takes them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { listener } from '../lib/http/listener.ts';
import { csvFile } from '../lib/http/reply.ts';
import { csvLines } from '../lib/routes/csv.ts';

/** A list that never ends; it counts how much of it has been read. */
let read = 0;
let largest = 0;
const endless = (limit: number, after: number | undefined) => {
  const from = after ?? 0;
  read = from + limit;
  largest = Math.max(largest, limit);
  const rows = Array.from({ length: limit }, (_, i) => ({ id: from + i, text: 'x'.repeat(80) }));
  return { rows, next: from + limit };
};

const server = http.createServer(
  listener(() => csvFile('endless.csv', csvLines(['id', 'text'], endless)), []),
);
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
  it('stops reading the store while nobody takes the lines', async () => {
    const response = await start();
    const waiting = await standstill();
    assert.ok(waiting > 0 && waiting < 200_000, `read ${waiting} rows ahead`);
    response.resume();
    while (read < waiting * 3) await once(response, 'data');
    assert.ok(largest <= 500, 'rows read in one turn');
    response.destroy();
    await standstill();
  });

  it('stops reading when its client goes away', async () => {
    const response = await start();
    while (read < 50_000) await once(response, 'data');
    response.destroy();
    const stopped = await standstill();
    assert.equal(await standstill(), stopped);
  });
});
