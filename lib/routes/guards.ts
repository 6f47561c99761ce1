/**
 * Guards: the audience of a route, and the argument of its handler. A POST is checked in the order
 * audience, origin, login limit, body. `lib/routes` decides what a request means. It has no SQL and
 * touches no socket.
 */
import type { Settings } from '../config.ts';
import { readCookies } from '../http/cookies.ts';
import { type JsonObject, readJsonBody } from '../http/json-body.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Context, Handler, Request, Route } from '../http/request.ts';
import { isCrossOrigin } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Visitor } from '../store/sessions.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** The argument of handlers behind a session; `refusal` is the reply to clients without one. */
export type LoggedIn = Context & { readonly session: Visitor; readonly refusal: Reply };

export type WithBody = { readonly body: JsonObject };

/** Handlers by method and path. Only the origin of a POST is checked. */
export type Routes<Given> = { readonly [name: `${'GET' | 'POST'} /${string}`]: Handler<Given> };

/** How many cookies of the name are tried: a site of the same domain can set one too. */
const MAX_COOKIES = 4;

/** The session that a cookie of the request proves. */
export const findSession = (store: ServerStore, request: Request): Visitor | undefined =>
  readCookies(request, SESSION_COOKIE)
    .slice(0, MAX_COOKIES)
    .map((token) => store.findVisitor(token))
    .find((found) => found !== undefined);

/** Adds the JSON body of at most `maxBytes` to the handler's argument. */
export const withBody =
  <Given extends Context>(handler: Handler<Given & WithBody>, maxBytes?: number): Handler<Given> =>
  (given) =>
    readJsonBody(given.request, (body) => handler({ ...given, body }), maxBytes);

export function routeGuards(store: ServerStore, { publicOrigin }: Settings) {
  const crossOrigin = errorReply(403, 'cross_origin');

  /** The routes of an audience with their checks. `admit` makes the handlers' argument. */
  const block = <Given extends Context>(
    admit: (request: Request) => Given | undefined,
    refusal: Reply,
    routes: Routes<Given>,
  ): readonly Route[] =>
    Object.entries<Handler<Given>>(routes).map(([name, handler]) => [
      name,
      (request) => {
        const given = admit(request);
        if (!given) return refusal;
        const isRefused = request.method === 'POST' && isCrossOrigin(request, publicOrigin);
        return isRefused ? crossOrigin : handler(given);
      },
    ]);

  const visitor = (refusal: Reply, isAdmitted: (session: Visitor) => boolean) => {
    return (request: Request): LoggedIn | undefined => {
      const session = findSession(store, request);
      return session && isAdmitted(session) ? { request, session, refusal } : undefined;
    };
  };
  const administrator = visitor(NOT_FOUND, ({ isAdmin }) => isAdmin);

  return {
    everyone: (routes: Routes<Context>) => block((request) => ({ request }), NOT_FOUND, routes),
    /** Without a session, the reply is `refusal`. */
    visitors: (refusal: Reply, routes: Routes<LoggedIn>) =>
      block(
        visitor(refusal, () => true),
        refusal,
        routes,
      ),
    /** Other clients get `NOT_FOUND`. */
    administrators: (routes: Routes<LoggedIn>) => block(administrator, NOT_FOUND, routes),
    /**
     * Does the work of an administrator's route, so that neither timing nor a fault of the store
     * reveals the hidden page.
     */
    notFound: (request: Request): Reply => {
      administrator(request);
      return NOT_FOUND;
    },
  };
}
