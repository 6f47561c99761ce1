/** The API of the administrator page. */
import { COLUMNS, type Lists } from '../csv.ts';
import { csvReply, errorReply, jsonReply, type Reply } from '../http/reply.ts';
import type * as records from '../records.ts';
import type { Readers, ServerStore } from '../store/open.ts';
import { EVENT_TYPES } from '../store/events.ts';
import {
  coerceToText,
  normalizeFirstName,
  normalizeInvitedEmail,
  withReadable,
} from '../store/normalize.ts';
import { readAllPages } from '../store/paging.ts';
import { INVITE_SORTS, isSearchPosition, STATUSES } from '../store/people.ts';
import { dayOf, formatDay, type Period } from '../store/period.ts';
import type { LoggedIn, WithBody } from './guards.ts';
import { exportCsv } from './lists/csv-export.ts';
import { InvalidQuery, isId, isTimeAndEmail, toCursor, type WithQuery } from './lists/query.ts';

/** Days of a reply to a query without a period. */
const DAYS = 90;

/** Maximum number of days of a reply. */
const MAX_DAYS = 3660;

const NO_ROWS = { rows: [], next: null };

/** All rows are counted before a total is read, so that it is exact. */
export function svcopsHandlers(store: ServerStore) {
  const { changes, events, joins, people, totals } = store;

  /** A whole list as CSV: `joinClicks` as `join-clicks.csv`. */
  const csvExport = <List extends keyof Lists>(
    list: List,
    read: (readers: Readers) => Iterable<Lists[List]>,
  ): Reply => {
    const name = `${list.replace(/[A-Z]/g, '-$&').toLowerCase()}.csv`;
    return csvReply(name, exportCsv(store, COLUMNS[list], read));
  };

  return {
    async stats({ query }: WithQuery): Promise<Reply> {
      await store.updateTotals();
      const today = dayOf(Date.now());
      const first = totals.firstDay();
      const asked = query.period();
      const period = asked ? limitDays(asked, first, today) : { from: today - DAYS + 1, to: today };
      const length = period.to - period.from + 1;
      if (length > MAX_DAYS) throw new InvalidQuery();
      const before = { from: period.from - length, to: period.from - 1 };
      const reached = await totals.people(period);
      return jsonReply<records.StatsReply>(200, {
        totals: totals.counts(asked && period),
        before: asked ? totals.activity(before) : null,
        first: first === undefined ? null : formatDay(first),
        people: reached,
        funnel: totals.funnel(),
        daily: totals.daily(period),
        ...totals.devices(),
      });
    },

    async listInvites({ query }: WithQuery): Promise<Reply> {
      await store.updateTotals();
      const sort = query.oneOf('sort', INVITE_SORTS) ?? 'invitedAt';
      const search = {
        sort,
        order: query.oneOf('order', ['asc', 'desc']) ?? 'desc',
        text: query.text('q'),
        status: query.oneOf('status', STATUSES),
        period: query.period(),
      };
      if (query.isCsv()) return csvExport('invites', ({ people }) => people.all(search));
      const found = toReplyPage(people.list({ ...search, ...query.page(isSearchPosition(sort)) }));
      return jsonReply<records.InvitesReply>(200, { invites: found.rows, next: found.next });
    },

    /** Both lists; with `of`, only one of them has rows. */
    async listJoins({ query }: WithQuery): Promise<Reply> {
      await store.updateTotals();
      const of = query.oneOf('of', ['summary', 'clicks']);
      const filter = { email: query.email('email'), period: query.period() };
      if (query.isCsv())
        return of === 'summary'
          ? csvExport('joinSummary', ({ joins }) => readAllPages(joins.summary, filter))
          : csvExport('joinClicks', ({ joins }) => readAllPages(joins.list, filter));
      const ofSummary = { ...filter, ...query.page(isTimeAndEmail, 'summary') };
      const ofClicks = { ...filter, ...query.page(isId, 'clicks') };
      const summary = toReplyPage(of === 'clicks' ? NO_ROWS : joins.summary(ofSummary));
      const clicks = toReplyPage(of === 'summary' ? NO_ROWS : joins.list(ofClicks));
      return jsonReply<records.JoinsReply>(200, {
        stats: joins.stats(filter),
        summary: summary.rows,
        clicks: clicks.rows,
        next: { summary: summary.next, clicks: clicks.next },
      });
    },

    async listEvents({ query }: WithQuery): Promise<Reply> {
      await store.updateTotals();
      const filter = {
        type: query.oneOf('type', EVENT_TYPES),
        email: query.email('email'),
        period: query.period(),
      };
      if (query.isCsv())
        return csvExport('events', ({ events }) => readAllPages(events.list, filter));
      const { rows, next } = toReplyPage(events.list({ ...filter, ...query.page(isId) }));
      return jsonReply<records.EventsReply>(200, { events: rows, next });
    },

    listChanges({ query }: WithQuery): Reply {
      const filter = { email: query.email('email') };
      if (query.isCsv())
        return csvExport('changes', ({ changes }) => readAllPages(changes.list, filter));
      const { rows, next } = toReplyPage(changes.list({ ...filter, ...query.page(isId) }));
      return jsonReply<records.ChangesReply>(200, { changes: rows, next });
    },

    /** A person with totals; `null` if the address is unknown. */
    async person({ query }: WithQuery): Promise<Reply> {
      await store.updateTotals();
      const email = query.email('email');
      if (email === undefined) throw new InvalidQuery();
      const found = people.find(email);
      const person = found ? withReadable(found) : null;
      return jsonReply<records.PersonReply>(200, { person, devices: people.devices(email) });
    },

    /**
     * Adds an invite, never an administrator. The commit checks the caller again, because the
     * body may have arrived long after the headers.
     */
    invite({ session, refusal, body }: LoggedIn & WithBody): Reply | Promise<Reply> {
      const email = normalizeInvitedEmail(coerceToText(body.email));
      if (email === undefined) return errorReply(400, 'invalid_email');
      const given = body.firstName ?? '';
      const firstName = typeof given === 'string' ? normalizeFirstName(given) : undefined;
      if (firstName === undefined) return errorReply(400, 'invalid_first_name');

      return store.write(({ invites }) => {
        if (!store.findVisitor(session.token)?.isAdmin) return refusal;
        const { email: invitedBy } = session;
        const invite = { email, firstName, isAdmin: false, invitedBy, invitedAt: Date.now() };
        if (!invites.add(invite, { by: invitedBy, via: 'page' }))
          return errorReply(409, 'already_invited');
        return jsonReply<records.InviteReply>(201, { ok: true, invite: withReadable(invite) });
      });
    },
  };
}

/** A finite period: by default from the first day with data until today. */
function limitDays({ from, to }: Period, first: number | undefined, today: number): Period {
  if (from !== -Infinity) return { from, to: to === Infinity ? Math.max(from, today) : to };
  const last = Math.min(to, today);
  return { from: Math.max(Math.min(first ?? last, last), last - MAX_DAYS + 1), to: last };
}

/** A page of a list, as a reply shows it. */
const toReplyPage = <Row extends { readonly email: string | null }>({
  rows,
  next,
}: records.ListPage<Row, unknown>) => ({ rows: rows.map(withReadable), next: toCursor(next) });
