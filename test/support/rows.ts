/** Rows as the server writes them, and lists of them. */
import type { ListPage } from '../../lib/records.ts';
import type { Writer } from '../../lib/store/open.ts';
import type { PageQuery } from '../../lib/store/paging.ts';

export const PHONE = {
  session: 's',
  deviceType: 'mobile',
  os: 'iOS',
  browser: 'Mobile Safari',
} as const;

/** The User-Agent of such a phone. */
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

export const FORCED = { view: 'mobile', forced: true } as const;

export const addInvite = (
  { invites }: Writer,
  email: string,
  { invitedAt = 1, firstName = null as string | null, invitedBy = 'cli' } = {},
) => invites.add({ email, firstName, invitedBy, invitedAt });

export const recordLogin = ({ events }: Writer, email: string, occurredAt: number) =>
  events.record({ type: 'login', email, occurredAt, ...PHONE, meta: null });

export const recordView = ({ events }: Writer, email: string, occurredAt: number) =>
  events.record({ type: 'timeline_view', email, occurredAt, ...PHONE, meta: FORCED });

export const recordJoin = ({ joins }: Writer, email: string, clickedAt: number) =>
  joins.record({ email, session: PHONE.session, clickedAt });

/** Reads a list in pages of 7. Calls `between` after each page. */
export function inPages<const F extends object, R, P>(
  list: (part: F & PageQuery<P>) => ListPage<R, P>,
  filter: F,
  between = () => {},
): readonly R[] {
  const found: R[] = [];
  for (let after: P | undefined; ; ) {
    const { rows, next } = list({ ...filter, limit: 7, after });
    found.push(...rows);
    if (next === null) return found;
    after = next;
    between();
  }
}
