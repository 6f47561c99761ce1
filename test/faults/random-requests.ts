/** Random requests to every route, in every role. The same seed sends the same requests. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { logIn } from '../support/client.ts';
import type { Installation } from '../support/installation.ts';
import { randomFrom } from './random.ts';
import { makeRequest, type Sent } from './random-request.ts';

export type Role = 'visitor' | 'invitee' | 'administrator';

const ROLES: readonly Role[] = ['visitor', 'invitee', 'administrator'];

/** Two concurrent clients for each role. */
const CLIENTS = 2 * ROLES.length;

export type Outcome = {
  /** Requests by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Successes that must each have left a row. */
  readonly logins: number;
  readonly views: number;
  readonly joins: number;
};

/** Invites the people of a run: an administrator and two invitees. */
export function invitePlayers(site: Installation): void {
  for (const name of ['ada', 'grace', 'root']) site.invite(`${name}@example.com`);
  site.setAdmin('root@example.com');
}

/**
 * Sends random requests and checks each reply.
 *
 * @throws an AssertionError with the seed, the client and the request
 */
export async function sendRandomRequests(
  origin: string,
  seed: number,
  requests: number,
): Promise<Outcome> {
  const agent = new http.Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  const done = { logins: 0, views: 0, joins: 0 };

  async function client(number: number): Promise<void> {
    const role = ROLES[number % ROLES.length] as Role;
    const random = randomFrom(seed * CLIENTS + number);
    const email = role === 'administrator' ? 'root@example.com' : 'ada@example.com';
    let cookie = '';
    for (let i = 0; i < requests / CLIENTS; i += 1) {
      if (role !== 'visitor' && cookie === '') {
        cookie = await logIn(origin, email);
        done.logins += 1;
      }
      const sent = makeRequest(random, cookie);
      const reply = await exchange(agent, origin, sent);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      check(
        reply,
        sent,
        role,
        `seed ${seed}, client ${number}, request ${i}: ${JSON.stringify(sent)}`,
      );
      const route = `${sent.method} ${sent.path.split('?')[0]}`;
      if (reply.status === 200) {
        if (route === 'POST /auth/login') done.logins += 1;
        if (route === 'GET /timeline') done.views += 1;
        if (route === 'POST /api/project-join') done.joins += 1;
      }
      // A login or a logout has ended the session. The next round begins another one.
      if (reply.status === 200 && /^POST \/auth\/log/.test(route)) cookie = '';
    }
  }

  try {
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  } finally {
    agent.destroy();
  }
  return { statuses, ...done };
}

type Received = { readonly status: number; readonly head: string; readonly body: string };

function check(
  { status, head, body }: Received,
  { method, path }: Sent,
  role: Role,
  what: string,
): void {
  assert.ok(status < 500 && status >= 200, `${status} to ${what}`);
  assert.doesNotMatch(head, /^access-control-/im, what);
  if (role === 'administrator') return;
  assert.doesNotMatch(head + body, /svcops/i, what);
  // A byte outside ASCII is refused before routing.
  if (/^\/(api\/)?svcops/.test(path) && !path.includes('\u00ff')) {
    assert.equal(status, 404, what);
    assert.equal(body, method === 'HEAD' ? '' : 'Not Found\n', what);
  }
}

function exchange(
  agent: http.Agent,
  origin: string,
  { method, path, headers, body }: Sent,
): Promise<Received> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      hostname,
      port,
      method,
      path,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    };
    const request = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          head: response.rawHeaders.join('\n'),
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.once('error', reject);
    request.end(body);
  });
}
