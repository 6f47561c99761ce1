/** What is recorded, what an operator does after a kill, and faults that power cuts must show. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { removeDeletedBytes } from '../../../lib/store/erase.ts';
import { restoreSnapshot } from '../../../lib/store/restore.ts';
import { listSnapshots, takeSnapshot, takeSnapshotNow } from '../../../lib/store/snapshots.ts';
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

/** @param ending of a path, without the random number of a draft */
const isSync =
  (ending: string): Kind =>
  ({ name, target }) =>
    /^f(data)?sync$/.test(name) && target.replace(/draft-\w+/, 'draft').endsWith(ending);

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

/** The restore alone is without these syncs. */
const restoreWithout = (...endings: readonly string[]) => {
  const change = without((call) => endings.some((ending) => isSync(ending)(call)));
  return (calls: readonly Call[]) =>
    calls.some((call) => pathsOf(call).some((file) => file.includes('/data/draft-')))
      ? change(calls)
      : calls;
};

async function restoreAgain(store: string): Promise<void> {
  const taken = listSnapshots(store).at(-1)?.file ?? '';
  await restoreSnapshot(store, taken);
  assert.deepEqual(invitedIn(store), [ADA]);
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
  'an erasure': {
    prepare,
    async tell(recorder) {
      const server = await recorder.start();
      await recorder.tool('invite', 'add', NEW);
      // The WAL is longer than what the erasure writes.
      for (let i = 0; i < 5; i += 1) await server.visit(NEW);
      await recorder.tool('person', 'forget', NEW, '--yes');
      await server.visit(ADA);
      await server.stop();
    },
    again: [
      'person forget',
      async (store) => assert.deepEqual(await removeDeletedBytes(store), []),
    ],
    faults: {
      'the emptied WAL is not synced': without(
        isSync('-wal'),
        ({ name, target }) => name === 'ftruncate' && target.endsWith('/guestlist.db-wal'),
      ),
    },
  },
  'a restore beside a running server': {
    prepare,
    async tell(recorder) {
      const { tool, store } = recorder;
      await tool('backup', 'create');
      const server = await recorder.start();
      await tool('invite', 'add', NEW);
      await server.visit(NEW);
      await tool('backup', 'restore', listSnapshots(store)[0]?.file ?? '', '--yes');
      await server.visit(ADA);
      await server.stop();
    },
    again: ['backup restore', restoreAgain],
    faults: {
      'the store is not synced before it is said': restoreWithout('.db', '-wal'),
      'the old store is not synced before it is named': restoreWithout('/backups/draft'),
    },
  },
  'a restore where there is no store': {
    prepare(site) {
      prepare(site);
      takeSnapshotNow(site.store, '');
      fs.rmSync(site.store);
    },
    async tell({ tool, store }) {
      await tool('backup', 'restore', listSnapshots(store)[0]?.file ?? '', '--yes');
      await tool('invite', 'add', 'alan@example.com');
    },
    again: ['backup restore', restoreAgain],
    faults: { 'the draft is not synced before it is named': without(isSync('/data/draft')) },
  },
  'a conversion, and the snapshot before it': {
    prepare: ({ store }) => void makeOldStore(store).close(),
    async tell(recorder) {
      const server = await recorder.start();
      await server.visit(ADA);
      await server.stop();
    },
    again: ['start', takeSnapshot],
    faults: { 'that snapshot is not synced': without(isSync('/backups')) },
  },
};
