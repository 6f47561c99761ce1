/** The timeline page: recorded before it is served. */

import { page, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Pages } from '../site/render.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/rows/sessions.ts';
import { describeDevice } from './device.ts';

export function timeline({ events }: ServerStore, pages: Pages) {
  const layouts = { desktop: page(pages.desktop), mobile: page(pages.mobile) };

  return (request: Request, { id, email }: Session): Reply => {
    const device = describeDevice(request.headers['user-agent']);
    const chosen = chosenView(request.query);
    const view = chosen ?? (device.deviceType === 'mobile' ? 'mobile' : 'desktop');
    if (request.method === 'GET') {
      events.record({
        type: 'timeline_view',
        email,
        occurredAt: Date.now(),
        session: id,
        ...device,
        meta: { view, forced: chosen !== undefined },
      });
    }
    return layouts[view];
  };
}

/** The layout that the query asks for, if it names one. */
function chosenView(query: string): 'mobile' | 'desktop' | undefined {
  const view = query === '' ? null : new URLSearchParams(query).get('view');
  return view === 'mobile' || view === 'desktop' ? view : undefined;
}
