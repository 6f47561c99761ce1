/** Checks a store: sound for SQLite, and every row valid. */
import assert from 'node:assert/strict';
import { readDatabase } from '../support/database.ts';

/** Queries for rows that the schema takes and the service never writes. Each must find none. */
const FORBIDDEN = {
  'a view with another meta': `
    select id from events where replace(replace(meta, 'true', 'false'), 'desktop', 'mobile')
      <> '{"view":"mobile","forced":false}'`,
  'a session that does not last 30 days': `
    select id from sessions where expires_at <> created_at + 2592000000`,
  'a session without exactly one login': `
    with logins as (
      select session_id, email, count(*) as number from events
      where event_type = 'login' group by session_id, email)
    select sessions.id from sessions left join logins on session_id = sessions.id
    where logins.email is not sessions.email or number <> 1`,
  'a view or a click of a session that nobody began': `
    select session_id, email from events where event_type = 'timeline_view'
    union select session_id, email from project_joins
    except select session_id, email from events where event_type = 'login'`,
  'a session identifier that is not 128 bits in base64url': `
    select session_id from events
    where length(session_id) <> 22 or session_id glob '*[^A-Za-z0-9_-]*'`,
  'an invite by somebody else than the tool or an administrator': `
    select email from invites where invited_by <> 'cli'
      and invited_by not in (select email from invites where is_admin = 1)`,
};

/**
 * Asserts that a store is sound. It may be in use.
 *
 * @returns the number of rows of each kind
 */
export function assertSound(file: string) {
  return readDatabase(file, (db) => {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    for (const [what, query] of Object.entries(FORBIDDEN))
      assert.deepEqual(db.prepare(query).all(), [], what);
    const count = (from: string) =>
      Number(db.prepare(`select count(*) from ${from}`).pluck().get());
    return {
      logins: count("events where event_type = 'login'"),
      timelineViews: count("events where event_type = 'timeline_view'"),
      joinClicks: count('project_joins'),
    };
  });
}
