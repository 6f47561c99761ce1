/** What visitors do that is recorded before it is answered: they view the timeline, and join. */
import { htmlPage, jsonReply } from '../http/reply.ts';
import type { DoneReply, ServedLayout } from '../records.ts';
import type { RenderedPages } from '../site/render.ts';
import { describeDevice } from './device.ts';
import type { LoggedIn, Recording } from './guards.ts';

export function timelineHandler(pages: RenderedPages) {
  const layouts = { desktop: htmlPage(pages.desktop), mobile: htmlPage(pages.mobile) };

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
function chooseView(query: string, deviceType: string): ServedLayout {
  const view = query === '' ? null : new URLSearchParams(query).get('view');
  if (view === 'mobile' || view === 'desktop') return { view, forced: true };
  return { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false };
}

const joined = jsonReply<DoneReply>(200, { ok: true });

/** One row for each click. */
export const joinHandler = ({ session }: LoggedIn): Recording => ({
  reply: joined,
  visit: { visitor: session, at: Date.now() },
});
