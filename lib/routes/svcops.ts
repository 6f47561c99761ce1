/** The administrators' API. The guards have decided who may call it. */
import { linkTo, readFirstName, readInvitedEmail, toText } from '../addresses.ts';
import { isObject } from '../http/body.ts';
import { errorReply, jsonReply } from '../http/reply.ts';
import { listEvents } from '../store/events.ts';
import { addInvite, addInvites, listGuests } from '../store/invites.ts';
import { countJoins, listJoinClicks, summarizeJoins } from '../store/joins.ts';
import type { Database } from '../store/sqlite.ts';
import { readStatistics } from '../store/statistics.ts';
import type { VisitorHandler } from './guards.ts';
import { readQuery } from './query.ts';

/** Rows of a log in one reply. */
const LOG_ROWS = 500;

/** Of the statistics, if `days` is absent. */
const DEFAULT_DAYS = 90;

const MAX_INVITE_BYTES = 10 * 1024;
const MAX_LIST_BYTES = 1024 * 1024;
const MAX_LIST_GUESTS = 20_000;

const INVALID_QUERY = errorReply(400, 'invalid_query');

export function getStats(db: Database): VisitorHandler {
  return (request) => {
    const query = readQuery(request.query, ['days']);
    if (!query) return INVALID_QUERY;
    return jsonReply(200, readStatistics(db, query.days ?? DEFAULT_DAYS, Date.now()));
  };
}

export function getInvites(db: Database, publicOrigin: string): VisitorHandler {
  return (request) => {
    if (!readQuery(request.query, [])) return INVALID_QUERY;
    const listed = listGuests(db).map((guest) => ({
      ...guest,
      link: linkTo(publicOrigin, guest.email),
    }));
    return jsonReply(200, { invites: listed });
  };
}

export function postInvite(db: Database, publicOrigin: string): VisitorHandler {
  return ({ body }, admin) => {
    if (!body) return { maxBytes: MAX_INVITE_BYTES };
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

export function postInvites(db: Database): VisitorHandler {
  return ({ body }, admin) => {
    if (!body) return { maxBytes: MAX_LIST_BYTES };
    if (!Array.isArray(body.invites)) return errorReply(400, 'invalid_json');
    if (body.invites.length > MAX_LIST_GUESTS) return errorReply(413, 'body_too_large');
    const guests = body.invites.map(readGuest);
    return jsonReply(200, addInvites(db, guests, admin.email, Date.now()));
  };
}

function readGuest(value: unknown): { readonly email: string; readonly firstName: string } {
  const guest = isObject(value) ? value : {};
  return { email: toText(guest.email), firstName: toText(guest.firstName) };
}

export function getJoins(db: Database): VisitorHandler {
  return (request) => {
    const query = readQuery(request.query, ['email', 'before']);
    if (!query) return INVALID_QUERY;
    const { rows, older } = pageOf(listJoinClicks(db, { ...query, limit: LOG_ROWS + 1 }));
    const isWhole = Object.keys(query).length === 0;
    const whole = isWhole ? { stats: countJoins(db), summary: summarizeJoins(db) } : {};
    return jsonReply(200, { ...whole, clicks: rows, older });
  };
}

export function getEvents(db: Database): VisitorHandler {
  return (request) => {
    const query = readQuery(request.query, ['email', 'type', 'before']);
    if (!query) return INVALID_QUERY;
    const { rows, older } = pageOf(listEvents(db, { ...query, limit: LOG_ROWS + 1 }));
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
