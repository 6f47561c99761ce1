/** A sync that fails: the server sends no reply and ends, and the next start works. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { queryOne } from '../support/database.ts';
import { lacksStrace } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();

it('a WAL that cannot be synced ends the server before its reply; the next start needs no help', {
  skip: lacksStrace(),
}, async () => {
  site.invite('ada@example.com');
  const sound = await site.start();
  const cookie = await logIn(sound.origin, 'ada@example.com');
  await sound.stop();
  const server = await site.start({}, [
    ...['strace', '-D', '-f', '-o', '/dev/null', '-e', 'trace=fdatasync'],
    ...['-e', 'inject=fdatasync:error=EIO'],
  ]);
  await assert.rejects(send(server.origin, 'POST /api/project-join', { cookie }), 'no reply');
  assert.notEqual(await server.exited, 0);
  assert.match(server.stderr.join('\n'), /the WAL of .*guestlist\.db cannot be synced/);

  const again = await site.start();
  assert.equal((await send(again.origin, 'POST /api/project-join', { cookie })).status, 200);
  await again.stop();
  assert.equal(queryOne(site.store, 'pragma integrity_check'), 'ok');
});
