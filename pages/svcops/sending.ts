/** Sends many invites through the route for one, a few at a time. */
import type { Entry } from './address-list.ts';
import { Failure, postInvite } from './api.ts';

/** Requests at a time: the connections that a browser keeps to a site. */
const AT_A_TIME = 6;

export type Sending = {
  /** Set to end before the last entry; invites on their way are awaited. A failure sets it too. */
  end?: 'stopped' | Failure['kind'];
  /** The answers so far: `invited`, or the service's error code. A lost reply is no answer. */
  readonly answers: Map<Entry, string>;
};

/** @param progressed is called after each reply */
export async function sendAll(
  entries: readonly Entry[],
  sending: Sending,
  progressed: () => void,
): Promise<void> {
  const queue = entries.values();

  async function send(entry: Entry): Promise<void> {
    try {
      await postInvite(entry.email, entry.firstName);
      sending.answers.set(entry, 'invited');
    } catch (error) {
      const { kind, code } = error instanceof Failure ? error : new Failure('offline');
      if (kind === 'refused') sending.answers.set(entry, code);
      else sending.end ??= kind;
    }
    progressed();
  }

  async function sendInTurn(): Promise<void> {
    for (let next = queue.next(); !next.done && !sending.end; next = queue.next())
      await send(next.value);
  }

  await Promise.all(Array.from({ length: AT_A_TIME }, sendInTurn));
}
