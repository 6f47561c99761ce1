/**
 * Everything that the server writes, by name. The jobs run in the writer's thread (`writer.ts`), each in a transaction that
 * it shares with others; what they are given and return must therefore be plain data.
 */
import type { Database } from 'better-sqlite3';
import type { Device } from '../device.ts';
import { events, type View } from './events.ts';
import { invites, type NewInvite } from './invites.ts';
import { joins } from './joins.ts';
import { type Session, sessions } from './sessions.ts';

export type Login = {
  readonly email: string;
  readonly device: Device;
  /** Epoch ms. */
  readonly now: number;
  /** The session that the visitor had before, if any. */
  readonly former: string | undefined;
};

export type TimelineView = {
  readonly session: Session;
  readonly device: Device;
  /** Epoch ms. */
  readonly now: number;
  readonly meta: View;
};

export type Writes = ReturnType<typeof writes>;

export function writes(db: Database) {
  const [invite, session, join, event] = [invites(db), sessions(db), joins(db), events(db)];

  return {
    /**
     * Ends the session that the visitor had, begins a new one and records the login.
     *
     * @returns the new session's token, or `undefined` where the invite has been removed meanwhile
     */
    logIn({ email, device, now, former }: Login): string | undefined {
      if (!invite.find(email)) return undefined;
      if (former !== undefined) session.end(former);
      const begun = session.begin(email, now);
      event.record({
        type: 'login',
        email,
        occurredAt: now,
        session: begun.session.id,
        ...columns(device),
        meta: null,
      });
      return begun.token;
    },

    logOut: (id: string): void => session.end(id),

    /** @returns false, and records nothing, where the session has been ended meanwhile */
    recordView({ session: { id, email }, device, now, meta }: TimelineView): boolean {
      if (!session.exists(id)) return false;
      event.record({
        type: 'timeline_view',
        email,
        occurredAt: now,
        session: id,
        ...columns(device),
        meta,
      });
      return true;
    },

    /**
     * @param now epoch ms
     * @returns false, and records nothing, where the session has been ended meanwhile
     */
    recordJoin({ id, email }: Session, now: number): boolean {
      if (!session.exists(id)) return false;
      join.record({ email, session: id, clickedAt: now });
      return true;
    },

    /** @returns false where the email is already invited */
    invite: (invited: NewInvite): boolean => invite.add(invited),

    /** Deletes up to `limit` sessions that have expired at `now` (epoch ms). */
    sweepSessions: (now: number, limit: number): number => session.sweep(now, limit),
  };
}

const columns = ({ type, os, browser }: Device) => ({ deviceType: type, os, browser });
