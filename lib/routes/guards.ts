/** A guard wraps a handler: it refuses the request, or passes on who sent it. */
import { readCookie } from '../http/cookies.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import { isCrossOrigin, type Request } from '../http/request.ts';
import type { Handler, Outcome } from '../http/router.ts';
import { findVisitor, type Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';

export const SESSION_COOKIE = 'svc_session';

const CROSS_ORIGIN = errorReply(403, 'cross_origin');

export type VisitorHandler = (request: Request, visitor: Visitor) => Outcome;

export type Guards = {
  /** Refuses requests that a page of another site makes a browser send. */
  readonly sameOrigin: (handle: Handler) => Handler;
  /** Everybody without a session gets `refused`. */
  readonly visitor: (refused: Reply, handle: VisitorHandler) => Handler;
  /** Everybody but an administrator gets the reply to an unknown URL. */
  readonly admin: (handle: VisitorHandler) => Handler;
  /** Like `admin`, and hides the API from requests of other sites too. */
  readonly adminApi: (handle: VisitorHandler) => Handler;
};

export function createGuards(db: Database, publicOrigin: string): Guards {
  const isOfOtherSite = (request: Request): boolean => isCrossOrigin(request, publicOrigin);

  function visitor(refused: Reply, handle: VisitorHandler): Handler {
    return (request) => {
      const found = visitorOf(db, request);
      return found ? handle(request, found) : refused;
    };
  }

  function admin(handle: VisitorHandler): Handler {
    return visitor(NOT_FOUND, (request, found) =>
      found.isAdmin ? handle(request, found) : NOT_FOUND,
    );
  }

  function adminApi(handle: VisitorHandler): Handler {
    return admin((request, found) => (isOfOtherSite(request) ? NOT_FOUND : handle(request, found)));
  }

  function sameOrigin(handle: Handler): Handler {
    return (request) => (isOfOtherSite(request) ? CROSS_ORIGIN : handle(request));
  }

  return { sameOrigin, visitor, admin, adminApi };
}

/** The visitor who sent a request, as the store says now. */
export function visitorOf(db: Database, { headers }: Request): Visitor | undefined {
  return findVisitor(db, readCookie(headers.cookie, SESSION_COOKIE), Date.now());
}
