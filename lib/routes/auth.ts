/** Logging in, logging out, and who is logged in. An invited address is the only credential. */
import type { Settings } from '../config.ts';
import { describeDevice } from '../device.ts';
import { coerceToText, normalizeEmail } from '../email.ts';
import { clientAddress } from '../http/client-address.ts';
import { writeCookie } from '../http/cookies.ts';
import type { JsonObject } from '../http/json-body.ts';
import { limiter } from '../http/limiter.ts';
import { failure, json, type Reply } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import { SESSION_LIFETIME, type Session } from '../store/sessions.ts';
import { logIn } from '../store/writes.ts';
import { findSession, SESSION_COOKIE } from './gates.ts';

/** Login attempts per client address and window of an hour. */
const LOGIN_LIMIT = { limit: 30, window: 3_600_000 };

export function auth(store: ServerStore, { production }: Settings) {
  const attempt = limiter(LOGIN_LIMIT);
  const cookie = (value: string, maxAge: number) => [
    'Set-Cookie',
    writeCookie(SESSION_COOKIE, value, { maxAge, secure: production }),
  ];

  return {
    /** Counts every request against the limit of its client before anything else is looked at. */
    limited:
      (handler: Handler): Handler =>
      (request) => {
        const wait = attempt(clientAddress(request));
        if (wait === 0) return handler(request);
        return failure(429, 'rate_limited', ['Retry-After', String(Math.ceil(wait / 1000))]);
      },

    /** Begins a session for an invited address; a session that the request brings along is ended. */
    async login(request: Request, body: JsonObject): Promise<Reply> {
      const email = normalizeEmail(coerceToText(body.email));
      if (email === undefined) return failure(400, 'invalid_email');
      const invite = store.invites.find(email);
      if (!invite) return failure(403, 'not_invited');

      const former = findSession(store, request);
      const device = describeDevice(request.headers['user-agent']);
      const now = Date.now();
      const token = await store.write(() =>
        logIn(store, { email, device, now, former: former?.id }),
      );
      if (token === undefined) return failure(403, 'not_invited');
      return json(
        200,
        { ok: true, firstName: invite.firstName },
        cookie(token, SESSION_LIFETIME / 1000),
      );
    },

    /** Ends the session, if there is one. */
    async logout(request: Request): Promise<Reply> {
      const session = findSession(store, request);
      if (session) await store.write(() => store.sessions.end(session.id));
      return json(200, { ok: true }, cookie('', 0));
    },

    /** Who is logged in; the first name is that of the invite as it is now. */
    me(_: Request, { email }: Session): Reply {
      return json(200, { email, firstName: store.invites.find(email)?.firstName ?? null });
    },
  };
}
