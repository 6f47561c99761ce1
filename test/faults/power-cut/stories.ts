/** What is recorded, what an operator does after a kill, and faults that power cuts must show. */
import assert from 'node:assert/strict';
import { emptyWal, eraseFromSnapshots, snapshotsWith } from '../../../lib/store/file/forget.ts';
import { inspectFile } from '../../../lib/store/file/inspection.ts';
import { restoreSnapshot } from '../../../lib/store/file/restore.ts';
import { listSnapshots, takeSnapshot } from '../../../lib/store/file/snapshots.ts';
import { openStore } from '../../../lib/store/open.ts';
import { sessionCookie, sessionId } from '../../support/client.ts';
import { invitedIn } from '../../support/database.ts';
import { makeOldStore } from '../../support/old-store.ts';
import type { Variation } from './cut.ts';
import type { Recorder, Story } from './recording.ts';
import { type Call, pathsOf } from './trace.ts';

type Case = Story &
  Pick<Variation, 'again'> & {
    /** By a name, what changes the calls of each program. */
    readonly faults: Readonly<Record<string, (calls: readonly Call[]) => readonly Call[]>>;
  };

const ADA = 'ada@example.com';
const NEW = 'new@example.com';

const isSync =
  (ending: string) =>
  ({ name, target }: Call) =>
    /^f(data)?sync$/.test(name) && target.endsWith(ending);
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
  return calls.flatMap((call) => {
    if (!isSync('-wal')(call)) return call;
    const reply = calls.find(
      ({ name, target, began }) =>
        name.startsWith('write') && target.startsWith('socket:') && began > call.returned,
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

/** A visitor's whole way. */
async function visit({ ask }: Awaited<ReturnType<Recorder['start']>>, email: string) {
  const of = (login: Parameters<typeof sessionCookie>[0]) =>
    `${email} ${sessionId(sessionCookie(login))}`;
  const login = await ask('POST /auth/login', { json: { email } }, (login) => [
    [`session ${of(login)}`, 1],
    [`login ${of(login)}`, 1],
  ]);
  const cookie = sessionCookie(login);
  await ask('GET /timeline', { cookie }, () => [[`timeline_view ${of(login)}`, 1]]);
  await ask('POST /api/project-join', { cookie }, () => [[`join ${of(login)}`, 1]]);
  await ask('POST /auth/logout', { cookie }, () => [[`session ${of(login)}`, -1]]);
}

export const CASES: Readonly<Record<string, Case>> = {
  'the server under load, from the first start on': {
    prepare() {},
    async tell(recorder) {
      const server = await recorder.start();
      const people = [ADA, NEW, 'alan@example.com'];
      for (const email of people) await recorder.tool('invite', 'add', email);
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
    tell: async ({ tool }) => void (await tool('backup', 'create')),
    again: ['backup create', takeSnapshot],
    faults: {
      'a snapshot is not synced before it is named': without(isSync('/backups/draft')),
      'its name is not synced': without(isSync('/backups')),
    },
  },
  'an erasure, also in a snapshot': {
    prepare,
    async tell(recorder) {
      const server = await recorder.start();
      await recorder.tool('invite', 'add', NEW);
      await visit(server, NEW);
      await recorder.tool('backup', 'create');
      await recorder.tool('person', 'forget', NEW, '--snapshots', '--yes');
      await visit(server, ADA);
      await server.stop();
    },
    again: [
      'person forget',
      async (store) => {
        await emptyWal(store);
        await eraseFromSnapshots(store, NEW);
        assert.deepEqual(snapshotsWith(store, NEW), []);
        for (const { file } of listSnapshots(store)) assert.equal(inspectFile(file).fault, null);
      },
    ],
    faults: {
      'the emptied WAL is not synced': withoutAfter(
        ({ name, target }) => name === 'ftruncate' && target.endsWith('-wal'),
        isSync('-wal'),
      ),
      'the removal of the journal is not synced': withoutAfter(
        (call) => call.name === 'unlink' && /\.db-journal$/.test(pathsOf(call)[0] ?? ''),
        isSync('/backups'),
      ),
    },
  },
  'a restore': {
    prepare,
    async tell({ tool, store }) {
      await tool('backup', 'create');
      await tool('invite', 'add', NEW);
      await tool('backup', 'restore', listSnapshots(store)[0]?.file ?? '', '--yes');
      await tool('invite', 'add', 'alan@example.com');
    },
    again: [
      'backup restore',
      async (store) => {
        const taken = listSnapshots(store).at(-1)?.file ?? '';
        if (invitedIn(store).includes(NEW)) await restoreSnapshot(store, taken);
        assert.deepEqual(invitedIn(store), [ADA]);
        assert.ok(snapshotsWith(store, NEW).length > 0, 'the old store is kept');
      },
    ],
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
    again: ['start', async () => undefined],
    faults: { 'that snapshot is not synced': without(isSync('/backups')) },
  },
};
