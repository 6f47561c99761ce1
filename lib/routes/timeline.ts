/** The timeline and its join button. Views and clicks are recorded before the reply. */
import { htmlPage, jsonReply, type Reply, redirect } from '../http/reply.ts';
import type { Handler, Request } from '../http/request.ts';
import type { ServedLayout } from '../records.ts';
import type { Site } from '../site/site.ts';
import type { ServerStore } from '../store/open.ts';
import { describeDevice } from './device.ts';
import type { LoggedIn } from './guards.ts';
import type { DoneReply, JoinedReply } from './replies.ts';

/** Shows the timeline after the view is on disk, unless the session has ended by then. */
export function timelineHandler(store: ServerStore, pages: Site['pages']): Handler<LoggedIn> {
  const layouts = { desktop: htmlPage(pages.desktop), mobile: htmlPage(pages.mobile) };

  return ({ request, visitor, refuse }) => {
    const device = describeDevice(request.headers['user-agent']);
    const meta = chooseView(request.query, device.deviceType);
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
      return isRecorded ? layouts[meta.view] : refuse(request);
    });
  };
}

/** The layout of the query, else of the device. */
function chooseView(query: string, deviceType: string): ServedLayout {
  const view = namedView(query);
  if (view) return { view, forced: true };
  return { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false };
}

function namedView(query: string): ServedLayout['view'] | undefined {
  if (query === '') return undefined;
  const view = new URLSearchParams(query).get('view');
  return view === 'mobile' || view === 'desktop' ? view : undefined;
}

/**
 * Redirects to the entry page. After a login that page goes on to the timeline, so its URL keeps the
 * layout that the query names.
 */
export function toEntryWithLayout({ query }: Request): Reply {
  const view = namedView(query);
  return redirect(view ? `/?view=${view}` : '/');
}

/** Whether the visitor has ever pressed the join button. */
export const hasJoinedHandler =
  ({ hasJoined }: ServerStore) =>
  ({ visitor }: LoggedIn): Reply =>
    jsonReply<JoinedReply>(200, { joined: hasJoined(visitor.email) });

const JOIN_RECORDED = jsonReply<DoneReply>(200, { ok: true });

/** Records a press of the join button before it answers. */
export const joinHandler =
  (store: ServerStore): Handler<LoggedIn> =>
  ({ request, visitor, refuse }) => {
    const clickedAt = Date.now();
    return store.write(({ joins }) =>
      joins.record({ session: visitor.id, clickedAt }) ? JOIN_RECORDED : refuse(request),
    );
  };
