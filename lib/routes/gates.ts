/** Who may pass: a gate wraps a handler and returns either the handler's reply or its own. */
import { readCookie } from '../http/cookies.ts';
import { NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { Store } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** A handler for somebody who is logged in. */
export type SessionHandler = (request: Request, session: Session) => Reply | Promise<Reply>;

/** The session that a request's cookie proves, if any. */
export function findSession(store: Store, request: Request): Session | undefined {
  return store.sessions.find(readCookie(request.headers.cookie, SESSION_COOKIE), Date.now());
}

/** The session was ended while a write on its behalf waited for the store. */
class SessionEnded extends Error {}

/**
 * Writes on behalf of a session that is still there when its turn comes: whoever was logged out or erased meanwhile
 * leaves no new rows.
 */
export function writeFor(store: Store, session: Session, job: () => void): Promise<void> {
  return store.write(() => {
    if (!store.sessions.exists(session.id)) throw new SessionEnded();
    job();
  });
}

export function gates(store: Store) {
  return {
    /** Lets through who is logged in; everybody else gets `otherwise`. */
    visitorOnly:
      (otherwise: Reply, handler: SessionHandler): Handler =>
      async (request) => {
        const session = findSession(store, request);
        if (!session) return otherwise;
        try {
          return await handler(request, session);
        } catch (error) {
          if (error instanceof SessionEnded) return otherwise;
          throw error;
        }
      },

    /** Lets administrators through; for everybody else there is nothing here. */
    adminOnly:
      (handler: SessionHandler): Handler =>
      (request) => {
        const session = findSession(store, request);
        return session && store.invites.isAdmin(session.email)
          ? handler(request, session)
          : NOT_FOUND;
      },
  };
}
