/** The log of changes to invites and to people's data. */
import type { Database } from 'better-sqlite3';
import type { Change, ListPage } from '../records.ts';
import { type PageQuery, pageReader } from './paging.ts';

/**
 * The author and time of a change. Without them, a tool made it: its operator is the author, and
 * the time is now.
 */
export type ChangeAuthor = {
  /** The administrator's email, or the operating system's user. */
  readonly by?: string;
  readonly via?: Change['via'];
  /** Epoch ms. */
  readonly at?: number;
};

/** Records a change in its transaction. */
export type RecordChange = (
  what: Change['what'],
  email: string | null,
  detail?: string | null,
  author?: ChangeAuthor,
) => void;

type ChangeFilter = {
  /** The person who was changed, or who made the change. */
  readonly email?: string | undefined;
};

const select = (condition: string): string =>
  `select id, at, author as "by", via, what, email, detail
   from changes
   where ${condition} and id between @first and @last`;

const OF_ALL = `${select('true')}
  order by id desc limit @limit`;

/** SQLite merges two indexes, so it reads only the rows of the result. */
const OF_PERSON = `${select('email = @email')}
  union ${select('author = @email')}
  order by id desc limit @limit`;

export type ChangeReader = {
  /** A page of changes, newest first by id. An index gives its rows, so `visits` is ignored. */
  readonly list: (query: PageQuery & ChangeFilter) => ListPage<Change, number>;
};

export function changeReader(db: Database): ChangeReader {
  const readPage = pageReader<Change>(db, 'changes');
  return {
    list({ email, limit, after }) {
      const sql = email ? OF_PERSON : OF_ALL;
      return readPage(sql, { email, limit, after });
    },
  };
}

export function changeWriter(db: Database): RecordChange {
  const insert = db.prepare<[Omit<Change, 'id'>]>(
    `insert into changes (at, author, via, what, email, detail)
     values (@at, @by, @via, @what, @email, @detail)`,
  );
  // In a container, users have no names.
  const by = process.env.SUDO_USER || process.env.LOGNAME || `uid ${process.getuid?.()}`;
  return (what, email, detail = null, author = {}) => {
    insert.run({ at: Date.now(), by, via: 'cli', ...author, what, email, detail });
  };
}
