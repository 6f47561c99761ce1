/** Changes the invite list, and says who is an administrator. */
import {
  FLAG,
  findSnapshot,
  PERIOD,
  readChoice,
  readEmail,
  readInvited,
  readLimit,
  readPeriod,
  valued,
} from '../lib/cli/arguments.ts';
import { readInviteFile } from '../lib/cli/invite-file.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import {
  changeStore,
  openOrCreate,
  readStore,
  TRANSACTION_ROWS,
  withStore,
} from '../lib/cli/store.ts';
import {
  type Column,
  plural,
  printList,
  printOutcome,
  showProgress,
  utc,
} from '../lib/cli/terminal.ts';
import { type Call, Refusal, tool, UsageError } from '../lib/cli/tool.ts';
import * as csv from '../lib/csv.ts';
import type { Change, ListedInvite, NewInvite } from '../lib/records.ts';
import { inspectFile, readInvites } from '../lib/store/file/inspection.ts';
import type { Store, Writer } from '../lib/store/open.ts';
import { normalizeFirstName, readableEmail } from '../lib/store/rows/normalize.ts';
import { readAll } from '../lib/store/rows/page.ts';
import { type InviteSearch, STATUSES } from '../lib/store/rows/people.ts';

const FILE = valued('file');

/** Invites that a list reads at a time. Each part scans all people. */
const INVITES_PER_PAGE = 5000;

const COLUMNS: readonly Column<ListedInvite>[] = [
  ['email', (invite) => readableEmail(invite.email)],
  ['first name', (invite) => invite.firstName],
  ['admin', (invite) => (invite.isAdmin ? 'admin' : '')],
  ['invited by', (invite) => readableEmail(invite.invitedBy)],
  ['invited at', (invite) => utc(invite.invitedAt)],
  ['status', (invite) => invite.status.replace('_', ' ')],
];

const CHANGES: readonly Column<Change>[] = [
  ['at', (change) => utc(change.at)],
  ['by', ({ by, via }) => (via === 'cli' ? `cli (${by})` : readableEmail(by))],
  ['what', (change) => change.what.replaceAll('_', ' ')],
  ['email', (change) => readableEmail(change.email ?? '')],
  ['detail', (change) => change.detail],
];

/** The message of `add` for each outcome. */
const OUTCOMES = {
  invited: (email: string, _: unknown) => `${email} is invited`,
  renamed: (email: string, name: string | null) =>
    `${email} was already invited; the first name is now ${name}`,
  known: (email: string, _: unknown) => `${email} was already invited; nothing is changed`,
};

export const main = tool('invite', [
  {
    name: 'add',
    options: { from: { ...FILE, required: true } },
    help:
      'invite everybody in a file (- for standard input): one address\n' +
      'per line, or CSV with email and first name',
    run: addAll,
  },
  {
    name: 'add',
    options: { 'from-snapshot': { ...FILE, required: true } },
    help: 'invite everybody who is invited in a snapshot; nothing else is restored',
    run: addFromSnapshot,
  },
  {
    name: 'add',
    words: ['<email>', '[first name…]'],
    help: 'invite a person, or set the first name of an invited person',
    run: add,
  },
  {
    name: 'remove',
    words: ['<email>'],
    options: { 'end-sessions': FLAG },
    help:
      'remove a person from the list; their sessions stay open\n' +
      '(--end-sessions ends them, also after the removal)',
    run: remove,
  },
  {
    name: 'list',
    options: { status: valued('status'), ...PERIOD, csv: FLAG },
    help:
      'everybody on the list, newest first; a status is not_come, logged_in,\n' +
      'viewed or joined; invited on the days (UTC, YYYY-MM-DD) from … to',
    run(call) {
      const status = readChoice(call, 'status', STATUSES);
      list(call, { sort: 'invitedAt', order: 'desc', status, period: readPeriod(call) });
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
    help: 'withdraw that access',
    run: (call) => setAdmin(call, false),
  },
  {
    name: 'admin list',
    options: { csv: FLAG },
    help: 'all administrators',
    run: (call) => list(call, { sort: 'email', order: 'asc', admins: true }),
  },
  {
    name: 'log',
    words: ['[email]'],
    options: { limit: valued('n'), csv: FLAG },
    help: 'who changed what, newest first; of one person',
    run(call) {
      const filter = { email: call.words.length > 0 ? readEmail(call) : undefined };
      const limit = readLimit(call);
      readStore(call, ({ changes }) =>
        printList(call, readAll(changes.list, filter, limit), CHANGES, csv.CHANGES),
      );
    },
  },
]);

function list(call: Call, search: InviteSearch): void {
  readStore(call, ({ people }) => {
    const rows = readAll(people.list, search, undefined, INVITES_PER_PAGE);
    printList(call, rows, COLUMNS, csv.INVITES);
  });
}

function add(call: Call): void {
  const [address, ...names] = call.words;
  const email = readInvited(address);
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and no control characters');
  const outcome = withStore(
    call,
    (store) => store.transaction((writer) => invite(writer, { email, firstName })),
    openOrCreate,
  );
  const text = OUTCOMES[outcome](readableEmail(email), firstName);
  printOutcome(call, text, { email, firstName, outcome });
}

type Guest = Pick<NewInvite, 'email' | 'firstName'>;

function invite({ invites }: Writer, { email, firstName }: Guest): keyof typeof OUTCOMES {
  if (invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() })) return 'invited';
  return firstName !== null && invites.setFirstName(email, firstName) ? 'renamed' : 'known';
}

/** Writes many invites in several transactions. */
function inviteEach<T>(
  call: Call,
  people: readonly T[],
  add: (writer: Writer, person: T) => void,
): void {
  const addAll = (store: Store) => {
    for (let i = 0; i < people.length; i += TRANSACTION_ROWS) {
      const part = people.slice(i, i + TRANSACTION_ROWS);
      store.transaction((writer) => {
        for (const person of part) add(writer, person);
      });
      showProgress('inviting', i + part.length, people.length);
    }
  };
  withStore(call, addAll, openOrCreate);
}

/** Of a person who is twice in the list, the first line counts. */
function addAll(call: Call): void {
  const entries = readInviteFile(call, call.option('from') ?? '');
  const people = entries.filter(({ what }) => what === 'new');
  const counts = { invited: 0, renamed: 0, known: 0, twice: entries.length - people.length };
  inviteEach(call, people, (writer, { email, firstName }) => {
    counts[invite(writer, { email, firstName: normalizeFirstName(firstName) ?? null })] += 1;
  });
  const { invited, renamed, known, twice } = counts;
  const before = `${renamed + known} already invited, ${renamed} of them with a new first name`;
  const again = twice > 0 ? `; ${twice} twice in the list` : '';
  printOutcome(call, `${invited} invited; ${before}${again}`, counts);
}

/** Does not change people who are already invited. */
function addFromSnapshot(call: Call): void {
  const file = findSnapshot(call, call.option('from-snapshot'));
  const { fault } = inspectFile(file);
  if (fault !== null) throw new Refusal(`${file} fails the check: ${fault}`);
  const people = readInvites(file);
  let invited = 0;
  inviteEach(call, people, ({ invites }, person) => {
    if (invites.add(person)) invited += 1;
  });
  const known = people.length - invited;
  printOutcome(call, `${invited} invited; ${known} already invited`, { invited, known });
}

/** `--end-sessions` also works for an address that is off the list already. */
function remove(call: Call): void {
  const email = readEmail(call);
  const endSessions = call.flag('end-sessions');
  const { removed, count } = changeStore(call, ({ invites, sessions }, store) => {
    const removed = invites.remove(email);
    const count = endSessions
      ? sessions.endAllFor(email)
      : store.sessions.countFor(email, Date.now());
    return { removed, count };
  });
  const shown = readableEmail(email);
  const rest = endSessions ? `${plural(count, 'session')} ended` : describeOpen(count);
  if (!removed && !endSessions) throw new Refusal(`${shown} is not on the invite list; ${rest}`);
  const sessions = endSessions ? { sessionsEnded: count } : { sessionsOpen: count };
  const text = `${shown} is ${removed ? 'no longer invited' : 'not on the invite list'}; ${rest}`;
  printOutcome(call, text, { email, removed, ...sessions });
}

function describeOpen(sessions: number): string {
  if (sessions === 0) return 'no session was open';
  const verb = sessions === 1 ? 'stays' : 'stay';
  return `${plural(sessions, 'session')} ${verb} open until 30 days after login (--end-sessions ends them)`;
}

function setAdmin(call: Call, isAdmin: boolean): void {
  const email = readEmail(call);
  const shown = readableEmail(email);
  changeStore(call, ({ invites }, store) => {
    const known = store.invites.find(email);
    if (!known)
      throw new Refusal(`${shown} is not on the invite list; add it first: invite add ${shown}`);
    if (known.isAdmin === isAdmin)
      throw new Refusal(`${shown} is ${isAdmin ? 'already' : 'not'} an administrator`);
    invites.setAdmin(email, isAdmin);
  });
  const text = `${shown} is ${isAdmin ? 'now' : 'no longer'} an administrator`;
  printOutcome(call, text, { email, isAdmin });
}

await runFromShell(import.meta.url, main);
