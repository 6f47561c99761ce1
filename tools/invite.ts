/**
 * Changes the invite list and its administrators. `tools/` has one file for each tool: its commands
 * and its messages. What several tools need belongs in `lib/cli`.
 */
import * as args from '../lib/cli/arguments.ts';
import { readInviteFile } from '../lib/cli/invite-file.ts';
import { Refusal, runFromShell, UsageError } from '../lib/cli/shell.ts';
import { readStore, withStore } from '../lib/cli/store.ts';
import { plural, printList, printOutcome, toTable } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { commandFor } from '../lib/config.ts';
import { COLUMNS } from '../lib/csv.ts';
import { LETTER_COLUMNS, LETTERS, type LetterKind, lettersTo } from '../lib/letters.ts';
import type { ListedInvite } from '../lib/records.ts';
import { ContentError } from '../lib/site/field-readers.ts';
import { loadSite, siteFolder } from '../lib/site/site.ts';
import {
  normalizeFirstName,
  normalizeInvitedEmail,
  readableEmail,
  withReadable,
} from '../lib/store/normalize.ts';
import { openStore, type Writer } from '../lib/store/open.ts';
import { type InviteSearch, STATUSES } from '../lib/store/people.ts';

export const main = defineTool('invite', [
  {
    name: 'add',
    words: ['[email]', '[first name…]'],
    options: { file: '<file>' },
    help: `invite a person, or set the first name of an invited person; with --file
      everybody in a file (- for standard input), one address per line, or CSV
      with email and first name; print the first names and the links to send`,
    run: (call) => (call.option('file') === undefined ? add(call) : addAll(call)),
  },
  {
    name: 'remove',
    words: ['<email>'],
    options: { 'end-sessions': '' },
    help: `remove a person from the list; their sessions stay open
      (--end-sessions ends them, also after the removal)`,
    run: remove,
  },
  {
    name: 'list',
    options: { status: '<status>', letters: '<kind>', ...args.PERIOD, ...args.LIST },
    help: `everybody on the list, newest first; a status is pending, logged_in,
      viewed or joined; invited on the days (UTC, YYYY-MM-DD) from … to; with
      --letters invitation or reminder, --csv is the file of a mail merge`,
    run(call) {
      const status = args.readChoice(call, 'status', STATUSES);
      const kind = args.readChoice(call, 'letters', LETTERS);
      const period = args.readPeriod(call);
      const search = { sort: 'invitedAt', order: 'desc', period } as const;
      const found = { ...search, statuses: status && [status] };
      if (kind) listLetters(call, kind, found);
      else list(call, found);
    },
  },
  {
    name: 'admin add',
    words: ['<email>'],
    help: 'give an invited person access to the administrator page',
    run: (call) => setAdmin(call, true),
  },
  {
    name: 'admin remove',
    words: ['<email>'],
    help: 'revoke that access',
    run: (call) => setAdmin(call, false),
  },
  {
    name: 'admin list',
    options: args.LIST,
    help: 'all administrators',
    run: (call) => list(call, { sort: 'email', order: 'asc' }, ({ isAdmin }) => isAdmin),
  },
  {
    name: 'log',
    words: ['[email]'],
    options: args.LIST,
    help: 'who changed what, newest first; of one person',
    run(call) {
      const filter = args.readFilter(call);
      const { rows } = readStore(call, ({ changes }) => changes.list(filter));
      printList(call, COLUMNS.changes, rows);
    },
  },
]);

function list(call: Call, search: InviteSearch, isListed = (_: ListedInvite) => true): void {
  // Without the totals, which follow the status.
  const shown = COLUMNS.invites.slice(0, COLUMNS.invites.indexOf('status') + 1);
  const { limit } = args.readFilter(call);
  const all = readStore(call, ({ people }) => people.findListed(search, people.search(search)));
  printList(call, COLUMNS.invites, all.filter(isListed).slice(0, limit), shown);
}

/** The letters to people on the list; as a table, without their texts. */
function listLetters(call: Call, kind: LetterKind, search: InviteSearch): void {
  const { limit } = args.readFilter(call);
  const { letters } = readSite(publicOrigin(call));
  const { rows } = readStore(call, ({ people }) => people.list({ ...search, limit }));
  const shown = ['email', 'firstName', 'link'] as const;
  printList(call, LETTER_COLUMNS, lettersTo(kind, letters, rows.map(withReadable)), shown);
}

function readSite(origin: string) {
  try {
    return loadSite(siteFolder(), origin);
  } catch (error) {
    throw error instanceof ContentError ? new Refusal(error.message) : error;
  }
}

/** Where links lead: without PUBLIC_ORIGIN, to the service on this computer. */
function publicOrigin({ env }: Call): string {
  if (!env.PUBLIC_ORIGIN) return `http://localhost:${env.PORT || 3000}`;
  const origin = URL.canParse(env.PUBLIC_ORIGIN) ? new URL(env.PUBLIC_ORIGIN).origin : 'null';
  if (origin === 'null')
    throw new Refusal(`PUBLIC_ORIGIN is ${JSON.stringify(env.PUBLIC_ORIGIN)}; it must be a URL`);
  return origin;
}

/** Makes the links to send: the entry page fills in the address. */
function linkMaker(call: Call) {
  const origin = publicOrigin(call);
  const encode = (email: string) => encodeURIComponent(readableEmail(email)).replace('%40', '@');
  return (email: string) => `${origin}/#${encode(email)}`;
}

const LOCAL = 'the links lead to this computer; set PUBLIC_ORIGIN to get those to send';

type Outcome = 'invited' | 'renamed' | 'known';

function invite({ invites }: Writer, email: string, firstName: string | null): Outcome {
  if (invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() })) return 'invited';
  return firstName !== null && invites.setFirstName(email, firstName) ? 'renamed' : 'known';
}

function add(call: Call): void {
  const [address, ...names] = call.words;
  if (address === undefined) throw new UsageError('invite add needs <email> or --file');
  const email = args.readEmail(call, address, normalizeInvitedEmail);
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and no control characters');
  const link = linkMaker(call)(email);
  const outcome = withStore(
    call,
    ({ transaction }) => transaction((writer) => invite(writer, email, firstName)),
    openStore,
  );
  const shown = readableEmail(email);
  const texts = {
    invited: `${shown} is invited`,
    renamed: `${shown} was already invited; the first name is now ${firstName}`,
    known: `${shown} was already invited; nothing changed`,
  };
  const where = call.env.PUBLIC_ORIGIN ? '' : 'on this computer: ';
  printOutcome(call, `${texts[outcome]}\n${where}${link}`, { email, firstName, outcome, link });
}

/** Of several lines about one person, the first counts. Prints who is new or has a new name. */
function addAll(call: Call): void {
  if (call.words.length > 0) throw new UsageError('invite add takes <email> or --file');
  const { entries, ignored, warning } = readInviteFile(call.readInput, call.option('file') ?? '');
  const listed = entries.filter(({ reason }) => reason === null);
  const makeLink = linkMaker(call);
  const inviteAll = (writer: Writer) =>
    listed.map(({ email, firstName }) => {
      const outcome = invite(writer, email, firstName);
      return { email, firstName, outcome, link: makeLink(email) };
    });
  const people = withStore(call, ({ transaction }) => transaction(inviteAll), openStore);
  const counts = { invited: 0, renamed: 0, known: 0, twice: entries.length - people.length };
  for (const { outcome } of people) counts[outcome] += 1;
  const { invited, renamed, known, twice } = counts;
  const before = `${renamed + known} already invited, ${renamed} of them with a new first name`;
  const greeted = people.filter(({ outcome }) => outcome !== 'known');
  const text = [
    `${invited} invited; ${before}; ${twice} duplicate`,
    ...(ignored.length > 0 ? [`ignored: ${ignored.join(', ')}`] : []),
    ...(warning ? [warning] : []),
    ...(greeted.length > 0 ? [toTable(['email', 'firstName', 'link'], greeted).trimEnd()] : []),
    ...(call.env.PUBLIC_ORIGIN ? [] : [LOCAL]),
  ];
  printOutcome(call, text.join('\n'), { ...counts, ignored, warning, people });
}

/** `--end-sessions` also works after a removal. */
function remove(call: Call): void {
  const email = args.readEmail(call);
  const endSessions = call.flag('end-sessions');
  const { removed, count } = withStore(call, ({ transaction }) =>
    transaction(({ invites, sessions }) => ({
      removed: invites.remove(email),
      count: endSessions ? sessions.endAllFor(email) : sessions.countOpen(email, Date.now()),
    })),
  );
  const shown = readableEmail(email);
  const found = plural(count, 'session');
  const open =
    count === 0
      ? 'no session was open'
      : `${found} left open until 30 days after login (--end-sessions ends them)`;
  const rest = endSessions ? `${found} ended` : open;
  if (!removed && !endSessions) throw new Refusal(`${shown} is not on the invite list; ${rest}`);
  const sessions = endSessions ? { sessionsEnded: count } : { sessionsOpen: count };
  const text = `${shown} is ${removed ? 'no longer invited' : 'not on the invite list'}; ${rest}`;
  printOutcome(call, text, { email, removed, ...sessions });
}

function setAdmin(call: Call, isAdmin: boolean): void {
  const email = args.readEmail(call);
  const shown = readableEmail(email);
  withStore(call, (store) =>
    store.transaction(({ invites }) => {
      const known = store.invites.find(email);
      if (!known)
        throw new Refusal(
          `${shown} is not on the invite list; add it first: ${commandFor(`invite add ${shown}`)}`,
        );
      if (known.isAdmin === isAdmin)
        throw new Refusal(`${shown} is ${isAdmin ? 'already' : 'not'} an administrator`);
      invites.setAdmin(email, isAdmin);
    }),
  );
  const text = `${shown} is ${isAdmin ? 'now' : 'no longer'} an administrator`;
  printOutcome(call, text, { email, isAdmin });
}

await runFromShell(import.meta.url, main);
