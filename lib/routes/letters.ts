/** Letters to the guests of a list, as the file of a mail merge. */
import { csvReply, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import { LETTER_COLUMNS, type LetterKind, type LetterTexts, lettersTo } from '../letters.ts';
import type { ListedInvite } from '../records.ts';
import { withReadable } from '../store/normalize.ts';
import type { ServerStore } from '../store/open.ts';
import { exportCsv, type ReadPage } from './lists/csv-export.ts';

/** `invitations.csv` or `reminders.csv`; for HEAD without rows. */
export async function lettersCsv<Position>(
  store: ServerStore,
  { method }: Request,
  kind: LetterKind,
  texts: LetterTexts,
  readPage: ReadPage<ListedInvite, Position>,
): Promise<Reply> {
  const readLetters: ReadPage<ReturnType<typeof lettersTo>[number], Position> = (
    readers,
    after,
  ) => {
    const { rows, next } = readPage(readers, after);
    return { rows: lettersTo(kind, texts, rows.map(withReadable)), next };
  };
  const isRead = method !== 'HEAD';
  const file = isRead ? await exportCsv(store, LETTER_COLUMNS, readLetters) : nothing();
  return csvReply(`${kind}s.csv`, file);
}

async function* nothing(): AsyncGenerator<string> {}
