/** The log of changes to the invite list and to what is kept about people. */
import os from 'node:os';
import type { Database } from 'better-sqlite3';
import type { Change } from '../../records.ts';
import { LIST_START, type PageQuery, pageReader } from './paging.ts';

/** Who makes a change, where and when: unless it says so, the user of this tool, now. */
export type ChangeAuthor = Partial<Pick<Change, 'by' | 'via' | 'at'>>;

/** Records a change in the transaction that makes it. */
export type RecordChange = (
  what: Change['what'],
  email: string | null,
  detail?: string | null,
  author?: ChangeAuthor,
) => boolean;

/** The user of the system who runs this tool: who called sudo, or has logged in. */
function operator(): string {
  const known = process.env.SUDO_USER || process.env.LOGNAME;
  if (known) return known;
  try {
    return os.userInfo().username;
  } catch {
    // In a container, a user may have a number alone.
    return `uid ${process.getuid?.()}`;
  }
}

const newest = (condition: string): string =>
  `select id, at, author as "by", via, what, email, detail from changes
   where ${condition} and id < @after`;

const END = 'order by id desc limit @limit';

/** SQLite merges two indexes, so that it reads no more rows than it returns. */
const OF_PERSON = `${newest('email = @email')} union ${newest('author = @email')} ${END}`;

export function changeReader(db: Database) {
  const read = pageReader<Change, number>(db, ({ id }) => id);
  return {
    /** Changes, newest first; with an address, those that it names or that its person made. */
    list: ({
      after = LIST_START,
      ...part
    }: PageQuery<number> & { readonly email?: string | undefined }) =>
      read(part.email === undefined ? `${newest('true')} ${END}` : OF_PERSON, { ...part, after }),
  };
}

export function changeWriter(db: Database): RecordChange {
  const insert = db.prepare<[Omit<Change, 'id'>]>(
    `insert into changes (at, author, via, what, email, detail)
     values (@at, @by, @via, @what, @email, @detail)`,
  );
  const by = operator();
  return (what, email, detail = null, author = {}) =>
    insert.run({ at: Date.now(), by, via: 'cli', ...author, what, email, detail }).changes > 0;
}
