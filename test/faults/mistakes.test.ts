/** Faults inside the service: a handler throws, or a list ends too early. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Reply, statusOnly } from '../../lib/http/reply.ts';
import { replyToError } from '../../lib/routes/errors.ts';
import { send } from '../support/client.ts';
import { serve } from '../support/serve.ts';

const mistake = new TypeError('a secret of the inside');
const fail = () => {
  throw mistake;
};
async function* list() {
  yield 'first line\r\n';
  fail();
}

it('a handler’s error is in the log, never in the reply', async (t) => {
  const log = t.mock.method(console, 'error', () => undefined);
  const replies: (() => Reply)[] = [
    fail,
    () => ({ ...statusOnly(200), body: list() }),
    () => ({ ...statusOnly(200), headers: ['X', 'a\nb'] }),
    () => statusOnly(204),
  ];
  const { origin } = await serve(
    (request) => {
      try {
        return replies.shift()?.() ?? statusOnly(404);
      } catch (error) {
        return replyToError(error, 'GET /', request);
      }
    },
    ['X-Every', 'reply'],
  );
  const ask = () => send(origin, 'GET /');
  const answer = await ask();
  assert.deepEqual([answer.status, answer.text], [500, '{"error":"internal"}']);
  assert.equal(answer.headers.get('x-every'), 'reply');
  await assert.rejects(ask(), 'a list that breaks off does not seem complete');
  await assert.rejects(ask(), 'a reply that cannot be written');
  assert.equal((await ask()).status, 204);
  const lines = log.mock.calls.map(({ arguments: [line] }) => line);
  assert.deepEqual([...lines.slice(0, 2), lines.length], [mistake, mistake, 3]);
});
