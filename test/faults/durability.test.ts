/** Written before it is said: seen from outside, no success reply leaves before its row is on disk. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { after, it } from 'node:test';
import { anotherClient, sendRaw, sessionId } from '../support/client.ts';
import { install, type Server } from '../support/installation.ts';
import { bytesOf, type Call, inTrace, readTrace, STRACE } from './trace.ts';

const CALLS = ['read', 'pwrite64', 'fdatasync', 'fsync', 'write', 'writev', 'sendto', 'sendmsg'];

const site = install();
after(() => site.remove());

/** A request that was answered with success, and bytes that only its own row holds. */
type Answered = { readonly what: string; readonly mark: string; readonly row: string };

let marks = 0;

/** Sends a request on a connection of its own, with a mark by which the trace knows it. @returns mark and reply */
async function ask(server: Server, line: string, cookie: string, body = '') {
  marks += 1;
  const mark = `mark-${marks}-`;
  const head = [
    `${line} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `X-Mark: ${mark}`,
    ...Object.entries(anotherClient()).map(([name, value]) => `${name}: ${value}`),
    ...(cookie ? [`Cookie: ${cookie}`] : []),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
  ];
  const reply = await sendRaw(server.port, `${head.join('\r\n')}\r\n\r\n${body}`);
  assert.match(reply, /^HTTP\/1\.1 200 /);
  return { mark, reply };
}

/** One visitor: logs in, views and joins once. What is said of each lies side by side in its row. */
async function visit(server: Server, email: string): Promise<readonly Answered[]> {
  const login = await ask(server, 'POST /auth/login', '', JSON.stringify({ email }));
  const cookie = /Set-Cookie: (svc_session=[^;]+)/.exec(login.reply)?.[1] ?? '';
  const session = sessionId(cookie);
  const view = await ask(server, 'GET /timeline', cookie);
  const join = await ask(server, 'POST /api/project-join', cookie);
  return [
    { what: 'session', mark: login.mark, row: `${session}${email}` },
    { what: 'login', mark: login.mark, row: `login${email}` },
    { what: 'view', mark: view.mark, row: `timeline_view${email}` },
    { what: 'join', mark: join.mark, row: `${email}${session}` },
  ];
}

/** The write that ends the transaction whose page was written by `calls[page]`: its frame says how large the store now is. */
function commitOf(calls: readonly Call[], page: number): Call | undefined {
  for (let i = page - 1; i < calls.length - 1; i += 1) {
    const call = calls[i];
    const header = call && bytesOf(call);
    if (header?.length === 24 && header.readUInt32BE(4) > 0) return calls[i + 1];
  }
  return undefined;
}

it('no success reply of login, view or join leaves the socket before the sync that covers its row has returned', {
  skip: spawnSync('strace', ['-V']).error ? 'takes strace' : false,
}, async () => {
  const people = Array.from({ length: 30 }, (_, n) => `visitor${n + 10}@example.com`);
  site.write(({ invites }) => {
    for (const email of people)
      invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt: 1 });
  });
  const file = path.join(site.root, 'trace');
  const server = await site.start({}, [...STRACE, '-o', file, '-e', `trace=${CALLS.join(',')}`]);
  const answered: Answered[] = [];
  // One after the other, then all at once.
  for (const email of people.slice(0, 5)) answered.push(...(await visit(server, email)));
  answered.push(
    ...(await Promise.all(people.slice(5).map((email) => visit(server, email)))).flat(),
  );
  await server.stop();

  const trace = readTrace(file);
  const wal = inTrace(`${site.store}-wal`);
  const log = trace.filter(({ target }) => target.endsWith(`<${wal}>`));
  const writes = log.filter(({ name }) => name === 'pwrite64');
  const syncs = log.filter(({ name }) => name === 'fdatasync' || name === 'fsync');
  for (const { what, mark, row } of answered) {
    const request = trace.find(({ name, text }) => name === 'read' && text.includes(inTrace(mark)));
    assert.ok(request, `${mark} was read`);
    const reply = trace.find(
      ({ name, target, began }) =>
        /^(write|send)/.test(name) && target === request.target && began > request.began,
    );
    assert.ok(reply, `${mark} was answered`);
    assert.ok(reply.text.includes(inTrace('HTTP/1.1 200')));
    const page = writes.findIndex(({ text }) => text.includes(inTrace(row)));
    assert.ok(page >= 0, `the row of the ${what} was written`);
    const commit = commitOf(writes, page);
    assert.ok(commit, `the ${what} was committed`);
    assert.ok(
      syncs.some(({ began, returned }) => began > commit.returned && returned < reply.began),
      `the reply to the ${what} ${mark} left before it was on disk`,
    );
  }
  console.log(`${answered.length} rows, ${syncs.length} syncs`);
});
