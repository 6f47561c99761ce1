/** Readers and writers of all tables, on one connection. */
import type { Database } from 'better-sqlite3';
import { type ChangeReader, changeReader, changeWriter, type RecordChange } from './changes.ts';
import { createCountTables } from './counting.ts';
import { type EventReader, type EventWriter, eventReader, eventWriter } from './events.ts';
import { type InviteReader, type InviteWriter, inviteReader, inviteWriter } from './invites.ts';
import { type JoinReader, type JoinWriter, joinReader, joinWriter } from './joins.ts';
import { type PeopleReader, peopleReader } from './people.ts';
import { adminCheck, type SessionReader, type SessionWriter, sessionWriter } from './sessions.ts';
import { type TotalsReader, totalsReader } from './totals.ts';

/** Reads rows and numbers. Jobs receive it, because they run in transactions. */
export type Readers = {
  readonly invites: InviteReader;
  readonly sessions: SessionReader;
  readonly joins: JoinReader;
  readonly events: EventReader;
  readonly changes: ChangeReader;
  readonly people: PeopleReader;
  readonly totals: TotalsReader;
};

/** Writes rows. Jobs receive it, because they run in transactions. */
export type Writer = {
  readonly invites: InviteWriter;
  readonly sessions: SessionWriter;
  readonly joins: JoinWriter;
  readonly events: EventWriter;
  readonly recordChange: RecordChange;
};

export function makeReaders(db: Database): Readers {
  createCountTables(db);
  const totals = totalsReader(db);
  const people = peopleReader(db);
  return {
    invites: inviteReader(db),
    sessions: { isAdmin: adminCheck(db) },
    joins: joinReader(db, totals, people),
    events: eventReader(db),
    changes: changeReader(db),
    people,
    totals,
  };
}

export function makeWriter(db: Database): Writer {
  const recordChange = changeWriter(db);
  return {
    invites: inviteWriter(db, recordChange),
    sessions: sessionWriter(db, recordChange),
    joins: joinWriter(db),
    events: eventWriter(db),
    recordChange,
  };
}
