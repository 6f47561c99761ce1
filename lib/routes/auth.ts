/** Login, logout and the current visitor. An invited address is the only credential. */
import { readEmail, toText } from '../addresses.ts';
import { isProduction } from '../config.ts';
import { clientOf, createLimiter } from '../http/limiter.ts';
import { emptyReply, errorReply, jsonReply, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Handler } from '../http/router.ts';
import { recordEvent } from '../store/events.ts';
import { findInvite } from '../store/invites.ts';
import { beginSession, endSession, SESSION_LIFETIME, type Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';
import { describeDevice } from './device.ts';
import { SESSION_COOKIE, visitorOf } from './guards.ts';

/** Login attempts of a client address, in a window of an hour, in ms. */
const ATTEMPTS = 30;
const WINDOW = 3_600_000;

/** In bytes. */
const MAX_BODY = 10 * 1024;

const INVALID_EMAIL = errorReply(400, 'invalid_email');
const NOT_INVITED = errorReply(403, 'not_invited');
const LOGGED_OUT = jsonReply(200, { ok: true }, ['Set-Cookie', sessionCookie('', 0)]);

/** What `GET /auth/me` answers without a session. */
export const NOBODY = emptyReply(401);

/** @param maxAge in seconds; 0 removes the cookie */
function sessionCookie(token: string, maxAge: number): string {
  const secure = isProduction ? '; Secure' : '';
  return `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}

export function login(db: Database): Handler {
  const countAttempt = createLimiter(ATTEMPTS, WINDOW);
  return (request) => {
    if (request.body) return logIn(db, request, toText(request.body.email));
    // A refused body comes here again. Its attempt was counted before it was read.
    const wait = request.bodyRefusal ? 0 : countAttempt(clientOf(request));
    if (wait === 0) return { maxBytes: MAX_BODY };
    return errorReply(429, 'rate_limited', ['Retry-After', String(Math.ceil(wait / 1000))]);
  };
}

/** Begins a session, and ends the one that this browser had. */
function logIn(db: Database, request: Request, typed: string): Reply {
  const email = readEmail(typed);
  if (email === undefined) return INVALID_EMAIL;
  const invite = findInvite(db, email);
  if (!invite) return NOT_INVITED;
  const now = Date.now();
  const former = visitorOf(db, request);
  if (former) endSession(db, former.session);
  const { id, token } = beginSession(db, email, now);
  const device = describeDevice(request);
  recordEvent(db, { type: 'login', email, occurredAt: now, session: id, ...device, meta: null });
  const cookie = sessionCookie(token, SESSION_LIFETIME / 1000);
  return jsonReply(200, { ok: true, firstName: invite.firstName }, ['Set-Cookie', cookie]);
}

export function logout(db: Database): Handler {
  return (request) => {
    const visitor = visitorOf(db, request);
    if (visitor) endSession(db, visitor.session);
    return LOGGED_OUT;
  };
}

export function me(_request: Request, { email, firstName }: Visitor): Reply {
  return jsonReply(200, { email, firstName });
}
