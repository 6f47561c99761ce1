/** Nothing is recorded outside a transaction: `tsc` refuses each marked line. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openServerStore, openStore, type Writer } from '../../lib/store/open.ts';
import { recordJoin } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

it('a store gives its writer only to transactions, whose jobs are synchronous', async () => {
  const file = newStoreFile();
  const [server, tool] = [openServerStore(file), openStore(file)];
  const late = async (writer: Writer) => recordJoin(writer, 'ada@example.com', 1);
  for (const missing of [
    // @ts-expect-error only tools have synchronous transactions
    server.transaction,
    // @ts-expect-error a reader records nothing
    await server.read(({ events }) => events.record),
    // @ts-expect-error only a writer changes invites
    tool.invites.setAdmin,
    // @ts-expect-error it would go on after its commit
    ((write = server.write) => void (() => write(late)))(),
  ])
    assert.equal(missing, undefined);
  tool.close();
  await server.close();
});
