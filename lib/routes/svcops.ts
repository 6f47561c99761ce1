/** The administrators' API. The guards have decided who may call it. */
import { linkTo, readFirstName, readInvitedEmail, toText } from '../addresses.ts';
import { isObject } from '../http/body.ts';
import { errorReply, jsonReply } from '../http/reply.ts';
import { listEvents } from '../store/events.ts';
import { addInvite, addInvites, listGuests } from '../store/invites.ts';
import { countJoins, listJoinClicks, summarizeJoins } from '../store/joins.ts';
import type { Database } from '../store/sqlite.ts';
import { readStatistics } from '../store/statistics.ts';
import type { VisitorStep } from './guards.ts';
import { readDays, readLogQuery, readParameters } from './query.ts';

/** Rows of a log in one reply. */
const LOG_ROWS = 500;

const MAX_INVITES = 20_000;

const INVALID_QUERY = errorReply(400, 'invalid_query');

export function stats(db: Database): VisitorStep {
  return ({ query }) => {
    const days = readDays(query);
    if (days === undefined) return INVALID_QUERY;
    return jsonReply(200, readStatistics(db, days, Date.now()));
  };
}

export function invites(db: Database, publicOrigin: string): VisitorStep {
  return ({ query }) => {
    if (!readParameters(query, [])) return INVALID_QUERY;
    const listed = listGuests(db).map((guest) => ({
      ...guest,
      link: linkTo(publicOrigin, guest.email),
    }));
    return jsonReply(200, { invites: listed });
  };
}

export function invite(db: Database, publicOrigin: string): VisitorStep {
  return ({ body }, admin) => {
    const email = readInvitedEmail(toText(body.email));
    if (email === undefined) return errorReply(400, 'invalid_email');
    const firstName = readFirstName(toText(body.firstName));
    if (firstName === undefined) return errorReply(400, 'invalid_first_name');

    const invite = { email, firstName, invitedBy: admin.email, invitedAt: Date.now() };
    if (!addInvite(db, invite)) return errorReply(409, 'already_invited');
    const added = { ...invite, isAdmin: false, link: linkTo(publicOrigin, email) };
    return jsonReply(201, { ok: true, invite: added });
  };
}

export function inviteMany(db: Database): VisitorStep {
  return ({ body }, admin) => {
    if (!Array.isArray(body.invites)) return errorReply(400, 'invalid_invites');
    if (body.invites.length > MAX_INVITES) return errorReply(413, 'body_too_large');
    const guests = body.invites.map((each: unknown) => {
      const guest = isObject(each) ? each : {};
      return { email: toText(guest.email), firstName: toText(guest.firstName) };
    });
    return jsonReply(200, addInvites(db, guests, admin.email, Date.now()));
  };
}

export function joins(db: Database): VisitorStep {
  return ({ query }) => {
    const filter = readLogQuery(query, ['email', 'before']);
    if (!filter) return INVALID_QUERY;
    const { rows, older } = pageOf(listJoinClicks(db, { ...filter, limit: LOG_ROWS + 1 }));
    if (query !== '') return jsonReply(200, { clicks: rows, older });
    const summary = summarizeJoins(db);
    return jsonReply(200, { stats: countJoins(db), summary, clicks: rows, older });
  };
}

export function events(db: Database): VisitorStep {
  return ({ query }) => {
    const filter = readLogQuery(query, ['email', 'type', 'before']);
    if (!filter) return INVALID_QUERY;
    const { rows, older } = pageOf(listEvents(db, { ...filter, limit: LOG_ROWS + 1 }));
    return jsonReply(200, { events: rows, older });
  };
}

type Page<Row> = {
  readonly rows: readonly Row[];
  /** The `before` of the next page; `null` on the last one. */
  readonly older: number | null;
};

/** @param found one row more than a page has, if there are more */
function pageOf<Row extends { readonly id: number }>(found: readonly Row[]): Page<Row> {
  const rows = found.slice(0, LOG_ROWS);
  const last = rows.at(-1);
  return { rows, older: last && found.length > LOG_ROWS ? last.id : null };
}
