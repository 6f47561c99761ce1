/** Faults that power cuts must show, made in what was recorded of a sound server. */
import { type Call, inTrace } from './trace.ts';

type Fault = {
  /** The phase in which it shows. */
  readonly phase: string;
  /** Changes the calls of one program. */
  readonly alter: (calls: readonly Call[]) => readonly Call[];
};

const isSync = (ending: string) => {
  const end = inTrace(ending);
  return ({ name, target }: Call) => /^f(data)?sync$/.test(name) && target.endsWith(end);
};
const isLogSync = isSync('-wal');

const SOCKET = inTrace('socket:');
const isReply = ({ name, target }: Call) => name.startsWith('write') && target.startsWith(SOCKET);

const without = (is: (call: Call) => boolean) => (calls: readonly Call[]) =>
  calls.filter((call) => !is(call));

const LOAD = 'load: logins, views, joins, invites, logouts';

export const FAULTS: Readonly<Record<string, Fault>> = {
  'the log is not synced': { phase: LOAD, alter: without(isLogSync) },
  'the log is synced after the replies': {
    phase: LOAD,
    alter: (calls) =>
      calls.flatMap((call) => {
        if (!isLogSync(call)) return call;
        const reply = calls.find((other) => isReply(other) && other.began > call.returned);
        return reply ? { ...call, began: reply.began + 1, returned: reply.began + 1 } : [];
      }),
  },
  'the folder of a new store is not synced': {
    phase: 'the very first start',
    alter: without(isSync('/data')),
  },
  'a snapshot is not synced before it is named': {
    phase: 'backup create',
    alter: without(isSync('/backups/draft')),
  },
  'the removal of an old log is not synced before the rename': {
    phase: 'person forget, with a snapshot and its log',
    alter: (calls) => {
      const renamed = calls.find(({ name }) => name.startsWith('rename'))?.began ?? 0;
      return without((call) => isSync('/backups')(call) && call.began < renamed)(calls);
    },
  },
  'removed snapshots are not synced': {
    phase: 'backup prune',
    alter: without(isSync('/backups')),
  },
};
