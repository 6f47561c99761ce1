/** What visitors do that is recorded before it is answered: they view the timeline, and join. */
import { json, page } from '../http/reply.ts';
import type { DoneReply, View } from '../records.ts';
import type { Pages } from '../site/render.ts';
import { describeDevice } from './device.ts';
import type { LoggedIn, Recording } from './guards.ts';

export function timeline(pages: Pages) {
  const layouts = { desktop: page(pages.desktop), mobile: page(pages.mobile) };

  return ({ request, session }: LoggedIn): Recording => {
    const device = describeDevice(request.headers['user-agent']);
    const meta = chooseView(request.query, device.deviceType);
    return {
      reply: layouts[meta.view],
      visit: { visitor: session, at: Date.now(), view: { ...device, meta } },
    };
  };
}

/** The layout that the query asks for, else the one for the device. */
function chooseView(query: string, deviceType: string): View {
  const view = query === '' ? null : new URLSearchParams(query).get('view');
  if (view === 'mobile' || view === 'desktop') return { view, forced: true };
  return { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false };
}

const joined = json<DoneReply>(200, { ok: true });

/** One row for each click. */
export const join = ({ session }: LoggedIn): Recording => ({
  reply: joined,
  visit: { visitor: session, at: Date.now() },
});
