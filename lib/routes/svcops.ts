/** The API of the administrator page. Every handler is behind the guard `adminOnly`. */
import type { JsonObject } from '../http/json-body.ts';
import { csvFile, failure, json, NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type * as records from '../records.ts';
import type { Readers, ServerStore } from '../store/open.ts';
import { EVENT_TYPES } from '../store/rows/events.ts';
import { coerceToText, normalizeEmail, normalizeFirstName } from '../store/rows/normalize.ts';
import { readAll } from '../store/rows/page.ts';
import { INVITE_SORTS, isSearchPosition, STATUSES } from '../store/rows/people.ts';
import { findAdministrator } from './guards.ts';
import { type Columns, csvLines } from './lists/csv.ts';
import { isId, isTimeAndEmail, type Query, toCursor, withQuery } from './lists/query.ts';

/** Days in the chart. */
const DAYS = 90;

const NO_ROWS: records.Page<never> = { rows: [], next: null };

export function svcops(store: ServerStore) {
  const { events, joins, people, totals } = store;

  const csv = <Row extends object>(
    name: string,
    columns: Columns<Row>,
    list: (readers: Readers) => Iterable<Row>,
  ): Reply => csvFile(name, csvLines(columns, store.beginRead, list));

  return {
    stats: (): Reply =>
      json<records.StatsReply>(200, {
        totals: totals.counts(),
        funnel: totals.funnel(),
        daily: totals.daily(DAYS, Date.now()),
        ...totals.devices(),
      }),

    listInvites: withQuery((query) => {
      const sort = query.oneOf('sort', INVITE_SORTS) ?? 'invitedAt';
      const search = {
        sort,
        order: query.oneOf('order', ['asc', 'desc']) ?? 'desc',
        text: query.text('q'),
        status: query.oneOf('status', STATUSES),
      };
      if (wantsCsv(query))
        return csv('invites.csv', INVITE_COLUMNS, ({ people }) => readAll(people.list, search));
      const after = query.cursor('cursor', isSearchPosition(sort));
      const { rows, next } = people.list({ ...search, limit: query.limit(), after });
      return json<records.InvitesReply>(200, { invites: rows, next: toCursor(next) });
    }),

    /** Both lists; with `of`, one of them, and the other is empty. */
    listJoins: withQuery((query) => {
      const email = query.email('email');
      const of = query.oneOf('of', ['summary', 'clicks']);
      if (wantsCsv(query) && of === 'summary')
        return csv('join-summary.csv', SUMMARY_COLUMNS, (read) =>
          readAll(read.joins.summary, { email }),
        );
      if (wantsCsv(query))
        return csv('join-clicks.csv', CLICK_COLUMNS, (read) => readAll(read.joins.list, { email }));
      const part = { email, limit: query.limit() };
      const person = query.cursor('summary', isTimeAndEmail);
      const click = query.cursor('clicks', isId);
      const summary = of === 'clicks' ? NO_ROWS : joins.summary({ ...part, after: person });
      const clicks = of === 'summary' ? NO_ROWS : joins.list({ ...part, after: click });
      return json<records.JoinsReply>(200, {
        stats: joins.stats(),
        summary: summary.rows,
        clicks: clicks.rows,
        next: { summary: toCursor(summary.next), clicks: toCursor(clicks.next) },
      });
    }),

    listEvents: withQuery((query) => {
      const filter = { type: query.oneOf('type', EVENT_TYPES), email: query.email('email') };
      if (wantsCsv(query))
        return csv('events.csv', EVENT_COLUMNS, ({ events }) => readAll(events.list, filter));
      const after = query.cursor('cursor', isId);
      const { rows, next } = events.list({ ...filter, limit: query.limit(), after });
      return json<records.EventsReply>(200, { events: rows, next: toCursor(next) });
    }),

    /** A person with totals; `null` if the address is unknown. */
    person: withQuery((query) => {
      const email = query.email('email');
      if (email === undefined) return failure(400, 'invalid_query');
      const person = people.find(email) ?? null;
      return json<records.PersonReply>(200, { person, devices: people.devices(email) });
    }),

    /**
     * Adds an invite, never an administrator's. The commit checks again that the caller is an
     * administrator, because the body may have arrived long after the headers.
     */
    invite(request: Request, _: records.Session, body: JsonObject): Reply | Promise<Reply> {
      const email = normalizeEmail(coerceToText(body.email));
      if (email === undefined) return failure(400, 'invalid_email');
      const { firstName: given = '' } = body;
      const firstName =
        given === null ? null : typeof given === 'string' ? normalizeFirstName(given) : undefined;
      if (firstName === undefined) return failure(400, 'invalid_first_name');

      return store.write(({ invites }) => {
        const administrator = findAdministrator(store, request);
        if (!administrator) return NOT_FOUND;
        const invitedBy = administrator.email;
        const invite = { email, firstName, isAdmin: false, invitedBy, invitedAt: Date.now() };
        if (!invites.add(invite)) return failure(409, 'already_invited');
        return json<records.InviteReply>(201, { ok: true, invite });
      });
    },
  };
}

const wantsCsv = (query: Query): boolean => query.oneOf('format', ['json', 'csv']) === 'csv';

const INVITE_COLUMNS: Columns<records.ListedInvite> = {
  email: 'value',
  firstName: 'value',
  isAdmin: 'value',
  invitedBy: 'value',
  invitedAt: 'time',
  status: 'value',
  logins: 'value',
  timelineViews: 'value',
  joinClicks: 'value',
  lastSeenAt: 'time',
};
const SUMMARY_COLUMNS: Columns<records.JoinSummary> = {
  email: 'value',
  clicks: 'value',
  firstAt: 'time',
  lastAt: 'time',
};
const CLICK_COLUMNS: Columns<records.JoinClick> = {
  id: 'value',
  email: 'value',
  session: 'value',
  clickedAt: 'time',
};
const EVENT_COLUMNS: Columns<records.Event> = {
  id: 'value',
  type: 'value',
  email: 'value',
  occurredAt: 'time',
  session: 'value',
  deviceType: 'value',
  os: 'value',
  browser: 'value',
  meta: 'value',
};
