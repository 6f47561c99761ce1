/** The timeline page: recorded before it is served. */
import { describeDevice } from '../device.ts';
import { page, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Pages } from '../pages.ts';
import type { Store } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';
import { writeFor } from './gates.ts';

export function timeline(store: Store, pages: Pages) {
  const layouts = { desktop: page(pages.desktop), mobile: page(pages.mobile) };

  return async (request: Request, session: Session): Promise<Reply> => {
    const device = describeDevice(request.headers['user-agent']);
    const chosen = chosenView(request.query);
    const view = chosen ?? (device.type === 'mobile' ? 'mobile' : 'desktop');
    if (request.method === 'GET') {
      const occurredAt = Date.now();
      await writeFor(store, session, () =>
        store.events.record({
          type: 'timeline_view',
          email: session.email,
          occurredAt,
          session: session.id,
          deviceType: device.type,
          os: device.os,
          browser: device.browser,
          meta: { view, forced: chosen !== undefined },
        }),
      );
    }
    return layouts[view];
  };
}

/** The layout that the query asks for, if it names one. */
function chosenView(query: string): 'mobile' | 'desktop' | undefined {
  const view = query === '' ? null : new URLSearchParams(query).get('view');
  return view === 'mobile' || view === 'desktop' ? view : undefined;
}
