/** What is recorded, and for each story a fault that power cuts must show. */
import path from 'node:path';
import { openStore } from '../../../lib/store/open.ts';
import { sessionCookie, sessionId } from '../../support/client.ts';
import { read } from '../../support/database.ts';
import { makeOldStore } from '../../support/old-store.ts';
import { readContents } from './examine.ts';
import type { Effects, Recorder, Story } from './recording.ts';
import { type Call, inTrace } from './trace.ts';

type Case = Story & {
  /** By a name, what changes the calls of each program. */
  readonly faults: Readonly<Record<string, (calls: readonly Call[]) => readonly Call[]>>;
};

const ADA = 'ada@example.com';
const NEW = 'new@example.com';

const isSync = (ending: string) => {
  const end = inTrace(ending);
  return ({ name, target }: Call) => /^f(data)?sync$/.test(name) && target.endsWith(end);
};
const without = (is: (call: Call) => boolean) => (calls: readonly Call[]) =>
  calls.filter((call) => !is(call));

/** Without the syncs after the last call of another kind; unchanged without such a call. */
const withoutAfter =
  (isLast: (call: Call) => boolean, is: (call: Call) => boolean) => (calls: readonly Call[]) => {
    const from = calls.findLast(isLast)?.began ?? Number.POSITIVE_INFINITY;
    return calls.filter((call) => !(is(call) && call.began > from));
  };

/** The WAL is synced after the next reply. */
function syncLate(calls: readonly Call[]): readonly Call[] {
  const socket = inTrace('socket:');
  return calls.flatMap((call) => {
    if (!isSync('-wal')(call)) return call;
    const reply = calls.find(
      ({ name, target, began }) =>
        name.startsWith('write') && target.startsWith(socket) && began > call.returned,
    );
    return reply ? { ...call, began: reply.began + 1, returned: reply.began + 1 } : [];
  });
}

/** A store with an administrator. */
function prepare(file: string): void {
  const store = openStore(file);
  store.transaction(({ invites }) => {
    invites.add({ email: ADA, firstName: null, invitedBy: 'cli', invitedAt: 1 });
    invites.setAdmin(ADA, true);
  });
  store.close();
}

type Running = Awaited<ReturnType<Recorder['start']>>;

async function logIn(server: Running, email: string): Promise<string> {
  const answer = await server.ask('POST /auth/login', { json: { email } }, (login) => {
    const session = `${email} ${sessionId(sessionCookie(login))}`;
    return ['session', 'login'].map((kind) => [`${kind} ${session}`, 1]);
  });
  return sessionCookie(answer);
}

/** A visitor's whole way. */
async function visit(server: Running, email: string): Promise<void> {
  const cookie = await logIn(server, email);
  const session = `${email} ${sessionId(cookie)}`;
  await server.ask('GET /timeline', { cookie }, () => [[`timeline_view ${session}`, 1]]);
  await server.ask('POST /api/project-join', { cookie }, () => [[`join ${session}`, 1]]);
  await server.ask('POST /auth/logout', { cookie }, () => [[`session ${session}`, -1]]);
}

const invite = ({ tool }: Recorder, email: string) =>
  tool(['invite', 'add', email], () => [[`invite ${email}`, 1]]);

const takeSnapshot = ({ tool }: Recorder) =>
  tool<{ file: string }>(['backup', 'create'], ({ file }) => [
    [`snapshot ${path.basename(file)}`, 1],
  ]);

/** Effects that lead from one state of a store to another. */
const difference = (from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): Effects =>
  [...new Set([...from.keys(), ...to.keys()])].map((name) => [
    name,
    (to.get(name) ?? 0) - (from.get(name) ?? 0),
  ]);

export const CASES: Readonly<Record<string, Case>> = {
  'the server under load, from the first start on': {
    prepare() {},
    async tell(recorder) {
      const server = await recorder.start();
      const people = [ADA, NEW, 'alan@example.com'];
      for (const email of people) await invite(recorder, email);
      await Promise.all([...people, ...people].map((email) => visit(server, email)));
      await server.stop();
    },
    faults: {
      'the WAL is not synced': without(isSync('-wal')),
      'the WAL is synced after the replies': syncLate,
      'the folder of a new store is not synced': without(isSync('/data')),
    },
  },
  'a backup': {
    prepare,
    tell: (recorder) => takeSnapshot(recorder).then(() => {}),
    faults: {
      'a snapshot is not synced before it is named': without(isSync('/backups/draft')),
      'its name is not synced': without(isSync('/backups')),
    },
  },
  'an erasure, also in a snapshot': {
    prepare,
    async tell(recorder) {
      const server = await recorder.start();
      await invite(recorder, NEW);
      await visit(server, NEW);
      await takeSnapshot(recorder);
      const ofNew = recorder.undo((name) => name.split(' ')[1] === NEW);
      await recorder.tool(['person', 'forget', NEW, '--snapshots', '--yes'], () => ofNew, NEW);
      await visit(server, ADA);
      await server.stop();
    },
    faults: {
      'the emptied WAL is not synced': withoutAfter(
        ({ name, target }) => name === 'ftruncate' && target.endsWith(inTrace('-wal')),
        isSync('-wal'),
      ),
      'the removal of the journal is not synced': withoutAfter(
        ({ name, args }) => name === 'unlink' && args.includes(inTrace('.db-journal')),
        isSync('/backups'),
      ),
    },
  },
  'a restore': {
    prepare,
    async tell(recorder, store) {
      const { file } = await takeSnapshot(recorder);
      await invite(recorder, NEW);
      const old = read(store, readContents);
      const restore = ['backup', 'restore', file, '--yes'];
      await recorder.tool<{ replaced: string }>(restore, ({ replaced }) => [
        ...difference(old, read(store, readContents)),
        [`snapshot ${path.basename(replaced)}`, 1],
      ]);
      await invite(recorder, 'alan@example.com');
    },
    faults: {
      'the new store is not synced before it is named': without(isSync('.db.draft')),
      'the old store is not synced before it is named': without(isSync('/backups/draft')),
    },
  },
  'a migration, and the snapshot before it': {
    prepare: (file) => void makeOldStore(file).close(),
    async tell(recorder) {
      const server = await recorder.start();
      await visit(server, ADA);
      await server.stop();
    },
    faults: { 'that snapshot is not synced': without(isSync('/backups')) },
  },
};
