/** Faults that power cuts must show, made in what was recorded of a sound server. */
import { type Call, inTrace } from './trace.ts';

type Fault = {
  /** The phase in which it shows, if the story has several. */
  readonly phase?: string;
  /** Changes the calls of one program. */
  readonly alter: (calls: readonly Call[]) => readonly Call[];
};

const isSync = (ending: string) => {
  const end = inTrace(ending);
  return ({ name, target }: Call) => /^f(data)?sync$/.test(name) && target.endsWith(end);
};
const isLogSync = isSync('-wal');

const DATA = inTrace('/data');
const isSyncBeside = ({ name, target }: Call) => name === 'fsync' && !target.includes(DATA);

const SOCKET = inTrace('socket:');
const isReply = ({ name, target }: Call) => name.startsWith('write') && target.startsWith(SOCKET);

const without = (is: (call: Call) => boolean) => (calls: readonly Call[]) =>
  calls.filter((call) => !is(call));

export type Faults = Readonly<Record<string, Fault>>;

/** Under load. */
export const LOG: Faults = {
  'the log is not synced': { alter: without(isLogSync) },
  'the log is synced after the replies': {
    alter: (calls) =>
      calls.flatMap((call) => {
        if (!isLogSync(call)) return call;
        const reply = calls.find((other) => isReply(other) && other.began > call.returned);
        return reply ? { ...call, began: reply.began + 1, returned: reply.began + 1 } : [];
      }),
  },
};

/** At the very first invite. */
export const FIRST: Faults = {
  'the folder of a new store is not synced': { alter: without(isSync('/data')) },
};

/** In the folder of another program. */
export const FOREIGN: Faults = {
  'the name of that folder is not synced': { alter: without(isSyncBeside) },
};

/** Of a backup. */
export const BACKUP: Faults = {
  'a snapshot is not synced before it is named': { alter: without(isSync('/backups/draft')) },
};

/** Of a snapshot from which a person is erased. */
export const ERASURE: Faults = {
  'the removal of an old log is not synced before the rename': {
    alter: (calls) => {
      const renamed = calls.find(({ name }) => name.startsWith('rename'))?.began ?? 0;
      return without((call) => isSync('/backups')(call) && call.began < renamed)(calls);
    },
  },
};

/** Of a migration. */
export const MIGRATION: Faults = {
  'the snapshot before a migration is not synced': { alter: without(isSync('/backups')) },
};

/** Of `backup prune`. */
export const PRUNING: Faults = {
  'removed snapshots are not synced': { phase: 'backup prune', alter: without(isSync('/backups')) },
};
