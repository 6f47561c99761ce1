/** The timeline page: recorded before it is served. */
import { describeDevice } from '../device.ts';
import { page, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Pages } from '../pages.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';
import { recordView } from '../store/writes.ts';

export function timeline(store: ServerStore, pages: Pages) {
  const layouts = { desktop: page(pages.desktop), mobile: page(pages.mobile) };

  return async (request: Request, session: Session): Promise<Reply | undefined> => {
    const device = describeDevice(request.headers['user-agent']);
    const chosen = chosenView(request.query);
    const view = chosen ?? (device.type === 'mobile' ? 'mobile' : 'desktop');
    if (request.method === 'HEAD') return layouts[view];
    const viewing = { device, now: Date.now(), meta: { view, forced: chosen !== undefined } };
    const recorded = await store.write(() => recordView(store, session, viewing));
    return recorded ? layouts[view] : undefined;
  };
}

/** The layout that the query asks for, if it names one. */
function chosenView(query: string): 'mobile' | 'desktop' | undefined {
  const view = query === '' ? null : new URLSearchParams(query).get('view');
  return view === 'mobile' || view === 'desktop' ? view : undefined;
}
