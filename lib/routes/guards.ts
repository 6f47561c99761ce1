/**
 * Guards decide who may call a route, and make the argument of its handler. A POST is checked in
 * this order: audience, origin, login limit, body. `lib/routes` has no SQL and uses no socket.
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

/** The argument of a visitor's or an administrator's handler. */
export type VisitorContext = Context & {
  readonly visitor: Visitor;
  /**
   * Makes the reply to a client without a session. A handler also returns it if the session ends
   * before its commit.
   */
  readonly replyWithoutSession: () => Reply;
};

/** Handlers by method and path. */
export type Routes<Argument> = {
  readonly [name: `${'GET' | 'POST'} /${string}`]: Handler<Argument>;
};

/**
 * How many cookies with this name are tried. Another site under the same domain can set one too.
 */
const MAX_COOKIES = 4;

/** The visitor of the first cookie that proves a session. */
export function visitorOf(store: ServerStore, request: Request): Visitor | undefined {
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
   * Puts the routes of an audience behind its guard, which also refuses a cross-origin POST.
   *
   * @param admit makes the handler's argument; `undefined` for a client outside the audience
   * @param refuse makes the reply to such a client
   */
  function guardRoutes<Argument extends Context>(
    admit: (request: Request) => Argument | undefined,
    refuse: (request: Request) => Reply,
    routes: Routes<Argument>,
  ): readonly Route[] {
    function guard(handler: Handler<Argument>): Handler {
      return (request) => {
        const argument = admit(request);
        if (!argument) return refuse(request);
        if (request.method === 'POST' && isCrossOrigin(request, publicOrigin)) return crossOrigin;
        return handler(argument);
      };
    }
    const guarded: Route[] = [];
    for (const [name, handler] of Object.entries<Handler<Argument>>(routes))
      guarded.push([name, guard(handler)]);
    return guarded;
  }

  function admitAdministrator(request: Request): VisitorContext | undefined {
    const visitor = visitorOf(store, request);
    if (!visitor?.isAdmin) return undefined;
    return { request, visitor, replyWithoutSession: hide };
  }

  /** The session is always looked up, so that all refusals take the same time. */
  function admitSameOriginAdministrator(request: Request): VisitorContext | undefined {
    const context = admitAdministrator(request);
    return isCrossOrigin(request, publicOrigin) ? undefined : context;
  }

  return {
    /** Admits every client. */
    everyone(routes: Routes<Context>) {
      return guardRoutes((request) => ({ request }), hide, routes);
    },
    /** Admits visitors. @param refuse makes the reply to clients without a session */
    visitors(refuse: (request: Request) => Reply, routes: Routes<VisitorContext>) {
      function admit(request: Request): VisitorContext | undefined {
        const visitor = visitorOf(store, request);
        if (!visitor) return undefined;
        return { request, visitor, replyWithoutSession: () => refuse(request) };
      }
      return guardRoutes(admit, refuse, routes);
    },
    /** Admits administrators. Other clients get `NOT_FOUND`. */
    administrators(routes: Routes<VisitorContext>) {
      return guardRoutes(admitAdministrator, hide, routes);
    },
    /**
     * Admits administrators on pages of this site. A page of another site gets `NOT_FOUND` even for
     * a GET. Otherwise it could find out who is an administrator, or start a download of the list.
     */
    administratorsApi(routes: Routes<VisitorContext>) {
      return guardRoutes(admitSameOriginAdministrator, hide, routes);
    },
    /**
     * Answers an unknown URL. It does the same work as an administrator's route. So the hidden page
     * cannot be found by the time of a reply, or by a fault of the store.
     */
    notFound(request: Request): Reply {
      admitSameOriginAdministrator(request);
      return NOT_FOUND;
    },
  };
}
