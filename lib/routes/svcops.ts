/** The API of the administrator page. */
import { COLUMNS, type Lists, MAX_ROWS } from '../csv.ts';
import { csvReply, errorReply, jsonReply, type Reply } from '../http/reply.ts';
import type { Context, Request } from '../http/request.ts';
import { LETTERS, type LetterTexts } from '../letters.ts';
import type { ListPage } from '../records.ts';
import type * as replies from '../replies.ts';
import { EVENT_TYPES } from '../store/events.ts';
import {
  coerceToText,
  normalizeFirstName,
  normalizeInvitedEmail,
  withReadable,
} from '../store/normalize.ts';
import type { Readers, ServerStore } from '../store/open.ts';
import { ALL_ACTS, INVITE_SORTS, STATUSES } from '../store/people.ts';
import { dayOf, formatDay, type Period } from '../store/period.ts';
import type { LoggedIn, WithBody } from './guards.ts';
import { lettersCsv } from './letters.ts';
import { byAddress, exportCsv, type ReadPage } from './lists/csv-export.ts';
import * as lists from './lists/query.ts';
import { InvalidQuery, type WithQuery } from './lists/query.ts';

/** Days of a reply to a query without a period. */
const DAYS = 90;

/** Maximum number of days of a reply. */
const MAX_DAYS = 3660;

const NO_ROWS = { rows: [], next: null };

/** @param texts of letters */
export function svcopsHandlers(store: ServerStore, texts: LetterTexts) {
  /** A whole list as CSV: `joinClicks` as `join-clicks.csv`. */
  const csvExport = async <List extends keyof Lists, Position>(
    { method }: Request,
    list: List,
    readPage: ReadPage<Lists[List], Position>,
  ): Promise<Reply> => {
    const name = `${list.replace(/[A-Z]/g, '-$&').toLowerCase()}.csv`;
    const isRead = method !== 'HEAD';
    return csvReply(name, isRead ? await exportCsv(store, COLUMNS[list], readPage) : nothing());
  };

  return {
    async stats({ query }: WithQuery): Promise<Reply> {
      const today = dayOf(Date.now());
      const asked = query.period();
      const period = asked ?? { from: today - DAYS + 1, to: today };
      if (Number.isFinite(period.from) && period.to - period.from >= MAX_DAYS)
        throw new InvalidQuery();
      const stats = await store.read(({ people, totals }) => {
        const first = totals.firstDay();
        const days = finiteDays(period, first, today);
        const before = { from: 2 * days.from - days.to - 1, to: days.from - 1 };
        return {
          totals: totals.counts(asked),
          before: asked ? { ...totals.activity(before), people: people.count(before) } : null,
          first: first === undefined ? null : formatDay(first),
          people: people.count(period),
          funnel: totals.funnel(),
          daily: totals.daily(days),
          ...totals.devices(),
        };
      });
      return jsonReply<replies.StatsReply>(200, stats);
    },

    async listInvites({ request, query }: Context & WithQuery): Promise<Reply> {
      const search = {
        sort: query.oneOf('sort', INVITE_SORTS) ?? 'invitedAt',
        order: query.oneOf('order', ['asc', 'desc']) ?? 'desc',
        text: query.text('q'),
        statuses: query.someOf('status', STATUSES),
        did: query.oneOf('did', ALL_ACTS),
        period: query.period(),
      } as const;
      const kind = query.oneOf('letters', LETTERS);
      if (query.isCsv()) {
        const emails = await store.read(({ people }) => people.search(search));
        const find = ({ people }: Readers, part: readonly string[]) =>
          people.findListed(search, part);
        const rows = byAddress(emails, find);
        return kind
          ? lettersCsv(store, request, kind, texts, rows)
          : csvExport(request, 'invites', rows);
      }
      const page = query.page(lists.isOffset);
      const found = await store.read(({ people }) => people.list({ ...search, ...page }));
      const { rows: invites, next } = toReplyPage(found);
      return jsonReply<replies.InvitesReply>(200, { invites, total: found.total, next });
    },

    /** Both lists; with `of`, only one of them has rows. */
    async listJoins({ request, query }: Context & WithQuery): Promise<Reply> {
      const of = query.oneOf('of', ['summary', 'clicks']);
      const filter = { email: query.email('email'), period: query.period() };
      if (query.isCsv() && of === 'summary') {
        const emails = await store.read(({ joins }) => joins.joined(filter));
        const find = ({ joins }: Readers, part: readonly string[]) => joins.findJoined(part);
        return csvExport(request, 'joinSummary', byAddress(emails, find));
      }
      if (query.isCsv())
        return csvExport(request, 'joinClicks', ({ joins }, after?: number) =>
          joins.clicks({ ...filter, after, limit: MAX_ROWS }),
        );
      const ofSummary = { ...filter, ...query.page(lists.isOffset, 'summary') };
      const ofClicks = { ...filter, ...query.page(lists.isId, 'clicks') };
      const found = await store.read((readers) => {
        const stats = readers.joins.stats(filter);
        const summary = toReplyPage(of === 'clicks' ? NO_ROWS : readers.joins.summary(ofSummary));
        const clicks = toReplyPage(of === 'summary' ? NO_ROWS : readers.joins.clicks(ofClicks));
        const next = { summary: summary.next, clicks: clicks.next };
        return { stats, summary: summary.rows, clicks: clicks.rows, next };
      });
      return jsonReply<replies.JoinsReply>(200, found);
    },

    async listEvents({ request, query }: Context & WithQuery): Promise<Reply> {
      const filter = {
        type: query.oneOf('type', EVENT_TYPES),
        email: query.email('email'),
        period: query.period(),
      };
      if (query.isCsv())
        return csvExport(request, 'events', ({ events }, after?: number) =>
          events.list({ ...filter, after, limit: MAX_ROWS }),
        );
      const page = query.page(lists.isId);
      const found = await store.read(({ events }) => events.list({ ...filter, ...page }));
      const { rows, next } = toReplyPage(found);
      return jsonReply<replies.EventsReply>(200, { events: rows, next });
    },

    async listChanges({ request, query }: Context & WithQuery): Promise<Reply> {
      const filter = { email: query.email('email') };
      if (query.isCsv())
        return csvExport(request, 'changes', ({ changes }, after?: number) =>
          changes.list({ ...filter, after, limit: MAX_ROWS }),
        );
      const page = query.page(lists.isId);
      const found = await store.read(({ changes }) => changes.list({ ...filter, ...page }));
      const { rows, next } = toReplyPage(found);
      return jsonReply<replies.ChangesReply>(200, { changes: rows, next });
    },

    /** A person with totals; `null` if the address is unknown. */
    async person({ query }: WithQuery): Promise<Reply> {
      const email = query.email('email');
      if (email === undefined) throw new InvalidQuery();
      const found = await store.read(({ people, events }) => {
        const person = people.find(email);
        return { person: person ? withReadable(person) : null, devices: events.devices(email) };
      });
      return jsonReply<replies.PersonReply>(200, found);
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

      return store.write(({ invites, sessions }) => {
        if (!sessions.isAdmin(session)) return refusal;
        const { email: invitedBy } = session;
        const invite = { email, firstName, isAdmin: false, invitedBy, invitedAt: Date.now() };
        if (!invites.add(invite, { by: invitedBy, via: 'page' }))
          return errorReply(409, 'already_invited');
        return jsonReply<replies.InviteReply>(201, { ok: true, invite: withReadable(invite) });
      });
    },
  };
}

async function* nothing(): AsyncGenerator<string> {}

/** The days of a period; of an open one, from the first day with data, and not after today. */
function finiteDays({ from, to }: Period, first: number | undefined, today: number): Period {
  if (from !== -Infinity) return { from, to };
  const last = Math.min(to, today);
  return { from: Math.max(Math.min(first ?? last, last), last - MAX_DAYS + 1), to: last };
}

/** A page of a list, as a reply shows it. */
const toReplyPage = <Row extends { readonly email: string | null }>({
  rows,
  next,
}: ListPage<Row, unknown>) => ({
  rows: rows.map(withReadable),
  next: lists.toCursor(next),
});
