/**
 * Guards. Each wraps a handler and returns the handler's reply or its own. It passes on what it was
 * given, and appends what it adds.
 */
import { LOGIN_LIMIT, type Settings } from '../config.ts';
import { clientAddress } from '../http/client-address.ts';
import { readCookie } from '../http/cookies.ts';
import { type JsonObject, readJson } from '../http/json-body.ts';
import { limiter } from '../http/limiter.ts';
import { failure, NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { asUnavailable, StoreUnavailable } from '../store/errors.ts';
import type { ServerStore } from '../store/open.ts';
import type { Visitor } from '../store/rows/sessions.ts';
import type { Visit } from '../store/rows/visits.ts';

/** The name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

/** The reply of a handler that records, and what is recorded. */
export type Recording = { readonly reply: Reply; readonly visit: Visit };

/** The session of a request, if its cookie proves one. */
export const findSession = (store: ServerStore, { headers }: Request): Visitor | undefined =>
  store.findVisitor(readCookie(headers.cookie, SESSION_COOKIE));

/** The session of a request, if it is an administrator's. */
export function findAdministrator(store: ServerStore, request: Request): Visitor | undefined {
  const visitor = findSession(store, request);
  return visitor?.isAdmin ? visitor : undefined;
}

export function guards(store: ServerStore, { publicOrigin }: Settings) {
  const attempt = limiter(LOGIN_LIMIT);

  /** Adds the session. Without one, the reply is `otherwise`. */
  const visitorOnly =
    <G extends unknown[]>(otherwise: Reply, handler: Handler<[...G, Visitor]>): Handler<G> =>
    (request, ...given) => {
      const session = findSession(store, request);
      return session ? handler(request, ...given, session) : otherwise;
    };

  return {
    visitorOnly,

    /** Adds the session of an administrator. Without one, the reply is `NOT_FOUND`. */
    adminOnly:
      <G extends unknown[]>(handler: Handler<[...G, Visitor]>): Handler<G> =>
      (request, ...given) => {
        const session = findAdministrator(store, request);
        return session ? handler(request, ...given, session) : NOT_FOUND;
      },

    /**
     * `visitorOnly` for a handler that records. The reply is sent after the record is on disk. The
     * commit checks the session again. HEAD gets the same reply and records nothing.
     */
    recorded: (
      otherwise: Reply,
      handler: (request: Request, visitor: Visitor) => Recording,
    ): Handler =>
      visitorOnly<[]>(otherwise, (request, visitor) => {
        const { reply, visit } = handler(request, visitor);
        return request.method === 'HEAD' ? reply : store.append(visit, reply, otherwise);
      }),

    /** Counts every request against the login limit of its client. */
    limited:
      <G extends unknown[]>(handler: Handler<G>): Handler<G> =>
      (request, ...given) => {
        const wait = attempt(clientAddress(request));
        if (wait === 0) return handler(request, ...given);
        return failure(429, 'rate_limited', ['Retry-After', String(Math.ceil(wait / 1000))]);
      },

    /** Refuses cross-origin requests with 403. */
    ownPages:
      <G extends unknown[]>(handler: Handler<G>): Handler<G> =>
      (request, ...given) =>
        isCrossOrigin(request, publicOrigin)
          ? failure(403, 'cross_origin')
          : handler(request, ...given),

    /** Adds the JSON body. */
    withJson:
      <G extends unknown[]>(handler: Handler<[...G, JsonObject]>): Handler<G> =>
      (request, ...given) =>
        readJson(request, (body) => handler(request, ...given, body)),
  };
}

/**
 * A handler that never throws: 503 if the store is unavailable, 500 for a bug.
 *
 * @param route its name in the log, because a request's path can be any text
 */
export function catchErrors(route: string, handler: Handler): Handler {
  return (request) => {
    try {
      const reply = handler(request);
      return reply instanceof Promise ? reply.catch((error) => refuse(error, request)) : reply;
    } catch (error) {
      return refuse(error, request);
    }
  };

  function refuse(thrown: unknown, { body }: Request): Reply {
    const error = asUnavailable(thrown);
    if (error instanceof StoreUnavailable) {
      console.error(`503 ${route}: ${error.message}`);
      return failure(503, 'unavailable', ['Retry-After', '1']);
    }
    // A client that disconnects while sending its body is not an error.
    if (!body.readableAborted) console.error(error);
    return failure(500, 'internal');
  }
}
