/** The administrator's lists as CSV files, for `?format=csv`, and letters for a mail merge. */
import { withReadable } from '../../addresses/normalize.ts'; // extra: letters
import type { Reply } from '../../http/reply.ts';
import { COLUMNS } from '../../lists.ts';
import { readEventFilter, readInviteSearch, readJoinFilter } from '../../routes/filters.ts';
import type { VisitorContext } from '../../routes/guards.ts';
import type { Query, WithQuery } from '../../routes/query.ts';
import type { SvcopsHandlers } from '../../routes/svcops.ts';
import type { LetterTexts } from '../../site/letter-texts.ts'; // extra: letters
import type { ServerStore } from '../../store/open.ts';
import { LETTER_COLUMNS, LETTERS, lettersTo } from '../letters/letters.ts'; // extra: letters
import { exportCsv } from './csv-export.ts';

const isCsv = (query: Query): boolean => query.oneOf('format', ['json', 'csv']) === 'csv';

/** Handlers that answer `?format=csv`. They pass all other queries to the handlers of `json`. */
export function csvLists(
  json: SvcopsHandlers,
  store: ServerStore,
  texts: LetterTexts, // extra: letters
) {
  return {
    async listInvites(context: VisitorContext & WithQuery): Promise<Reply> {
      const { query } = context;
      const kind = query.oneOf('letters', LETTERS); // extra: letters
      if (!isCsv(query)) return json.listInvites(context);
      const search = readInviteSearch(query);
      const emails = await store.read(({ people }) => people.search(search));
      // extra: letters
      if (kind !== undefined)
        return exportCsv(store, context, `${kind}s`, LETTER_COLUMNS, ({ people }, page) => {
          const { rows, next } = people.list({ ...search, ...page }, emails);
          return { rows: lettersTo(kind, texts, rows.map(withReadable)), next };
        });
      // end: letters
      return exportCsv(store, context, 'invites', COLUMNS.invites, ({ people }, page) =>
        people.list({ ...search, ...page }, emails),
      );
    },

    async listJoins(context: VisitorContext & WithQuery): Promise<Reply> {
      const { query } = context;
      if (!isCsv(query)) return json.listJoins(context);
      const { of, ...filter } = readJoinFilter(query);
      if (of !== 'summary')
        return exportCsv(store, context, 'join-clicks', COLUMNS.joinClicks, ({ joins }, page) =>
          joins.list({ ...filter, ...page }),
        );
      const emails = await store.read(({ joins }) => joins.search(filter));
      return exportCsv(store, context, 'join-summary', COLUMNS.joinSummary, ({ joins }, page) =>
        joins.summary({ ...filter, ...page }, emails),
      );
    },

    async listEvents(context: VisitorContext & WithQuery): Promise<Reply> {
      const { query } = context;
      if (!isCsv(query)) return json.listEvents(context);
      const filter = readEventFilter(query);
      return exportCsv(store, context, 'events', COLUMNS.events, ({ events }, page) =>
        events.list({ ...filter, ...page }),
      );
    },

    async listChanges(context: VisitorContext & WithQuery): Promise<Reply> {
      const { query } = context;
      if (!isCsv(query)) return json.listChanges(context);
      const email = query.email('email');
      return exportCsv(store, context, 'changes', COLUMNS.changes, ({ changes }, page) =>
        changes.list({ email, ...page }),
      );
    },
  };
}
