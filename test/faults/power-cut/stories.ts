/** What is recorded, what an operator does after a kill, and faults that power cuts must show. */
import assert from 'node:assert/strict';
import { eraseFromSnapshots, snapshotsNaming, truncateWal } from '../../../lib/store/erase.ts';
import { inspectStoreFile } from '../../../lib/store/inspection.ts';
import { restoreSnapshot } from '../../../lib/store/restore.ts';
import { listSnapshots, takeSnapshot } from '../../../lib/store/snapshots.ts';
import { invitedIn } from '../../support/database.ts';
import type { Installation } from '../../support/installation.ts';
import { makeOldStore } from '../../support/old-store.ts';
import type { Variation } from './cut.ts';
import { ERASED as NEW } from './examine.ts';
import type { Recorder } from './recording.ts';
import { type Call, pathsOf } from './trace.ts';

export type Story = Pick<Variation, 'again'> & {
  /** Makes the store of before. */
  readonly prepare: (site: Installation) => void;
  readonly tell: (recorder: Recorder) => Promise<void>;
  /** By a name, what changes the calls of each program. */
  readonly faults: Readonly<Record<string, (calls: readonly Call[]) => readonly Call[]>>;
};

const ADA = 'ada@example.com';

type Kind = (call: Call) => boolean;

const isSync =
  (ending: string): Kind =>
  ({ name, target }) =>
    /^f(data)?sync$/.test(name) && target.endsWith(ending);

/** Without a kind of calls, or without those after the last call of another kind. */
const without = (is: Kind, isLast?: Kind) => (calls: readonly Call[]) => {
  const from = isLast ? (calls.findLast(isLast)?.began ?? Number.POSITIVE_INFINITY) : 0;
  return calls.filter((call) => !(is(call) && call.began > from));
};

/** The WAL is synced after the next reply. */
const syncLate = (calls: readonly Call[]): readonly Call[] =>
  calls.flatMap((call) => {
    if (!isSync('-wal')(call)) return call;
    const isNext = ({ name, target, began }: Call) =>
      name.startsWith('write') && target.startsWith('socket:') && began > call.returned;
    const { began = Number.POSITIVE_INFINITY } = calls.find(isNext) ?? {};
    return { ...call, began: began + 1, returned: began + 1 };
  });

function prepare(site: Installation): void {
  site.invite(ADA);
  site.setAdmin(ADA);
}

export const STORIES: Readonly<Record<string, Story>> = {
  'the server under load, from the first start on': {
    prepare() {},
    async tell(recorder) {
      const server = await recorder.start();
      const people = [ADA, NEW, 'alan@example.com'];
      for (const email of people) await recorder.tool('invite', 'add', email);
      await Promise.all([...people, ...people].map((email) => server.visit(email)));
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
      await server.visit(NEW);
      await recorder.tool('backup', 'create');
      await recorder.tool('person', 'forget', NEW, '--snapshots', '--yes');
      await server.visit(ADA);
      await server.stop();
    },
    again: [
      'person forget',
      async (store) => {
        await truncateWal(store);
        await eraseFromSnapshots(store, NEW);
        assert.deepEqual(snapshotsNaming(store, NEW), []);
        for (const { file } of listSnapshots(store))
          assert.equal(inspectStoreFile(file).fault, null);
      },
    ],
    faults: {
      'the emptied WAL is not synced': without(
        isSync('-wal'),
        ({ name, target }) => name === 'ftruncate' && target.endsWith('-wal'),
      ),
      'the removal of the journal is not synced': without(
        isSync('/backups'),
        (call) => call.name === 'unlink' && /\.db-journal$/.test(pathsOf(call)[0] ?? ''),
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
        assert.ok(snapshotsNaming(store, NEW).length > 0, 'the old store is kept');
      },
    ],
    faults: {
      'the new store is not synced before it is named': without(isSync('.db.draft')),
      'the old store is not synced before it is named': without(isSync('/backups/draft')),
    },
  },
  'a migration, and the snapshot before it': {
    prepare: ({ store }) => void makeOldStore(store).close(),
    async tell(recorder) {
      const server = await recorder.start();
      await server.visit(ADA);
      await server.stop();
    },
    again: ['start', async () => undefined],
    faults: { 'that snapshot is not synced': without(isSync('/backups')) },
  },
};
