/** Random requests, in every role: no 500, the hidden page stays hidden, and the store stays sound. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { anotherClient } from '../support/client.ts';
import { queryOne } from '../support/database.ts';
import { inject } from '../support/inject.ts';
import { randomFrom } from '../support/random.ts';
import { requestsTo } from './random-request.ts';
import { assertSound } from './store-check.ts';

/** One seed to begin with, and each seed that failed once. RANDOM_SEED adds another. */
const SEEDS = [1, ...(process.env.RANDOM_SEED ? [Number(process.env.RANDOM_SEED)] : [])];

/** Of each role. */
const REQUESTS = Number(process.env.RANDOM_REQUESTS ?? 1000);

const { file, urls, send } = await inject();
const makeRequest = requestsTo(urls);

/** A row for each success of these. */
const RECORDED = ['POST /auth/login', 'GET /timeline', 'POST /api/project-join'];

for (const seed of SEEDS)
  it(`${REQUESTS} requests of seed ${seed} in each role leave the rows that the contract allows`, async () => {
    const rowsOf = () => Object.values(assertSound(file));
    const earlier = rowsOf();
    const done = RECORDED.map(() => 0);
    await Promise.all(
      ['', 'invitee', 'administrator'].map(async (role, number) => {
        const random = randomFrom(seed * 3 + number);
        let cookie = '';
        for (let i = 0; i < REQUESTS; i += 1) {
          if (role && !cookie) {
            const json = { email: `${role}@example.com` };
            const login = await send('POST /auth/login', { json, headers: anotherClient() });
            cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
            done[0] = (done[0] ?? 0) + 1;
          }
          const { method, url, ...options } = makeRequest(random, cookie);
          const what = `seed ${seed}, ${role} ${i}: ${method} ${url} ${JSON.stringify(options)}`;
          const { status, text, headers } = await send(`${method} ${url}`, options);
          const path = url.split('?')[0] ?? '';
          assert.ok(status >= 200 && status < 500, `${status} to ${what}`);
          const head = JSON.stringify([...headers]);
          assert.doesNotMatch(head, /"access-control-/i, what);
          if (role !== 'administrator') {
            assert.doesNotMatch(head + text, /svcops/i, what);
            if (/^\/(api\/)?svcops/.test(path))
              assert.deepEqual([status, text], [404, 'Not Found\n'], what);
          }
          const kind = RECORDED.indexOf(`${method} ${path}`);
          if (status === 200 && kind >= 0) done[kind] = (done[kind] ?? 0) + 1;
          // The session has ended. The next round begins another one.
          if (status === 200 && /^POST \/auth\/log/.test(`${method} ${path}`)) cookie = '';
        }
      }),
    );
    const expected = earlier.map((rows, i) => rows + (done[i] ?? 0));
    assert.deepEqual(rowsOf(), expected);
    assert.ok(Math.min(...done) > 0, `${done}`);
    const administrators = 'select group_concat(email) from invites where is_admin = 1';
    assert.equal(queryOne(file, administrators), 'administrator@example.com');
  });
