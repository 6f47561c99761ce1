/** Mixed load: clients that log in, view and join, and count the acknowledged rows. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { anotherClient, send, sessionCookie, sessionId } from '../support/client.ts';
import { read } from '../support/database.ts';
import type { Installation } from '../support/installation.ts';

/** The acknowledged rows of one session, and its pending request. */
type Record = {
  readonly email: string;
  views: number;
  joins: number;
  /** The request without a reply, if there is one. Its row may be stored or not. */
  unanswered?: 'views' | 'joins';
};

export type Load = ReturnType<typeof startLoad>;

type LoadOptions = {
  readonly origin: string;
  readonly clients: number;
  /** Called after each acknowledged write, with the number of them. */
  readonly onAcknowledged?: (number: number) => void;
  /** Called after each reply that is not 200. */
  readonly onRefused?: (status: number) => void;
};

/** The email address of the nth client. */
const person = (n: number) => `visitor${n}@example.com`;

/** Invites the people for a load. */
export function invitePeople(site: Installation, clients: number): void {
  site.write(({ invites }) => {
    for (let n = 0; n < clients; n += 1)
      invites.add({ email: person(n), firstName: null, invitedBy: 'cli', invitedAt: 1 });
  });
}

/** Starts a load. Every client logs in, presses and views in turn, and repeats that. */
export function startLoad({
  origin,
  clients,
  onAcknowledged = () => {},
  onRefused = () => {},
}: LoadOptions) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  let running = true;
  let acknowledged = 0;

  async function timed(line: string, cookie?: string, json?: unknown) {
    const reply = await send(origin, line, { cookie, json, headers: anotherClient() }, agent);
    load.replies.push(reply.status);
    if (reply.status === 200) onAcknowledged(++acknowledged);
    else onRefused(reply.status);
    return reply;
  }

  async function client(n: number): Promise<void> {
    for (let round = 0; running; round += 1) {
      const email = person(n);
      load.unansweredLogins += 1;
      const login = await timed('POST /auth/login', undefined, { email });
      load.unansweredLogins -= 1;
      if (login.status !== 200) continue;
      const cookie = sessionCookie(login);
      const record: Record = { email, views: 0, joins: 0 };
      load.sessions.set(sessionId(cookie), record);
      for (let i = 0; running && i < 5 + ((n + round) % 10); i += 1) {
        const isJoin = (n + i) % 3 === 0;
        const what = isJoin ? 'joins' : 'views';
        record.unanswered = what;
        const line = isJoin ? 'POST /api/project-join' : 'GET /timeline';
        const { status } = await timed(line, cookie);
        delete record.unanswered;
        if (status === 200) record[what] += 1;
      }
    }
  }

  const load = {
    /** The acknowledged rows, by session identifier. */
    sessions: new Map<string, Record>(),
    /** Logins without a reply. Each may have left a session. */
    unansweredLogins: 0,
    /** The status of each reply. */
    replies: [] as number[],
    /** Lets each client finish its current request. */
    stop: () => {
      running = false;
    },
  };
  // A client ends with its server.
  const ignoreEnd = (error: NodeJS.ErrnoException) => {
    if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '')) throw error;
  };
  const all = Array.from({ length: clients }, (_, n) => client(n).catch(ignoreEnd));
  /** Resolves when all clients have ended: after `stop`, or with the server. */
  const ended = Promise.all(all).finally(() => agent.destroy());
  return Object.assign(load, { ended });
}

/**
 * Asserts that each acknowledged row is stored once, and no row that no client requested.
 *
 * @param more rows of each kind that may be stored: those of a lost reply, or of later ones
 */
export function assertKept(file: string, { sessions }: Pick<Load, 'sessions'>, more = 0): void {
  const query = `select session_id as session, sum(what = 'login') as logins,
      sum(what = 'timeline_view') as views, sum(what = 'join') as joins
    from (select session_id, event_type as what from events
          union all select session_id, 'join' from project_joins)
    group by session_id`;
  type Row = { session: string; logins: number; views: number; joins: number };
  const rows = read(file, (db) => db.prepare<[], Row>(query).all());
  const bySession = new Map(rows.map((row) => [row.session, row]));
  for (const [session, record] of sessions) {
    const row = bySession.get(session);
    assert.ok(row, `the session ${session} is there`);
    assert.equal(row.logins, 1);
    for (const what of ['views', 'joins'] as const) {
      const most = record[what] + more + (record.unanswered === what ? 1 : 0);
      assert.ok(row[what] >= record[what] && row[what] <= most, `${row[what]} ${what} of ${most}`);
    }
  }
}
