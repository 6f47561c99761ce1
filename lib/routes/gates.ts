/** Who may pass: a gate wraps a handler and returns either the handler's reply or its own. */
import { readCookie } from '../http/cookies.ts';
import { NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** The session that a request's cookie proves, if any. */
export function findSession(store: ServerStore, request: Request): Session | undefined {
  return store.sessions.find(readCookie(request.headers.cookie, SESSION_COOKIE), Date.now());
}

export function gates(store: ServerStore) {
  return {
    /** Lets through who is logged in; everybody else gets `otherwise`. */
    visitorOnly:
      <R extends Reply | Promise<Reply>>(
        otherwise: Reply,
        handler: (request: Request, session: Session) => R,
      ) =>
      (request: Request): R | Reply => {
        const session = findSession(store, request);
        return session ? handler(request, session) : otherwise;
      },

    /** Lets administrators through; for everybody else there is nothing here. */
    adminOnly:
      (handler: (request: Request, session: Session) => Reply | Promise<Reply>): Handler =>
      (request) => {
        const session = findSession(store, request);
        return session && store.invites.isAdmin(session.email)
          ? handler(request, session)
          : NOT_FOUND;
      },

    /**
     * Runs a handler that records, gates and all, as one job of the commit queue: what it records is on disk before its reply is
     * sent, and nothing is recorded for a session that ended while it waited. Who brings no cookie waits for nothing.
     */
    recorded:
      (handler: (request: Request) => Reply): Handler =>
      (request) =>
        request.method === 'HEAD' || request.headers.cookie === undefined
          ? handler(request)
          : store.write(() => handler(request)),
  };
}
