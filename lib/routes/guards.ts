/** A guard wraps a handler: it refuses the request, or passes on who sent it. */
import { readCookie } from '../http/cookies.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import { isCrossOrigin, type Request } from '../http/request.ts';
import type { Answer, Handler } from '../http/router.ts';
import { findVisitor, isAdmin, type Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';

export const SESSION_COOKIE = 'svc_session';

const CROSS_ORIGIN = errorReply(403, 'cross_origin');

export type VisitorHandler = (request: Request, visitor: Visitor) => Answer;

export type Guards = {
  /** Refuses requests that a page of another site makes a browser send. */
  readonly sameOrigin: (handle: Handler) => Handler;
  /** Everybody without a session gets `refused`. */
  readonly visitor: (refused: Reply, handle: VisitorHandler) => Handler;
  /** Everybody but an administrator gets the reply to an unknown URL. */
  readonly admin: (handle: VisitorHandler) => Handler;
  /** The same. A page of another site gets that reply even in an administrator's browser. */
  readonly adminApi: (handle: VisitorHandler) => Handler;
};

export function createGuards(db: Database, publicOrigin: string): Guards {
  const visitor =
    (refused: Reply, handle: VisitorHandler): Handler =>
    (request) => {
      const found = visitorOf(db, request);
      return found ? handle(request, found) : refused;
    };
  const admin = (handle: VisitorHandler): Handler =>
    visitor(NOT_FOUND, (request, found) =>
      isAdmin(db, found) ? handle(request, found) : NOT_FOUND,
    );
  return {
    visitor,
    admin,
    sameOrigin: (handle) => (request) =>
      isCrossOrigin(request, publicOrigin) ? CROSS_ORIGIN : handle(request),
    adminApi: (handle) =>
      admin((request, found) =>
        isCrossOrigin(request, publicOrigin) ? NOT_FOUND : handle(request, found),
      ),
  };
}

/** The visitor who sent a request, as the store says now. */
export function visitorOf(db: Database, { headers }: Request): Visitor | undefined {
  return findVisitor(db, readCookie(headers.cookie, SESSION_COOKIE), Date.now());
}
