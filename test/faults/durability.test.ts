/** Written before it is said: by its system calls, no success leaves before its row is on disk. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { it } from 'node:test';
import { anotherClient, sendRaw, sessionId } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { lacks } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';
import { bytesOf, type Call, inTrace, readTrace, STRACE } from './trace.ts';

const CALLS = ['read', 'pwrite64', 'fdatasync', 'fsync', 'write', 'writev', 'sendto', 'sendmsg'];

const site = siteForAll();

/** A successful request, and bytes that only its own row contains. */
type Answered = { readonly what: string; readonly mark: string; readonly row: string };

let marks = 0;

/** Sends a request with a mark for the trace, on a new connection. @returns mark and reply */
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

/** One visitor logs in, views and joins once. The values of a row are adjacent in the file. */
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

/** The commit frame of the transaction whose page `calls[page]` wrote: it has the store's size. */
function commitOf(calls: readonly Call[], page: number): Call | undefined {
  for (let i = page - 1; i < calls.length - 1; i += 1) {
    const call = calls[i];
    const header = call && bytesOf(call);
    if (header?.length === 24 && header.readUInt32BE(4) > 0) return calls[i + 1];
  }
  return undefined;
}

it('no success of login, view or join is sent before the sync of its row has returned', {
  skip: lacks('strace'),
}, async () => {
  const people = Array.from({ length: 30 }, (_, n) => `visitor${n + 10}@example.com`);
  site.write(({ invites }) => {
    for (const email of people)
      invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt: 1 });
  });
  const file = path.join(site.root, 'trace');
  const server = await site.start({}, [...STRACE, '-o', file, '-e', `trace=${CALLS.join(',')}`]);
  const answered: Answered[] = [];
  // First in sequence, then all at once.
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
