/** Faults inside the service: a handler that throws, and a list that breaks off. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { csvReply, type Reply, statusOnly } from '../../lib/http/reply.ts';
import { replyToError } from '../../lib/routes/errors.ts';
import { send } from '../support/client.ts';
import { serve } from '../support/serve.ts';

async function originOf(reply: () => Reply): Promise<string> {
  const { origin } = await serve(
    (request) => {
      try {
        return reply();
      } catch (error) {
        return replyToError(error, 'GET /', request);
      }
    },
    ['X-Every', 'reply'],
  );
  return origin;
}

/** Keeps the lines of the log. */
function holdLog(t: TestContext): unknown[] {
  const lines: unknown[] = [];
  t.mock.method(console, 'error', (line: unknown) => lines.push(line));
  return lines;
}

describe('a handler that fails', () => {
  const mistake = new TypeError('a secret of the inside');
  const fail = () => {
    throw mistake;
  };

  it('gets 500 internal without the error; the log has the stack', async (t) => {
    const lines = holdLog(t);
    const answer = await send(await originOf(fail), 'GET /');
    assert.deepEqual([answer.status, answer.json()], [500, { error: 'internal' }]);
    assert.equal(answer.headers.get('x-every'), 'reply');
    assert.doesNotMatch(answer.text, /secret|TypeError/);
    assert.deepEqual(lines, [mistake]);
  });

  it('in the middle of a list: the reply is cut, so that it does not seem complete, and the log has the error', async (t) => {
    const lines = holdLog(t);
    async function* list() {
      yield 'first line\r\n';
      fail();
    }
    await assert.rejects(send(await originOf(() => csvReply('list.csv', list())), 'GET /'));
    assert.deepEqual(lines, [mistake]);
  });

  it('with a reply that cannot be written: the connection ends, and the server continues', async (t) => {
    const lines = holdLog(t);
    const replies = [{ ...statusOnly(200), headers: ['X', 'a\nb'] }, statusOnly(204)];
    const origin = await originOf(() => replies.shift() ?? statusOnly(404));
    await assert.rejects(send(origin, 'GET /'));
    assert.equal(lines.length, 1);
    assert.equal((await send(origin, 'GET /')).status, 204);
  });
});
