/** The timeline and its join button. Views and clicks are recorded before the reply. */
import { htmlPage, jsonReply, type Reply, redirect } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { ServedLayout } from '../records.ts';
import type { Site } from '../site/site.ts';
import type { ServerStore } from '../store/open.ts';
import { describeDevice } from './device.ts';
import type { VisitorContext } from './guards.ts';
import type { DoneReply, JoinedReply } from './replies.ts';

/** Sends the timeline when the view is on disk. If the session has ended by then, it redirects. */
export function timelineHandler(store: ServerStore, pages: Site['pages']): Handler<VisitorContext> {
  const layouts = { desktop: htmlPage(pages.desktop), mobile: htmlPage(pages.mobile) };

  return ({ request, visitor, replyWithoutSession }) => {
    const device = describeDevice(request.headers['user-agent']);
    const meta = chooseLayout(request.query, device.deviceType);
    if (request.method === 'HEAD') return layouts[meta.view];
    const occurredAt = Date.now();
    return store.write(({ events }) => {
      const isRecorded = events.record({
        ...device,
        type: 'timeline_view',
        occurredAt,
        session: visitor.id,
        meta,
      });
      return isRecorded ? layouts[meta.view] : replyWithoutSession();
    });
  };
}

/** The layout that the query names, otherwise the one for the device. */
function chooseLayout(query: string, deviceType: string): ServedLayout {
  const view = namedLayout(query);
  if (view) return { view, forced: true };
  return { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false };
}

function namedLayout(query: string): ServedLayout['view'] | undefined {
  if (query === '') return undefined;
  const view = new URLSearchParams(query).get('view');
  return view === 'mobile' || view === 'desktop' ? view : undefined;
}

/**
 * Redirects to the entry page, and keeps the layout of the query, because the entry page leads to
 * the timeline after the login.
 */
export function toEntryWithLayout({ query }: Request): Reply {
  const view = namedLayout(query);
  return redirect(view ? `/?view=${view}` : '/');
}

/** Whether the visitor has ever pressed the join button. */
export const hasJoinedHandler =
  ({ hasJoined }: ServerStore) =>
  ({ visitor }: VisitorContext): Reply =>
    jsonReply<JoinedReply>(200, { joined: hasJoined(visitor.email) });

const JOIN_RECORDED = jsonReply<DoneReply>(200, { ok: true });

/** Records a press of the join button before it answers. */
export const joinHandler =
  (store: ServerStore): Handler<VisitorContext> =>
  ({ visitor, replyWithoutSession }) => {
    const clickedAt = Date.now();
    return store.write(({ joins }) => {
      const isRecorded = joins.record({ session: visitor.id, clickedAt });
      return isRecorded ? JOIN_RECORDED : replyWithoutSession();
    });
  };
