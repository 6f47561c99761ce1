/** Lists and counts presses of the join button. */
import { type Listing, ONE_WORD, requireEmail, runTool, withStore } from '../lib/cli.ts';
import { countJoins, listJoinClicks, summarizeJoins } from '../lib/store/joins.ts';

runTool('joins', {
  list: {
    help: 'every click, newest first',
    list: () => listClicks(),
  },
  summary: {
    help: 'one row per person: how many clicks, the first and the last',
    list: () => ({
      columns: ['email', 'firstName', 'clicks', 'firstAt', 'lastAt'],
      rows: withStore(summarizeJoins),
    }),
  },
  for: {
    usage: '<email>',
    help: 'every click of one person, newest first',
    words: ONE_WORD,
    list: ({ words }) => listClicks(requireEmail(words[0])),
  },
  stats: {
    help: 'how many clicks, and how many people',
    list: () => ({ columns: ['clicks', 'users'], rows: [withStore(countJoins)] }),
  },
});

function listClicks(email?: string): Listing {
  const rows = withStore((db) => listJoinClicks(db, { email }));
  return { columns: ['id', 'email', 'session', 'clickedAt'], csvOnly: ['firstName'], rows };
}
