/**
 * Guards decide who gets an answer. Each comes in two forms: around a handler, which gets what the
 * guard found, and as a check that only refuses.
 */
import { readCookie } from '../http/cookies.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import { isCrossOrigin, type Request } from '../http/request.ts';
import type { Check, Handler } from '../http/router.ts';
import { findVisitor, type Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';

export const SESSION_COOKIE = 'svc_session';

const CROSS_ORIGIN = errorReply(403, 'cross_origin');

export type VisitorHandler = (request: Request, visitor: Visitor) => Reply;

export type Guards = {
  /** Refuses requests that a page of another site makes a browser send. */
  readonly sameOrigin: (check: Check) => Check;
  /** Everybody without a session gets `refused`. */
  readonly visitor: (refused: Reply, handle: VisitorHandler) => Handler;
  readonly onlyVisitors: (refused: Reply) => Check;
  /** Everybody but an administrator gets the reply of an unknown URL. */
  readonly admin: (handle: VisitorHandler) => Handler;
  /** The same, also for a page of another site in an administrator's browser. */
  readonly adminApi: (handle: VisitorHandler) => Handler;
  readonly onlyAdmins: Check;
};

export function createGuards(db: Database, publicOrigin: string): Guards {
  const adminOf = (request: Request): Visitor | undefined => {
    const visitor = visitorOf(db, request);
    return visitor?.isAdmin ? visitor : undefined;
  };

  const admin =
    (handle: VisitorHandler): Handler =>
    (request) => {
      const visitor = adminOf(request);
      return visitor ? handle(request, visitor) : NOT_FOUND;
    };

  const isOfOtherSite = (request: Request): boolean => isCrossOrigin(request, publicOrigin);

  return {
    sameOrigin: (check) => (request) => (isOfOtherSite(request) ? CROSS_ORIGIN : check(request)),
    visitor: (refused, handle) => (request) => {
      const visitor = visitorOf(db, request);
      return visitor ? handle(request, visitor) : refused;
    },
    onlyVisitors: (refused) => (request) => (visitorOf(db, request) ? undefined : refused),
    admin,
    adminApi: (handle) =>
      admin((request, visitor) => (isOfOtherSite(request) ? NOT_FOUND : handle(request, visitor))),
    onlyAdmins: (request) => (adminOf(request) && !isOfOtherSite(request) ? undefined : NOT_FOUND),
  };
}

/** The visitor who sent a request, as the store says now. */
export function visitorOf(db: Database, { headers }: Request): Visitor | undefined {
  return findVisitor(db, readCookie(headers.cookie, SESSION_COOKIE), Date.now());
}
