/** The timeline and its join button. Both record; the reply is sent when that is on disk. */
import { decodePercent, readEmail } from '../addresses.ts';
import { errorReply, jsonReply, redirect } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Device, Layout, ViewMeta } from '../records.ts';
import { recordEvent } from '../store/events.ts';
import { recordJoinClick } from '../store/joins.ts';
import type { Visitor } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';
import { describeDevice } from './device.ts';
import type { VisitorHandler } from './guards.ts';

/** The replies without a session: to a view, and to a press of the button. */
export const TO_ENTRY = redirect('/');
export const NO_SESSION = errorReply(401, 'no_session');

const JOINED = jsonReply(200, { ok: true });

/** @param pages makes the page of each layout */
export function view(
  db: Database,
  pages: Readonly<Record<Layout, VisitorHandler>>,
): VisitorHandler {
  return (request, visitor) => {
    const device = describeDevice(request);
    const meta = chooseLayout(request, device);
    const { email, session } = visitor;
    const occurredAt = Date.now();
    // HEAD is no view.
    if (request.method === 'GET')
      recordEvent(db, { type: 'timeline_view', email, occurredAt, session, ...device, meta });
    return pages[meta.view](request, visitor);
  };
}

export function join(db: Database): VisitorHandler {
  return (request, visitor) => {
    if (!isFromPageOf(visitor, request)) return NO_SESSION;
    recordJoinClick(db, visitor, Date.now());
    return JOINED;
  };
}

/** The page sends whose it is, because somebody else may have logged in since, in another tab. */
function isFromPageOf({ email }: Visitor, { headers }: Request): boolean {
  const { 'x-guest': guest } = headers;
  return guest === undefined || readEmail(decodePercent(String(guest))) === email;
}

/** `?view=` wins; otherwise the device decides. */
function chooseLayout({ query }: Request, { deviceType }: Device): ViewMeta {
  const asked = new URLSearchParams(query).get('view');
  if (asked === 'mobile' || asked === 'desktop') return { view: asked, forced: true };
  return { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false };
}
