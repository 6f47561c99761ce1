/** The API of the administrator page; every handler stands behind the administrator gate. */

import type { JsonObject } from '../http/json-body.ts';
import { csvFile, failure, json, NOT_FOUND, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Resources, ServerStore } from '../store/open.ts';
import { EVENT_TYPES } from '../store/rows/events.ts';
import { coerceToText, normalizeEmail, normalizeFirstName } from '../store/rows/normalize.ts';
import { INVITE_SORTS, isSearchPosition, STATUSES } from '../store/rows/people.ts';
import { findAdministrator } from './guards.ts';
import { csvLines } from './lists/csv.ts';
import { isId, isTimeAndEmail, paged, type Query, withQuery } from './lists/query.ts';

/** Days shown in the chart. */
const DAYS = 90;

const FORMATS = ['json', 'csv'] as const;
const ORDERS = ['asc', 'desc'] as const;
const JOIN_LISTS = ['summary', 'clicks'] as const;

export function svcops(store: ServerStore) {
  const { events, invites, joins, people, totals } = store;

  const csv = <T extends object>(
    name: string,
    columns: readonly (keyof T & string)[],
    list: (resources: Resources) => Iterable<T>,
  ): Reply => csvFile(name, csvLines(columns, store.beginRead, list));

  return {
    stats: (): Reply =>
      json(200, {
        totals: totals.counts(),
        funnel: totals.funnel(),
        daily: totals.daily(DAYS, Date.now()),
        ...totals.devices(),
      }),

    listInvites: withQuery((query) => {
      const sort = query.oneOf('sort', INVITE_SORTS) ?? 'invitedAt';
      const search = {
        sort,
        order: query.oneOf('order', ORDERS) ?? 'desc',
        text: query.text('q'),
        status: query.oneOf('status', STATUSES),
      };
      if (wantsCsv(query))
        return csv('invites.csv', INVITE_COLUMNS, ({ people }) => people.iterate(search));
      const after = query.cursor('cursor', isSearchPosition(sort));
      const { rows, next } = paged(
        query.limit(),
        (limit) => people.search(search, limit, after),
        ({ position }) => position,
      );
      const invites = rows.map(({ position, ...invite }) => invite);
      return json(200, { invites, next });
    }),

    /** Both lists, or `of` one of them alone: the other is empty then. */
    listJoins: withQuery((query) => {
      const email = query.email('email');
      const of = query.oneOf('of', JOIN_LISTS);
      if (wantsCsv(query)) {
        return of === 'summary'
          ? csv('join-summary.csv', SUMMARY_COLUMNS, ({ joins }) => joins.iterateSummary(email))
          : csv('join-clicks.csv', CLICK_COLUMNS, ({ joins }) => joins.iterate({}, email));
      }
      const limit = query.limit();
      const after = query.cursor('summary', isTimeAndEmail);
      const before = query.cursor('clicks', isId);
      const summary = paged(
        limit,
        (limit) => (of === 'clicks' ? [] : joins.summary(limit, after, email)),
        ({ lastAt, email }) => [lastAt, email],
      );
      const clicks = paged(
        limit,
        (limit) => (of === 'summary' ? [] : joins.list({ limit, before }, email)),
        ({ id }) => id,
      );
      return json(200, {
        stats: joins.stats(),
        summary: summary.rows,
        clicks: clicks.rows,
        next: { summary: summary.next, clicks: clicks.next },
      });
    }),

    listEvents: withQuery((query) => {
      const filter = { type: query.oneOf('type', EVENT_TYPES), email: query.email('email') };
      if (wantsCsv(query))
        return csv('events.csv', EVENT_COLUMNS, ({ events }) => events.iterate({}, filter));
      const before = query.cursor('cursor', isId);
      const { rows, next } = paged(
        query.limit(),
        (limit) => events.list({ limit, before }, filter),
        ({ id }) => id,
      );
      return json(200, { events: rows, next });
    }),

    /** Who somebody is, in total; `null` where nothing is known of the address. */
    person: withQuery((query) => {
      const email = query.email('email');
      if (email === undefined) return failure(400, 'invalid_query');
      return json(200, { person: people.find(email) ?? null, devices: people.devices(email) });
    }),

    /**
     * Adds an invite, never an administrator, whatever the body says. The commit checks again that
     * the caller is an administrator: the body may have come long after the headers.
     */
    invite(request: Request, body: JsonObject): Reply | Promise<Reply> {
      const email = normalizeEmail(coerceToText(body.email));
      if (email === undefined) return failure(400, 'invalid_email');
      const { firstName: given = '' } = body;
      const firstName =
        given === null ? null : typeof given === 'string' ? normalizeFirstName(given) : undefined;
      if (firstName === undefined) return failure(400, 'invalid_first_name');

      return store.write(() => {
        const administrator = findAdministrator(store, request);
        if (!administrator) return NOT_FOUND;
        const invitedBy = administrator.email;
        const added = invites.add({ email, firstName, invitedBy, invitedAt: Date.now() });
        if (!added) return failure(409, 'already_invited');
        return json(201, { ok: true, invite: invites.find(email) });
      });
    },
  };
}

const wantsCsv = (query: Query): boolean => query.oneOf('format', FORMATS) === 'csv';

const INVITE_COLUMNS = [
  'email',
  'firstName',
  'isAdmin',
  'invitedBy',
  'invitedAt',
  'status',
  'logins',
  'timelineViews',
  'joinClicks',
  'lastSeenAt',
] as const;
const SUMMARY_COLUMNS = ['email', 'clicks', 'firstAt', 'lastAt'] as const;
const CLICK_COLUMNS = ['id', 'email', 'session', 'clickedAt'] as const;
const EVENT_COLUMNS = [
  'id',
  'type',
  'email',
  'occurredAt',
  'session',
  'deviceType',
  'os',
  'browser',
  'meta',
] as const;
