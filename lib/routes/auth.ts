/** Login, its limit, logout and the current visitor. An invited address is the only credential. */
import { coerceToText, normalizeEmail } from '../addresses/address.ts';
import type { Settings } from '../config.ts';
import type { WithBody } from '../http/json-body.ts';
import { clientAddress, isLoopback, rateLimiter } from '../http/limiter.ts';
import { errorReply, jsonReply, type Reply } from '../http/reply.ts';
import type { Context, Handler, Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import { SESSION_LIFETIME } from '../store/sessions.ts';
import { describeDevice } from './device.ts';
import { SESSION_COOKIE, type VisitorContext, visitorOf } from './guards.ts';
import type { DoneReply, LoginReply, MeReply } from './replies.ts';

export function authHandlers(store: ServerStore, { production }: Settings) {
  const { invites } = store;
  const secure = production ? '; Secure' : '';

  /** The header that sets the session cookie. @param maxAge in seconds; 0 deletes the cookie */
  function setCookie(value: string, maxAge: number): readonly string[] {
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
    return ['Set-Cookie', `${SESSION_COOKIE}=${value}; ${attributes}`];
  }

  return {
    /** Begins a session for an invited address. If the request has a session, this one ends. */
    login({ request, body }: Context & WithBody): Reply | Promise<Reply> {
      const address = normalizeEmail(coerceToText(body.email));
      if (address === undefined) return errorReply(400, 'invalid_email');
      if (!invites.findByAddress(address)) return errorReply(403, 'not_invited');

      const former = visitorOf(store, request);
      return store.write(({ sessions, events }) => {
        // The invite may have been removed before this commit.
        const invite = invites.findByAddress(address);
        if (!invite) return errorReply(403, 'not_invited');
        if (former) sessions.end(former);
        const now = Date.now();
        const { id, token } = sessions.begin(invite.email, now);
        events.record({
          type: 'login',
          occurredAt: now,
          session: id,
          ...describeDevice(request.headers['user-agent']),
          meta: null,
        });
        const headers = setCookie(token, SESSION_LIFETIME / 1000);
        return jsonReply<LoginReply>(200, { ok: true, firstName: invite.firstName }, headers);
      });
    },

    /** Ends the session, if there is one. */
    async logout({ request }: Context): Promise<Reply> {
      const visitor = visitorOf(store, request);
      if (visitor) await store.write(({ sessions }) => sessions.end(visitor));
      return jsonReply<DoneReply>(200, { ok: true }, setCookie('', 0));
    },

    /** The current visitor, with the current first name of the invite. */
    me({ visitor: { email, firstName } }: VisitorContext): Reply {
      return jsonReply<MeReply>(200, { email, firstName });
    },
  };
}

/** Makes a guard that answers 429 after 30 attempts of a client address in an hour. */
export function loginLimit({ publicOrigin }: Settings) {
  const countAttempt = rateLimiter(30, 3_600_000);
  const expectsProxy = publicOrigin.startsWith('https:');
  let hasWarned = false;

  return (handler: Handler<Context>): Handler<Context> =>
    (context) => {
      const client = clientAddress(context.request);
      if (expectsProxy && !hasWarned && isLoopback(client)) {
        hasWarned = true;
        console.error(
          `all clients share one login limit, because ${faultOfProxy(context.request)}; ` +
            'configure the proxy to send the address of the client there',
        );
      }
      const waitMs = countAttempt(client);
      if (waitMs === 0) return handler(context);
      const seconds = String(Math.ceil(waitMs / 1000));
      return errorReply(429, 'rate_limited', ['Retry-After', seconds]);
    };
}

/**
 * Says why all logins seem to come from this machine. A client can write the header, so its value
 * is not shown.
 */
function faultOfProxy({ headers }: Request): string {
  return headers['x-forwarded-for'] === undefined
    ? 'a login came over loopback without X-Forwarded-For'
    : 'the last entry of X-Forwarded-For is not the address of a client';
}
