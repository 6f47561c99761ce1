/** What is recorded, what an operator does after a kill, and faults that power cuts must show; the tests of each. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeDeletedBytes } from '../../../lib/extras/erasure/personal-data.ts'; // extra: erasure
import { restoreSnapshot } from '../../../lib/extras/restore/restore.ts'; // extra: restore
import { listSnapshots, takeSnapshot } from '../../../lib/store/snapshots.ts';
import { invitedIn } from '../../support/database.ts'; // extra: restore
import type { Installation } from '../../support/installation.ts';
import { lacksStrace } from '../../support/lacks.ts';
import { randomFrom } from '../../support/random.ts';
import { siteForAll } from '../../support/site.ts';
import { readStore } from '../reader.ts'; // extra: restore
import { lossesOf, ERASED as NEW, type Variation } from './cut.ts';
import type { Call } from './disk.ts';
import { type Recorder, type Recording, record } from './recording.ts';

export type Story = Pick<Variation, 'again'> & {
  /** Makes the store of before. */
  readonly prepare: (site: Installation) => void;
  readonly tell: (recorder: Recorder) => Promise<void>;
  /** By a name, what changes the calls of each program. */
  readonly faults: Readonly<Record<string, (calls: readonly Call[]) => readonly Call[]>>;
};

const ADA = 'ada@example.com';
const ALAN = 'alan@example.com';

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

// extra: restore
/** Without the syncs of folders between the first rename and the last. */
const withoutSyncBetween = (calls: readonly Call[]): readonly Call[] => {
  const isRename = ({ name }: Call) => name.startsWith('rename');
  const [from, to] = [calls.findIndex(isRename), calls.findLastIndex(isRename)];
  const isOfFolder = (call: Call) => isSync('/data')(call) || isSync('/backups')(call);
  return calls.filter((call, at) => at < from || at > to || !isOfFolder(call));
};

/** Ada is in the snapshot. The replaced store is kept. */
const restoreAgain = (everybody: readonly string[]) => (store: string) => {
  restoreSnapshot(store, listSnapshots(store).at(-1)?.file ?? '');
  assert.deepEqual(invitedIn(store), [ADA]);
  const kept = listSnapshots(store).map(({ file }) => String(invitedIn(file)));
  const isKept = kept.some((each) => each.startsWith(String(everybody)));
  assert.ok(isKept, `the kept stores have ${kept.join(' and ')}`);
};

async function restore({ start, tool, store }: Recorder): Promise<void> {
  await tool('backup', 'restore', listSnapshots(store)[0]?.file ?? '', '--yes');
  const server = await start();
  await server.visit(ADA);
  await server.stop();
}
// end: restore

const STORIES: Readonly<Record<string, Story>> = {
  'the server under load, from the first start on': {
    prepare() {},
    async tell(recorder) {
      const server = await recorder.start();
      const people = [ADA, NEW, ALAN];
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
  // extra: erasure
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
    again: ['person forget', removeDeletedBytes],
    faults: {
      'the emptied WAL is not synced': without(
        isSync('-wal'),
        ({ name, target }) => name === 'ftruncate' && target.endsWith('/guestlist.db-wal'),
      ),
    },
  },
  // end: erasure
  // extra: restore
  'a restore': {
    prepare(site) {
      prepare(site);
      takeSnapshot(site.store);
    },
    async tell(recorder) {
      for (const email of [ALAN, NEW]) await recorder.tool('invite', 'add', email);
      await restore(recorder);
    },
    again: ['backup restore', restoreAgain([ADA, ALAN, NEW])],
    faults: { 'the draft is not synced before it is named': without(isSync('/backups/draft')) },
  },
  'a restore beside a program that reads the store, whose WAL it moves': {
    prepare(site) {
      prepare(site);
      takeSnapshot(site.store);
      site.invite(ALAN);
    },
    async tell(recorder) {
      const endRead = await readStore(recorder.store);
      // It is only in the WAL.
      await recorder.tool('invite', 'add', NEW);
      await restore(recorder);
      await endRead();
    },
    // An interruption between the two moves loses the WAL.
    again: ['backup restore', restoreAgain([ADA, ALAN])],
    faults: { 'the moves of the replaced store are not synced': withoutSyncBetween },
  },
  // end: restore
};

/** @param more cuts of each story, at random moments @param chosen stories */
export function proveEach(seed: number, more: number, chosen = /./): void {
  describe(`after a power cut, seed ${seed}`, { skip: lacksStrace() }, () => {
    for (const [what, story] of Object.entries(STORIES)) {
      if (!chosen.test(what)) continue;
      const site = siteForAll();
      const random = randomFrom(seed);
      let recording: Recording;

      it(`${what}: all is there that was said, and the next try succeeds`, async () => {
        recording = await record(site, story);
        const losses = await lossesOf(recording, random, { ...story, more });
        assert.deepEqual(losses, []);
      });

      for (const [fault, alter] of Object.entries(story.faults))
        it(`${what}: losses are reported where ${fault}`, async () => {
          const losses = await lossesOf(recording, random, { ...story, alter });
          assert.ok(losses.length > 0);
        });
    }
  });
}
