/** Nothing is recorded outside a transaction: `tsc` refuses each marked line. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Recording } from '../../lib/routes/guards.ts';
import { openServerStore, openStore, type ServerStore, type Writer } from '../../lib/store/open.ts';
import { queryOne } from '../support/database.ts';
import { recordJoin } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

it('a store gives its writer only to transactions', async () => {
  const file = newStoreFile();
  const [server, tool] = [openServerStore(file), openStore(file)];
  for (const missing of [
    // @ts-expect-error only tools have synchronous transactions
    server.transaction,
    // @ts-expect-error a reader records nothing
    await server.read(({ events }) => events.record),
    // @ts-expect-error only a writer changes invites
    tool.invites.setAdmin,
  ])
    assert.equal(missing, undefined);
  const press = (writer: Writer) => recordJoin(writer, 'ada@example.com', 1);
  await server.write(press);
  tool.transaction(press);
  assert.equal(queryOne(file, 'select count(*) from project_joins'), 2);
  tool.close();
  await server.close();
});

it('a handler that records returns the reply and what is recorded', () => {
  const reply = { status: 200, headers: [], body: '' };
  // @ts-expect-error the action is missing
  const silent: Recording = { reply };
  assert.equal(silent.record, undefined);
});

it('an asynchronous job, which would go on after its commit, does not compile', () => {
  const late = async (writer: Writer) => recordJoin(writer, 'ada@example.com', 1);
  // @ts-expect-error it returns a promise
  const write = (store: ServerStore) => store.write(late);
  assert.ok(write);
});
