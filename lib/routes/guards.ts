/**
 * Who may use a route, and what its handler gets. Each audience has a block of the table in app.ts.
 * A POST is checked in this order: audience, origin, login limit, body.
 */
import type { Settings } from '../config.ts';
import { readCookie } from '../http/cookies.ts';
import { type JsonObject, readJsonBody } from '../http/json-body.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Context, Handler, Request } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import type { ServerStore } from '../store/open.ts';
import type { VisitorAction } from '../store/rows/events.ts';
import type { Visitor } from '../store/rows/sessions.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** What handlers for visitors and administrators get; `otherwise` is the reply to other clients. */
export type LoggedIn = Context & { readonly session: Visitor; readonly otherwise: Reply };

/** What `withBody` adds. */
export type WithBody = { readonly body: JsonObject };

/** The reply of a handler that records, and what is recorded. */
export type Recording = { readonly reply: Reply; readonly visit: VisitorAction };

/** Handlers by method and path. Another method would need the checks of a POST too. */
export type Routes<Given> = { readonly [name: `${'GET' | 'POST'} /${string}`]: Handler<Given> };

/** The session of a request, if its cookie proves one. */
export const findSession = (store: ServerStore, { headers }: Request): Visitor | undefined =>
  store.findVisitor(readCookie(headers.cookie, SESSION_COOKIE));

/** Reads the JSON body for the handler. */
export const withBody =
  <Given extends Context>(handler: Handler<Given & WithBody>): Handler<Given> =>
  (given) =>
    readJsonBody(given.request, (body) => handler({ ...given, body }));

export function routeGuards(store: ServerStore, { publicOrigin }: Settings) {
  const crossOrigin = errorReply(403, 'cross_origin');

  /** The routes of an audience with their checks, in order. `admit` finds what handlers get. */
  const block = <Given extends Context>(
    admit: (request: Request) => Given | undefined,
    otherwise: Reply,
    routes: Routes<Given>,
  ): readonly Route[] =>
    Object.entries<Handler<Given>>(routes).map(([name, handler]) => [
      name,
      (request) => {
        const given = admit(request);
        if (!given) return otherwise;
        const isRefused = request.method === 'POST' && isCrossOrigin(request, publicOrigin);
        return isRefused ? crossOrigin : handler(given);
      },
    ]);

  const visitor = (otherwise: Reply) => (request: Request) => {
    const session = findSession(store, request);
    return session && { request, session, otherwise };
  };
  const loggedIn = visitor(NOT_FOUND);
  const administrator = (request: Request) => {
    const given = loggedIn(request);
    return given?.session.isAdmin ? given : undefined;
  };

  return {
    /** Routes for every client. */
    everyone: (routes: Routes<Context>) => block((request) => ({ request }), NOT_FOUND, routes),
    /** Routes for visitors with a session. Without one, the reply is `otherwise`. */
    visitors: (otherwise: Reply, routes: Routes<LoggedIn>) =>
      block(visitor(otherwise), otherwise, routes),
    /** Routes for administrators. Other clients get `NOT_FOUND`. */
    administrators: (routes: Routes<LoggedIn>) => block(administrator, NOT_FOUND, routes),
    /**
     * Answers an unknown URL. It does the work of an administrator's route, so that neither a
     * reply's time nor a fault of the store distinguishes them.
     */
    unknown: (request: Request): Reply => {
      administrator(request);
      return NOT_FOUND;
    },
    /**
     * Sends the reply after its record is on disk. The commit checks the session again. HEAD gets
     * the same reply and records nothing.
     */
    recorded:
      (handler: (given: LoggedIn) => Recording): Handler<LoggedIn> =>
      (given) => {
        const { reply, visit } = handler(given);
        return given.request.method === 'HEAD'
          ? reply
          : store.append(visit, reply, given.otherwise);
      },
  };
}
