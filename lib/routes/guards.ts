/**
 * Guards: the audience of a route, and the argument of its handler. A POST is checked in the order
 * audience, origin, login limit, body. `lib/routes` decides what a request means. It has no SQL and
 * touches no socket.
 */
import type { Settings } from '../config.ts';
import { readCookies } from '../http/cookies.ts';
import { errorReply, NOT_FOUND, type Reply } from '../http/reply.ts';
import {
  type Context,
  type Handler,
  isCrossOrigin,
  type Request,
  type Route,
} from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Visitor } from '../store/sessions.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** The argument of handlers behind a session. */
export type LoggedIn = Context & {
  readonly visitor: Visitor;
  /**
   * Makes the reply to clients without a session, which few requests need: a commit returns it if the
   * session has ended by then.
   */
  readonly refuse: (request: Request) => Reply;
};

/** Handlers by method and path. */
export type Routes<Given> = { readonly [name: `${'GET' | 'POST'} /${string}`]: Handler<Given> };

/** How many cookies of the name are tried: a site of the same domain can set one too. */
const MAX_COOKIES = 4;

/** The visitor whose session a cookie of the request proves. */
export function findVisitor(store: ServerStore, request: Request): Visitor | undefined {
  for (const token of readCookies(request, SESSION_COOKIE).slice(0, MAX_COOKIES)) {
    const visitor = store.findVisitor(token);
    if (visitor) return visitor;
  }
  return undefined;
}

export function routeGuards(store: ServerStore, { publicOrigin }: Settings) {
  const crossOrigin = errorReply(403, 'cross_origin');
  const hide = () => NOT_FOUND;

  /**
   * The routes of an audience, each behind its guard. A POST of another origin is refused.
   *
   * @param admit makes the handler's argument; `undefined` if the client is not of the audience
   * @param refuse makes the reply to other clients
   */
  function block<Given extends Context>(
    admit: (request: Request) => Given | undefined,
    refuse: (request: Request) => Reply,
    routes: Routes<Given>,
  ): readonly Route[] {
    const guard =
      (handler: Handler<Given>): Handler =>
      (request) => {
        const given = admit(request);
        if (!given) return refuse(request);
        if (request.method === 'POST' && isCrossOrigin(request, publicOrigin)) return crossOrigin;
        return handler(given);
      };
    return Object.entries<Handler<Given>>(routes).map(([name, handler]) => [name, guard(handler)]);
  }

  const administrator = (request: Request): LoggedIn | undefined => {
    const visitor = findVisitor(store, request);
    if (!visitor?.isAdmin) return undefined;
    return { request, visitor, refuse: hide };
  };

  /** The sessions are looked up first, so that every refusal does the same work. */
  const sameOriginAdministrator = (request: Request): LoggedIn | undefined => {
    const given = administrator(request);
    return isCrossOrigin(request, publicOrigin) ? undefined : given;
  };

  return {
    /** Every client is admitted, so `hide` is never called. */
    everyone: (routes: Routes<Context>) => block((request) => ({ request }), hide, routes),
    /** Without a session, the reply is what `refuse` makes of the request. */
    visitors(refuse: (request: Request) => Reply, routes: Routes<LoggedIn>) {
      const admit = (request: Request): LoggedIn | undefined => {
        const visitor = findVisitor(store, request);
        if (!visitor) return undefined;
        return { request, visitor, refuse };
      };
      return block(admit, refuse, routes);
    },
    /** Other clients get `NOT_FOUND`. */
    administrators: (routes: Routes<LoggedIn>) => block(administrator, hide, routes),
    /**
     * Other clients get `NOT_FOUND`. So does a GET or POST that another site's page makes in the
     * browser of an administrator: that site could tell who is one, or start a download of the list.
     */
    administratorsApi: (routes: Routes<LoggedIn>) => block(sameOriginAdministrator, hide, routes),
    /**
     * Does the work of an administrator's route, so that neither timing nor a fault of the store
     * reveals the hidden page.
     */
    notFound: (request: Request): Reply => {
      sameOriginAdministrator(request);
      return NOT_FOUND;
    },
  };
}
