/** The API of the administrator page. */
import { coerceToText, normalizeEmail, normalizeFirstName } from '../addresses/address.ts';
import { emailMistake, normalizeInvitedEmail, withReadable } from '../addresses/normalize.ts';
import type { WithBody } from '../http/json-body.ts';
import { errorReply, jsonReply, type Reply } from '../http/reply.ts';
import type { Change, Event, JoinClick, ListPage, PersonDevice } from '../records.ts';
import type { ServerStore } from '../store/open.ts';
import { closePeriod, dayOf, formatDay, precedingPeriod } from '../store/period.ts';
import { readEventFilter, readInviteSearch, readJoinFilter } from './filters.ts';
import type { VisitorContext } from './guards.ts';
import { type ReadPage, readLogPage } from './list-page.ts';
import { InvalidQuery, toCursor, type WithQuery } from './query.ts';
import type * as replies from './replies.ts';

/** How many days the statistics are of, without `from` and `to`. */
const DEFAULT_DAYS = 90;

/** The most days that a reply has. */
const MAX_DAYS = 3660;

/** How many of a person's newest events tell the person's devices. */
const RECENT_EVENTS = 100;

const NO_ROWS = { rows: [], next: null };

/** Handlers of the administrator's API. */
export type SvcopsHandlers = {
  readonly stats: (context: WithQuery) => Promise<Reply>;
  readonly listInvites: (context: WithQuery) => Promise<Reply>;
  readonly listJoins: (context: WithQuery) => Promise<Reply>;
  readonly listEvents: (context: WithQuery) => Promise<Reply>;
  readonly listChanges: (context: WithQuery) => Promise<Reply>;
  readonly person: (context: WithQuery) => Promise<Reply>;
  readonly invite: (context: VisitorContext & WithBody) => Reply | Promise<Reply>;
};

export function svcopsHandlers(store: ServerStore): SvcopsHandlers {
  return {
    async stats({ query }: WithQuery): Promise<Reply> {
      const today = dayOf(Date.now());
      const period = query.period() ?? { from: today - DEFAULT_DAYS + 1, to: today };
      if (Number.isFinite(period.from) && period.to - period.from >= MAX_DAYS)
        throw new InvalidQuery();
      const stats = await store.read(({ people, totals }) => {
        const first = totals.firstDay();
        const days = closePeriod(period, first, today, MAX_DAYS);
        // A period without a first day has no period before it.
        const preceding = period.from === -Infinity ? undefined : precedingPeriod(period);
        return {
          period: { from: formatDay(days.from), to: formatDay(days.to) },
          totals: { ...totals.invites(), ...totals.activity(period) },
          before: preceding
            ? { ...totals.activity(preceding), people: people.countActive(preceding) }
            : null,
          first: first === undefined ? null : formatDay(first),
          people: people.countActive(period),
          funnel: totals.funnel(),
          daily: totals.daily(days),
          ...totals.devices(),
        };
      });
      return jsonReply<replies.StatsReply>(200, stats);
    },

    async listInvites({ query }: WithQuery): Promise<Reply> {
      const search = readInviteSearch(query);
      const page = query.page();
      const found = await store.read(({ people }) => people.list({ ...search, ...page }));
      const { rows: invites, next } = toReplyPage(found);
      return jsonReply<replies.InvitesReply>(200, { invites, total: found.total, next });
    },

    /** Both lists. If the query names one of them by `of`, the other one has no rows. */
    async listJoins({ query }: WithQuery): Promise<Reply> {
      const { of, ...filter } = readJoinFilter(query);
      const summaryPage = query.page('summary');
      const clicksPage = query.page('clicks');
      const readClicks: ReadPage<JoinClick> = ({ joins }, page) =>
        joins.list({ ...filter, ...page });
      const counted = await store.read(({ joins }) => {
        const emails = joins.search(filter);
        return {
          stats: joins.stats(filter, emails),
          summary: of === 'clicks' ? NO_ROWS : joins.summary({ ...filter, ...summaryPage }, emails),
        };
      });
      const log = of === 'summary' ? NO_ROWS : await readLogPage(store, readClicks, clicksPage);
      const summary = toReplyPage(counted.summary);
      const clicks = toReplyPage(log);
      return jsonReply<replies.JoinsReply>(200, {
        stats: counted.stats,
        summary: summary.rows,
        clicks: clicks.rows,
        next: { summary: summary.next, clicks: clicks.next },
      });
    },

    async listEvents({ query }: WithQuery): Promise<Reply> {
      const filter = readEventFilter(query);
      const readPage: ReadPage<Event> = ({ events }, page) => events.list({ ...filter, ...page });
      const { rows, next } = toReplyPage(await readLogPage(store, readPage, query.page()));
      return jsonReply<replies.EventsReply>(200, { events: rows, next });
    },

    async listChanges({ query }: WithQuery): Promise<Reply> {
      const email = query.email('email');
      const readPage: ReadPage<Change> = ({ changes }, page) => changes.list({ email, ...page });
      const { rows, next } = toReplyPage(await readLogPage(store, readPage, query.page()));
      return jsonReply<replies.ChangesReply>(200, { changes: rows, next });
    },

    /** A person with totals; `null` if the address is unknown. */
    async person({ query }: WithQuery): Promise<Reply> {
      const email = query.email('email');
      if (email === undefined) throw new InvalidQuery();
      const person = await store.read(({ people }) => people.find(email));
      const readPage: ReadPage<Event> = ({ events }, page) => events.list({ email, ...page });
      const { rows } = await readLogPage(store, readPage, { limit: RECENT_EVENTS });
      return jsonReply<replies.PersonReply>(200, {
        person: person ? withReadable(person) : null,
        devices: countDevices(rows),
      });
    },

    /**
     * Adds an invite, never an administrator. The body may arrive long after the headers, so the
     * session is checked again in the transaction.
     */
    invite({
      visitor,
      replyWithoutSession,
      body,
    }: VisitorContext & WithBody): Reply | Promise<Reply> {
      const text = coerceToText(body.email);
      const email = normalizeInvitedEmail(text);
      if (email === undefined) return errorReply(400, emailMistake(text));
      // An invite that another program wrote may have the address as it was typed.
      const typedForm = normalizeEmail(text) ?? email;
      const firstName = readFirstNameField(body);
      if (firstName === undefined) return errorReply(400, 'invalid_first_name');

      return store.write(({ invites, sessions }) => {
        if (!sessions.isAdmin(visitor)) return replyWithoutSession();
        const invitedBy = visitor.email;
        const invitedAt = invites.newMoment();
        const invite = { email, firstName, isAdmin: false, invitedBy, invitedAt };
        const hasTypedForm = typedForm !== email && store.invites.find(typedForm) !== undefined;
        if (hasTypedForm) return errorReply(409, 'already_invited');
        const isAdded = invites.add(invite, { by: invitedBy, via: 'page' });
        if (!isAdded) return errorReply(409, 'already_invited');
        return jsonReply<replies.InviteReply>(201, { ok: true, invite: withReadable(invite) });
      });
    },
  };
}

/**
 * The first name of a new invite. The page sends `firstName`. Scripts may send `first_name`, which
 * is the name of the column.
 *
 * @returns `null` without one; `undefined` if it is invalid, or if the two differ
 */
function readFirstNameField(body: WithBody['body']): string | null | undefined {
  const firstName = parseFirstName(body.firstName);
  const otherName = parseFirstName(body.first_name);
  if (firstName === undefined || otherName === undefined) return undefined;
  if (firstName === null) return otherName;
  if (otherName === null || otherName === firstName) return firstName;
  return undefined;
}

/** @returns `null` for an absent or empty value, `undefined` for an invalid one */
function parseFirstName(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? normalizeFirstName(value) : undefined;
}

/** The devices of events, most used first; of equal ones, the last used first. */
function countDevices(events: readonly Event[]): readonly PersonDevice[] {
  const devices = new Map<string, PersonDevice>();
  for (const { deviceType, os, browser, occurredAt } of events) {
    const key = JSON.stringify([deviceType, os, browser]);
    const { count, lastAt } = devices.get(key) ?? { count: 0, lastAt: occurredAt };
    const device = { deviceType, os, browser, count: count + 1 };
    devices.set(key, { ...device, lastAt: Math.max(lastAt, occurredAt) });
  }
  return [...devices.values()].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt);
}

/** A page of a list in the form of a reply. */
const toReplyPage = <Row extends { readonly email: string | null }>(
  page: ListPage<Row, number>,
) => ({
  rows: page.rows.map(withReadable),
  next: toCursor(page.next),
});
