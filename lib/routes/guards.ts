/** A guard wraps a handler: it refuses the request, or passes on who sent it. */
import { readCookie } from '../http/cookies.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import { isCrossOrigin, type Request } from '../http/request.ts';
import type { Check, Handler, Recording } from '../http/router.ts';
import { findVisitor, isAdmin, type Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';

export const SESSION_COOKIE = 'svc_session';

const CROSS_ORIGIN = errorReply(403, 'cross_origin');

export type VisitorHandler = (request: Request, visitor: Visitor) => Reply | Recording;

export type Guards = {
  /** Refuses requests that a page of another site makes a browser send. */
  readonly sameOrigin: <Answer>(
    next: (request: Request) => Answer,
  ) => (request: Request) => Answer | Reply;
  /** Everybody without a session gets `refused`. */
  readonly visitor: (refused: Reply, handle: VisitorHandler) => Handler;
  /** Everybody but an administrator gets the reply to an unknown URL. */
  readonly admin: (handle: VisitorHandler) => Handler;
  /** The same. A page of another site gets that reply even in an administrator's browser. */
  readonly adminApi: (handle: VisitorHandler) => Handler;
  /** Decides as `adminApi` does, before a body is read. */
  readonly onlyAdminApi: Check;
};

export function createGuards(db: Database, publicOrigin: string): Guards {
  const isOfOtherSite = (request: Request): boolean => isCrossOrigin(request, publicOrigin);

  const adminOf = (request: Request): Visitor | undefined => {
    const visitor = visitorOf(db, request);
    return visitor && isAdmin(db, visitor) ? visitor : undefined;
  };

  const admin =
    (handle: VisitorHandler): Handler =>
    (request) => {
      const visitor = adminOf(request);
      return visitor ? handle(request, visitor) : NOT_FOUND;
    };

  return {
    sameOrigin: (next) => (request) => (isOfOtherSite(request) ? CROSS_ORIGIN : next(request)),
    visitor: (refused, handle) => (request) => {
      const visitor = visitorOf(db, request);
      return visitor ? handle(request, visitor) : refused;
    },
    admin,
    adminApi: (handle) =>
      admin((request, visitor) => (isOfOtherSite(request) ? NOT_FOUND : handle(request, visitor))),
    onlyAdminApi: (request) =>
      adminOf(request) && !isOfOtherSite(request) ? undefined : NOT_FOUND,
  };
}

/** The visitor who sent a request, as the store says now. */
export function visitorOf(db: Database, { headers }: Request): Visitor | undefined {
  return findVisitor(db, readCookie(headers.cookie, SESSION_COOKIE), Date.now());
}
