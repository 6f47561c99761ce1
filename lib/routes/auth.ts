/** Logging in, logging out, and who is logged in. An invited address is the only credential. */
import { LOGIN_LIMIT, type Settings } from '../config.ts';
import { clientAddress } from '../http/client-address.ts';
import { writeCookie } from '../http/cookies.ts';
import type { JsonObject } from '../http/json-body.ts';
import { limiter } from '../http/limiter.ts';
import { failure, json, type Reply } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import { coerceToText, normalizeEmail } from '../store/rows/normalize.ts';
import { SESSION_LIFETIME, type Session } from '../store/rows/sessions.ts';
import { describeDevice } from './device.ts';
import { findSession, SESSION_COOKIE } from './guards.ts';

export function auth(store: ServerStore, { production }: Settings) {
  const attempt = limiter(LOGIN_LIMIT);
  const cookie = (value: string, maxAge: number) => [
    'Set-Cookie',
    writeCookie(SESSION_COOKIE, value, { maxAge, secure: production }),
  ];

  /** A job of the commit queue; the invite may have been removed since the request was checked. */
  function beginSession(request: Request, email: string): Reply {
    const invite = store.invites.find(email);
    if (!invite) return failure(403, 'not_invited');
    const former = findSession(store, request);
    if (former) store.sessions.end(former.id);
    const now = Date.now();
    const { session, token } = store.sessions.begin(email, now);
    store.events.record({
      type: 'login',
      email,
      occurredAt: now,
      session: session.id,
      ...describeDevice(request.headers['user-agent']),
      meta: null,
    });
    const { firstName } = invite;
    return json(200, { ok: true, firstName }, cookie(token, SESSION_LIFETIME / 1000));
  }

  return {
    /** Counts every request against the limit of its client before anything else is looked at. */
    limited:
      (handler: Handler): Handler =>
      (request) => {
        const wait = attempt(clientAddress(request));
        if (wait === 0) return handler(request);
        return failure(429, 'rate_limited', ['Retry-After', String(Math.ceil(wait / 1000))]);
      },

    /** Begins a session for an invited address, and ends the one that the request presents. */
    login(request: Request, body: JsonObject): Reply | Promise<Reply> {
      const email = normalizeEmail(coerceToText(body.email));
      if (email === undefined) return failure(400, 'invalid_email');
      if (!store.invites.find(email)) return failure(403, 'not_invited');
      return store.write(() => beginSession(request, email));
    },

    /** Ends the session. Where it is gone already, the commit that ended it is awaited. */
    async logout(request: Request): Promise<Reply> {
      const session = findSession(store, request);
      await (session ? store.write(() => store.sessions.end(session.id)) : store.synced());
      return json(200, { ok: true }, cookie('', 0));
    },

    /** Who is logged in; the first name is that of the invite as it is now. */
    me(_: Request, { email }: Session): Reply {
      return json(200, { email, firstName: store.invites.find(email)?.firstName ?? null });
    },
  };
}
