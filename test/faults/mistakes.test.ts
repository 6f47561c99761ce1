/** Faults inside the service: a handler that throws, a list that breaks off. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { csvFile, empty, type Reply } from '../../lib/http/reply.ts';
import { catchErrors } from '../../lib/routes/errors.ts';
import { anotherClient, logIn, send } from '../support/client.ts';
import { serve } from '../support/serve.ts';
import { siteForAll } from '../support/site.ts';

describe('a handler that fails', () => {
  const originOf = async (reply: () => Reply) =>
    (await serve(catchErrors('GET /', reply), ['X-Every', 'reply'])).origin;

  /** The log while `use` runs. */
  async function logged(use: () => Promise<void>): Promise<unknown[]> {
    const lines: unknown[] = [];
    const { error } = console;
    console.error = (line) => lines.push(line);
    await use().finally(() => {
      console.error = error;
    });
    return lines;
  }

  it('gets 500 internal without the error; the log has the stack', async () => {
    const mistake = new TypeError('a secret of the inside');
    const origin = await originOf(() => {
      throw mistake;
    });
    const lines = await logged(async () => {
      const answer = await send(origin, 'GET /');
      assert.deepEqual([answer.status, answer.json()], [500, { error: 'internal' }]);
      assert.equal(answer.headers.get('x-every'), 'reply');
      assert.doesNotMatch(answer.text, /secret|TypeError/);
    });
    assert.deepEqual(lines, [mistake]);
  });

  it('in the middle of a list: the reply is cut, so that it does not seem complete, and the log has the error', async () => {
    const mistake = new Error('broken off');
    const origin = await originOf(() =>
      csvFile(
        'list.csv',
        (async function* () {
          yield 'first line\r\n';
          throw mistake;
        })(),
      ),
    );
    const lines = await logged(() => assert.rejects(send(origin, 'GET /')));
    assert.deepEqual(lines, [mistake]);
  });

  it('with a reply that cannot be written: the connection ends, and the server continues', async () => {
    const replies = [{ ...empty(200), headers: ['X', 'a\nb'] }, empty(204)];
    const origin = await originOf(() => replies.shift() ?? empty(404));
    const lines = await logged(() => assert.rejects(send(origin, 'GET /')));
    assert.equal(lines.length, 1);
    assert.equal((await send(origin, 'GET /')).status, 204);
  });
});

it('a store without a table: 500 for requests that need it, and none after it is back', async () => {
  const site = siteForAll();
  site.invite('ada@example.com');
  const server = await site.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  const operator = new Database(site.store);
  operator.exec('alter table project_joins rename to mislaid');
  const join = () => send(server.origin, 'POST /api/project-join', { cookie });
  const answer = await join();
  assert.deepEqual([answer.status, answer.json()], [500, { error: 'internal' }]);
  await server.reports(/SqliteError: no such table[\s\S]*\n +at /);
  assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 200);
  await logIn(server.origin, 'ada@example.com', anotherClient());
  operator.exec('alter table mislaid rename to project_joins');
  operator.close();
  assert.equal((await join()).status, 200);
});
