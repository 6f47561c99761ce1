/** Who may pass: a gate wraps a handler and returns either the handler's reply or its own. */
import { readCookie } from '../http/cookies.ts';
import { NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/rows/sessions.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** The session that a request's cookie proves, if any. */
export function findSession(store: ServerStore, request: Request): Session | undefined {
  return store.sessions.find(readCookie(request.headers.cookie, SESSION_COOKIE), Date.now());
}

/** The session that a request's cookie proves, if it is an administrator's. */
export function findAdministrator(store: ServerStore, request: Request): Session | undefined {
  const session = findSession(store, request);
  return session && store.invites.isAdmin(session.email) ? session : undefined;
}

export function gates(store: ServerStore) {
  const visitorOnly =
    <R extends Reply | Promise<Reply>>(
      otherwise: Reply,
      handler: (request: Request, session: Session) => R,
    ) =>
    (request: Request): R | Reply => {
      const session = findSession(store, request);
      return session ? handler(request, session) : otherwise;
    };

  return {
    /** Lets through who is logged in; everybody else gets `otherwise`. */
    visitorOnly,

    /** Lets administrators through; for everybody else there is nothing here. */
    adminOnly:
      (handler: Handler): Handler =>
      (request) =>
        findAdministrator(store, request) ? handler(request) : NOT_FOUND,

    /**
     * `visitorOnly` for a handler that records: the record is on disk before the reply is sent.
     * Only requests with a session wait for a commit, which checks the session again.
     */
    recorded(otherwise: Reply, handler: (request: Request, session: Session) => Reply): Handler {
      const gated = visitorOnly(otherwise, handler);
      return visitorOnly(otherwise, (request, session) =>
        request.method === 'HEAD' ? handler(request, session) : store.write(() => gated(request)),
      );
    },
  };
}
