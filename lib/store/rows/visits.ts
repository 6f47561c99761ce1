/** What visitors do most: views of the timeline and join clicks, appended to their logs. */
import type { Device, View } from '../../records.ts';
import type { writeEvents } from './events.ts';
import type { writeJoins } from './joins.ts';
import type { SessionMemory, Visitor } from './sessions.ts';

/** A view of the timeline, or without `view`, a join click. */
export type Visit = {
  readonly visitor: Visitor;
  /** In epoch ms. */
  readonly at: number;
  readonly view?: { readonly device: Device; readonly meta: View };
};

type Logs = {
  readonly events: ReturnType<typeof writeEvents>;
  readonly joins: ReturnType<typeof writeJoins>;
};

/** Makes a function that appends a visit, and returns false if its session is no longer valid. */
export const appendVisits =
  (find: SessionMemory['find'], { events, joins }: Logs) =>
  ({ visitor, at, view }: Visit): boolean => {
    const proven = find(visitor.token);
    if (!proven) return false;
    const { id: session, email } = proven;
    if (view) {
      const { device, meta } = view;
      const { deviceType, os, browser } = device;
      const what = { type: 'timeline_view', deviceType, os, browser, meta } as const;
      events.record({ ...what, email, occurredAt: at, session });
    } else joins.record({ email, session, clickedAt: at });
    return true;
  };
