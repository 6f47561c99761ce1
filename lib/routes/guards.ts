/**
 * Guards decide who may. A guard around a handler is a step of a route: it refuses with a reply, or
 * passes on what it found. A guard without a handler lets the request go on to the next step.
 */
import { readCookie } from '../http/cookies.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import { isCrossOrigin, type Request } from '../http/request.ts';
import type { Step } from '../http/router.ts';
import { findVisitor, type Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';

export const SESSION_COOKIE = 'svc_session';

const CROSS_ORIGIN = errorReply(403, 'cross_origin');

/** A step that needs to know who asks. */
export type VisitorStep = (request: Request, visitor: Visitor) => Reply | undefined;

export type Guards = {
  /** Refuses what a page of another site makes a browser send. */
  readonly sameOrigin: (next?: Step) => Step;
  /** Admits who has a session; everybody else gets `refused`. */
  readonly visitor: (refused: Reply, next?: VisitorStep) => Step;
  /** Admits an administrator; everybody else gets what an unknown URL gives. */
  readonly admin: (next?: VisitorStep) => Step;
  /** The same for the API, where a page of another site counts as everybody else. */
  readonly adminApi: (next?: VisitorStep) => Step;
};

export function createGuards(db: Database, publicOrigin: string): Guards {
  function admin(next?: VisitorStep): Step {
    return (request) => {
      const found = visitorOf(db, request);
      return found?.isAdmin ? next?.(request, found) : NOT_FOUND;
    };
  }

  return {
    sameOrigin: (next) => (request) =>
      isCrossOrigin(request, publicOrigin) ? CROSS_ORIGIN : next?.(request),
    visitor: (refused, next) => (request) => {
      const found = visitorOf(db, request);
      return found ? next?.(request, found) : refused;
    },
    admin,
    adminApi: (next) =>
      admin((request, visitor) =>
        isCrossOrigin(request, publicOrigin) ? NOT_FOUND : next?.(request, visitor),
      ),
  };
}

/** Who asks, as the store says now. */
export function visitorOf(db: Database, { headers }: Request): Visitor | undefined {
  return findVisitor(db, readCookie(headers.cookie, SESSION_COOKIE), Date.now());
}
