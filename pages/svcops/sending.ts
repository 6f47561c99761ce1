/** Sends many invites through the route for one, a few at a time. */
import type { Entry } from './address-list.ts';
import { Failure, postInvite } from './api.ts';

/** Requests at a time: the connections that a browser keeps to a site. */
const AT_A_TIME = 6;

export type Outcome = 'invited' | 'listed' | 'refused';

export type Sending = {
  /** Sends no further invite; those on their way are awaited. */
  stop(): void;
  /** Resolves at the end. An entry without an outcome was not sent, or its reply was lost. */
  readonly ended: Promise<ReadonlyMap<Entry, Outcome>>;
  /** Why it ended early: `stopped`, or the failure that ended it. */
  readonly reason: () => 'stopped' | Exclude<Failure['kind'], 'refused'> | undefined;
};

/** @param progressed is told how many have an outcome */
export function sendAll(entries: readonly Entry[], progressed: (count: number) => void): Sending {
  const outcomes = new Map<Entry, Outcome>();
  const queue = entries.values();
  let reason: ReturnType<Sending['reason']>;

  async function send(entry: Entry): Promise<void> {
    try {
      await postInvite(entry.email, entry.firstName);
      outcomes.set(entry, 'invited');
    } catch (error) {
      const { kind, code } = error instanceof Failure ? error : new Failure('offline');
      if (kind === 'refused')
        outcomes.set(entry, code === 'already_invited' ? 'listed' : 'refused');
      else reason ??= kind;
    }
    progressed(outcomes.size);
  }

  async function sendInTurn(): Promise<void> {
    for (let next = queue.next(); !next.done && !reason; next = queue.next())
      await send(next.value);
  }

  const senders = Array.from({ length: AT_A_TIME }, sendInTurn);
  return {
    stop() {
      reason ??= 'stopped';
    },
    ended: Promise.all(senders).then(() => outcomes),
    reason: () => reason,
  };
}
