/** The administrator's lists, which `?format=csv` makes CSV files, also of letters for a mail merge. */
import { withReadable } from '../../addresses/normalize.ts'; // extra: letters
import type { Reply } from '../../http/reply.ts';
import { COLUMNS } from '../../lists.ts';
import type { LoggedIn } from '../../routes/guards.ts';
import type { Query, WithQuery } from '../../routes/query.ts';
import {
  readEventFilter,
  readInviteSearch,
  readJoinFilter,
  type SvcopsHandlers,
} from '../../routes/svcops.ts';
import type { LetterTexts } from '../../site/letter-texts.ts'; // extra: letters
import type { ServerStore } from '../../store/open.ts';
import { LETTER_COLUMNS, LETTERS, lettersTo } from '../letters/letters.ts'; // extra: letters
import { exportCsv } from './csv-export.ts';

const isCsv = (query: Query): boolean => query.oneOf('format', ['json', 'csv']) === 'csv';

/** Handlers in the place of those of `json`, which answer a query without `format=csv`. */
export function csvLists(
  json: SvcopsHandlers,
  store: ServerStore,
  texts: LetterTexts, // extra: letters
) {
  return {
    async listInvites(given: LoggedIn & WithQuery): Promise<Reply> {
      const { query } = given;
      const kind = query.oneOf('letters', LETTERS); // extra: letters
      if (!isCsv(query)) return json.listInvites(given);
      const search = readInviteSearch(query);
      const emails = await store.read(({ people }) => people.search(search));
      // extra: letters
      if (kind !== undefined)
        return exportCsv(store, given, `${kind}s`, LETTER_COLUMNS, ({ people }, page) => {
          const { rows, next } = people.list({ ...search, ...page }, emails);
          return { rows: lettersTo(kind, texts, rows.map(withReadable)), next };
        });
      // end: letters
      return exportCsv(store, given, 'invites', COLUMNS.invites, ({ people }, page) =>
        people.list({ ...search, ...page }, emails),
      );
    },

    async listJoins(given: LoggedIn & WithQuery): Promise<Reply> {
      const { query } = given;
      if (!isCsv(query)) return json.listJoins(given);
      const { of, ...filter } = readJoinFilter(query);
      if (of !== 'summary')
        return exportCsv(store, given, 'join-clicks', COLUMNS.joinClicks, ({ joins }, page) =>
          joins.list({ ...filter, ...page }),
        );
      const emails = await store.read(({ joins }) => joins.search(filter));
      return exportCsv(store, given, 'join-summary', COLUMNS.joinSummary, ({ joins }, page) =>
        joins.summary({ ...filter, ...page }, emails),
      );
    },

    async listEvents(given: LoggedIn & WithQuery): Promise<Reply> {
      const { query } = given;
      if (!isCsv(query)) return json.listEvents(given);
      const filter = readEventFilter(query);
      return exportCsv(store, given, 'events', COLUMNS.events, ({ events }, page) =>
        events.list({ ...filter, ...page }),
      );
    },

    async listChanges(given: LoggedIn & WithQuery): Promise<Reply> {
      const { query } = given;
      if (!isCsv(query)) return json.listChanges(given);
      const email = query.email('email');
      return exportCsv(store, given, 'changes', COLUMNS.changes, ({ changes }, page) =>
        changes.list({ email, ...page }),
      );
    },
  };
}
