/** No request makes a native object, because some versions of Node keep each one for ever. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keepNativeObjects } from '../../lib/store/sqlite.ts';
import { inject } from '../support/inject.ts';
import { addInvite } from '../support/rows.ts';

it('1,000 reads and 100 lone writes keep no more native objects than the first ones', async () => {
  const kept = keepNativeObjects();
  const { begin, send, store } = await inject();
  const cookie = await begin('administrator');
  const readAndWrite = async (i: number) => {
    await store.write((writer) => addInvite(writer, `guest${i}@example.com`));
    for (const url of ['stats', 'stats?from=2026-01-01', 'invites', 'joins', 'events'])
      for (let n = 0; n < 2; n += 1) await send(`GET /api/svcops/${url}`, { cookie });
  };
  await readAndWrite(0);
  const before = kept.size;
  for (let i = 1; i <= 100; i += 1) await readAndWrite(i);
  assert.equal(kept.size, before);
});
