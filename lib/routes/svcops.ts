/** What the hidden administrator page reads and does. Every handler here stands behind the administrator gate. */
import { coerceToText, normalizeEmail, normalizeFirstName } from '../email.ts';
import type { JsonObject } from '../http/json-body.ts';
import { csvFile, failure, json, type Reply } from '../http/reply.ts';
import { EVENT_TYPES } from '../store/events.ts';
import type { InviteWithTotals } from '../store/invites.ts';
import type { JoinSummary } from '../store/joins.ts';
import type { Store } from '../store/open.ts';
import { csvLines } from './csv.ts';
import { nextCursor, withQuery } from './query.ts';

/** Days shown in the chart. */
const DAYS = 90;

const FORMATS = ['json', 'csv'] as const;

export function svcops(store: Store) {
  const { invites, joins, events, totals } = store;

  return {
    stats: (): Reply =>
      json(200, {
        totals: totals.counts(),
        funnel: totals.funnel(),
        daily: totals.daily(DAYS, Date.now()),
        ...totals.devices(),
      }),

    listInvites: withQuery((query) => {
      if (query.oneOf('format', FORMATS) === 'csv') {
        return csvFile(
          'invites.csv',
          csvLines(INVITE_COLUMNS, (limit, last) =>
            invites.list(limit, last && invitePosition(last)),
          ),
        );
      }
      const limit = query.limit();
      const rows = invites.list(limit, query.position('cursor'));
      return json(200, { invites: rows, next: nextCursor(rows, limit, invitePosition) });
    }),

    listJoins: withQuery((query) => {
      if (query.oneOf('format', FORMATS) === 'csv') {
        return query.oneOf('of', ['summary', 'clicks']) === 'summary'
          ? csvFile(
              'join-summary.csv',
              csvLines(SUMMARY_COLUMNS, (limit, last) =>
                joins.summary(limit, last && summaryPosition(last)),
              ),
            )
          : csvFile(
              'join-clicks.csv',
              csvLines(CLICK_COLUMNS, (limit, last) => joins.list({ limit, before: last?.id })),
            );
      }
      const limit = query.limit();
      const summary = joins.summary(limit, query.position('summary'));
      const clicks = joins.list({ limit, before: query.id('clicks') });
      return json(200, {
        stats: joins.stats(),
        summary,
        clicks,
        next: {
          summary: nextCursor(summary, limit, summaryPosition),
          clicks: nextCursor(clicks, limit, ({ id }) => [id]),
        },
      });
    }),

    listEvents: withQuery((query) => {
      const filter = { type: query.oneOf('type', EVENT_TYPES), email: query.text('email') };
      if (query.oneOf('format', FORMATS) === 'csv') {
        return csvFile(
          'events.csv',
          csvLines(EVENT_COLUMNS, (limit, last) =>
            events.list({ limit, before: last?.id }, filter),
          ),
        );
      }
      const limit = query.limit();
      const rows = events.list({ limit, before: query.id('cursor') }, filter);
      return json(200, { events: rows, next: nextCursor(rows, limit, ({ id }) => [id]) });
    }),

    /** Invites somebody; who is invited here is never an administrator, whatever the body says. */
    async invite(body: JsonObject, administrator: string): Promise<Reply> {
      const email = normalizeEmail(coerceToText(body.email));
      if (email === undefined) return failure(400, 'invalid_email');
      const { firstName: given = '' } = body;
      const firstName =
        given === null ? null : typeof given === 'string' ? normalizeFirstName(given) : undefined;
      if (firstName === undefined) return failure(400, 'invalid_first_name');

      const invite = { email, firstName, invitedBy: administrator, invitedAt: Date.now() };
      const added = await store.write(() => invites.add(invite));
      if (!added) return failure(409, 'already_invited');
      return json(201, { ok: true, invite: invites.find(email) });
    },
  };
}

const INVITE_COLUMNS = [
  'email',
  'firstName',
  'isAdmin',
  'invitedBy',
  'invitedAt',
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

const invitePosition = ({ invitedAt, email }: InviteWithTotals) => [invitedAt, email] as const;
const summaryPosition = ({ lastAt, email }: JoinSummary) => [lastAt, email] as const;
