/** Tables of requests that read like the contract. */
import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import test from 'node:test';
import type { Client } from '../service.ts';

/** `GET /timeline`, or `POST /auth/login {"email":"ada@example.com"}`; an object is a JSON body. */
export type Case = readonly [
  request: string,
  who: string,
  status: number,
  body: string | RegExp | object,
];

/** The headers of each who. */
export type Callers = Readonly<Record<string, OutgoingHttpHeaders>>;

let clients = 0;

/** Runs a test a row, in order. Each comes from another client address. */
export function testCases(client: Client, callers: Callers, cases: readonly Case[]): void {
  for (const [request, who, status, body] of cases)
    test(`${shorten(request)} by ${who} is ${status}`, async () => {
      const answer = await sendCase(client, request, callers[who] ?? assert.fail(`who is ${who}?`));
      assert.equal(answer.status, status, answer.text);
      if (typeof body === 'string') assert.equal(answer.text, body);
      else if (body instanceof RegExp) assert.match(answer.text, body);
      else assert.deepEqual(JSON.parse(answer.text), body);
    });
}

function sendCase({ send }: Client, request: string, caller: OutgoingHttpHeaders) {
  const [method = '', url = '', ...rest] = request.split(' ');
  const address = { 'x-forwarded-for': `2001:db8:0:${clients.toString(16)}::1` };
  clients += 1;
  const type = rest.length > 0 ? { 'content-type': 'application/json' } : {};
  return send(method, url, { ...address, ...type, ...caller }, rest.join(' '));
}

const shorten = (text: string): string => (text.length > 90 ? `${text.slice(0, 90)}…` : text);
