/** The timeline and its join button. Views and clicks are recorded before the reply. */
import { htmlPage, jsonReply, type Reply } from '../http/reply.ts';
import type { ServedLayout } from '../records.ts';
import type { DoneReply, JoinedReply } from '../replies.ts';
import type { Site } from '../site/site.ts';
import type { ServerStore } from '../store/open.ts';
import { describeDevice } from './device.ts';
import type { LoggedIn, Recording } from './guards.ts';

export function timelineHandler(pages: Site['pages']) {
  const layouts = { desktop: htmlPage(pages.desktop), mobile: htmlPage(pages.mobile) };

  return ({ request }: LoggedIn): Recording => {
    const device = describeDevice(request.headers['user-agent']);
    const meta = chooseView(request.query, device.deviceType);
    const occurredAt = Date.now();
    return {
      reply: layouts[meta.view],
      // V8 clones fast if the spread is first.
      record: ({ events }, { id }) =>
        events.record({ ...device, type: 'timeline_view', occurredAt, session: id, meta }),
    };
  };
}

/** The layout of the query, else of the device. */
function chooseView(query: string, deviceType: string): ServedLayout {
  const view = query === '' ? null : new URLSearchParams(query).get('view');
  if (view === 'mobile' || view === 'desktop') return { view, forced: true };
  return { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false };
}

/** Whether the visitor has ever pressed the join button. */
export const hasJoinedHandler =
  ({ hasJoined }: ServerStore) =>
  ({ session }: LoggedIn): Reply =>
    jsonReply<JoinedReply>(200, { joined: hasJoined(session.email) });

const joined = jsonReply<DoneReply>(200, { ok: true });

export function joinHandler(): Recording {
  const clickedAt = Date.now();
  return {
    reply: joined,
    record: ({ joins }, { id }) => joins.record({ session: id, clickedAt }),
  };
}
