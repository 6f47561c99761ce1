/** The log of changes to invites and to people's data. */
import type { Database } from 'better-sqlite3';
import type { Change } from '../records.ts';
import { type PageQuery, pageReader } from './paging.ts';

/** The author and time of a change; by default the operator, now. */
export type ChangeAuthor = Partial<Pick<Change, 'by' | 'via' | 'at'>>;

/** Records a change in its transaction. */
export type RecordChange = (
  what: Change['what'],
  email: string | null,
  detail?: string | null,
  author?: ChangeAuthor,
) => void;

const select = (condition: string): string =>
  `select id, at, author as "by", via, what, email, detail from changes
   where ${condition} and id < @after`;

/** SQLite merges two indexes, so it reads only the rows that it returns. */
const OF_PERSON = `${select('email = @email')} union ${select('author = @email')}`;

export function changeReader(db: Database) {
  const readPage = pageReader<Change>(db);
  return {
    /** Changes, newest first; with an address, those of or by that person. */
    list: (query: PageQuery & { readonly email?: string | undefined }) =>
      readPage(`${query.email ? OF_PERSON : select('true')} order by id desc limit @limit`, query),
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
