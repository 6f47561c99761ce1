/** Who may pass: a gate wraps a handler and returns either the handler's reply or its own. */
import { readCookie } from '../http/cookies.ts';
import { NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** A handler for somebody who is logged in. */
export type SessionHandler = (request: Request, session: Session) => Reply | Promise<Reply>;

/** The same, which returns nothing where the session turned out to be ended. */
export type VisitorHandler = (
  request: Request,
  session: Session,
) => Reply | undefined | Promise<Reply | undefined>;

/** The session that a request's cookie proves, if any. */
export function findSession(store: ServerStore, request: Request): Session | undefined {
  return store.sessions.find(readCookie(request.headers.cookie, SESSION_COOKIE), Date.now());
}

export function gates(store: ServerStore) {
  return {
    /** Lets through who is logged in; everybody else, and whose session ends before the handler is done, gets `otherwise`. */
    visitorOnly:
      (otherwise: Reply, handler: VisitorHandler): Handler =>
      async (request) => {
        const session = findSession(store, request);
        return (session && (await handler(request, session))) ?? otherwise;
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
