/** The timeline and its join button. Both record; the reply is sent when that is on disk. */
import { errorReply, htmlReply, jsonReply, type Reply, redirect } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Device, Layout, ViewMeta } from '../records.ts';
import { recordView } from '../store/events.ts';
import { recordJoinClick } from '../store/joins.ts';
import type { Database } from '../store/sqlite.ts';
import { describeDevice } from './device.ts';
import type { VisitorHandler } from './guards.ts';

/** The replies without a session: to a view, and to a press of the button. */
export const TO_ENTRY = redirect('/');
export const NO_SESSION = errorReply(401, 'no_session');

const JOINED = jsonReply(200, { ok: true });

export type Pages = Readonly<Record<Layout, Reply>>;

export function makePages({ mobile, desktop }: Readonly<Record<Layout, string>>): Pages {
  return { mobile: htmlReply(mobile), desktop: htmlReply(desktop) };
}

export function view(db: Database, pages: Pages): VisitorHandler {
  return (request, visitor) => {
    const device = describeDevice(request);
    const layout = chooseLayout(request, device);
    // HEAD is no view.
    if (request.method === 'GET') recordView(db, visitor, device, layout, Date.now());
    return pages[layout.view];
  };
}

export function join(db: Database): VisitorHandler {
  return (_request, visitor) => {
    recordJoinClick(db, visitor, Date.now());
    return JOINED;
  };
}

/** `?view=` wins; otherwise the device decides. */
function chooseLayout({ query }: Request, { deviceType }: Device): ViewMeta {
  const asked = new URLSearchParams(query).get('view');
  if (asked === 'mobile' || asked === 'desktop') return { view: asked, forced: true };
  return { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false };
}
