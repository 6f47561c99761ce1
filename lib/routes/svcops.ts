/** The administrators' API. The guards have decided who may call it. */
import { linkTo, readEmail, readFirstName, readInvitedEmail, toText } from '../addresses.ts';
import { errorReply, jsonReply } from '../http/reply.ts';
import { isObject, type JsonObject } from '../records.ts';
import { listEvents } from '../store/events.ts';
import {
  addInvite,
  addInvites,
  type CheckedGuest,
  listGuests,
  setFirstName,
} from '../store/invites.ts';
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
const INVALID_EMAIL = errorReply(400, 'invalid_email');
const INVALID_FIRST_NAME = errorReply(400, 'invalid_first_name');

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
    const { email, firstName } = readGuest(body);
    if (email === undefined) return INVALID_EMAIL;
    if (firstName === undefined) return INVALID_FIRST_NAME;
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
    const guests = body.invites.map((guest) => readGuest(isObject(guest) ? guest : {}));
    return jsonReply(200, addInvites(db, guests, admin.email, Date.now()));
  };
}

/** Corrects a first name. The address may be one that nobody can invite any more. */
export function postName(db: Database): VisitorHandler {
  return ({ body }) => {
    if (!body) return { maxBytes: MAX_INVITE_BYTES };
    const email = readEmail(toText(body.email));
    if (email === undefined) return INVALID_EMAIL;
    const firstName = readJsonFirstName(body.firstName);
    if (firstName === undefined) return INVALID_FIRST_NAME;
    if (!setFirstName(db, email, firstName)) return errorReply(409, 'not_invited');
    return jsonReply(200, { ok: true });
  };
}

/** A person to invite, whose first name may be missing. */
function readGuest({ email, firstName = null }: JsonObject): CheckedGuest {
  return {
    email: readInvitedEmail(toText(email)),
    firstName: readJsonFirstName(firstName),
  };
}

/** A string or `null`. @returns `undefined` for anything else, and for what cannot be a name */
function readJsonFirstName(value: unknown): string | null | undefined {
  if (value === null) return null;
  return typeof value === 'string' ? readFirstName(value) : undefined;
}

export function getJoins(db: Database): VisitorHandler {
  return (request) => {
    const query = readQuery(request.query, ['email', 'before']);
    if (!query) return INVALID_QUERY;
    const { rows, older } = pageOf(listJoinClicks(db, { ...query, limit: LOG_ROWS + 1 }));
    const isWhole = query.email === undefined && query.before === undefined;
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
