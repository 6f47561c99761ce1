/** Changes the invite list, and says who is an administrator. */

import {
  findSnapshot,
  readChoice,
  readEmail,
  readInvited,
  readLimit,
  readPeriod,
} from '../lib/cli/arguments.ts';
import { readInviteFile } from '../lib/cli/invite-file.ts';
import { changeStore, readStore, TRANSACTION_ROWS, withStore } from '../lib/cli/store.ts';
import {
  type Column,
  plural,
  printList,
  printOutcome,
  showProgress,
  utc,
} from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool, UsageError } from '../lib/cli/tool.ts';
import * as csv from '../lib/csv.ts';
import type { Change, ListedInvite, NewInvite } from '../lib/records.ts';
import { inspectFile, readInvites } from '../lib/store/file/inspection.ts';
import { openStore, type Writer } from '../lib/store/open.ts';
import { normalizeFirstName, readableEmail } from '../lib/store/rows/normalize.ts';
import { readAll } from '../lib/store/rows/page.ts';
import { type InviteSearch, STATUSES } from '../lib/store/rows/people.ts';

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

await runTool('invite', [
  {
    form: 'add --from <file>',
    help:
      'invite everybody in a file (- for standard input): one address\n' +
      'per line, or CSV with email and first name',
    run: addAll,
  },
  {
    form: 'add --from-snapshot <file>',
    help: 'invite everybody who is invited in a snapshot; nothing else is restored',
    run: addFromSnapshot,
  },
  {
    form: 'add <email> [first name…]',
    help: 'invite a person, or set the first name of an invited person',
    run: add,
  },
  {
    form: 'remove <email> [--end-sessions]',
    help:
      'remove a person from the list; their sessions stay open\n' +
      '(--end-sessions ends them, also after the removal)',
    run: remove,
  },
  {
    form: 'list [--status <status>] [--from <day>] [--to <day>] [--csv]',
    help:
      'everybody on the list, newest first; a status is not_come, logged_in,\n' +
      'viewed or joined; invited on the days (UTC, YYYY-MM-DD) from … to',
    run(args) {
      const status = readChoice(args, 'status', STATUSES);
      list({ sort: 'invitedAt', order: 'desc', status, period: readPeriod(args) }, args);
    },
  },
  {
    form: 'admin add <email>',
    help: 'give an invited person access to the administrator page',
    run: (args) => setAdmin(args, true),
  },
  {
    form: 'admin remove <email>',
    help: 'withdraw that access',
    run: (args) => setAdmin(args, false),
  },
  {
    form: 'admin list [--csv]',
    help: 'all administrators',
    run: (args) => list({ sort: 'email', order: 'asc', admins: true }, args),
  },
  {
    form: 'log [email] [--limit <n>] [--csv]',
    help: 'who changed what, newest first; of one person',
    run(args) {
      const { words, option } = args;
      const filter = { email: words[0] === undefined ? undefined : readEmail(words[0]) };
      const limit = readLimit(option('limit'));
      return readStore(({ changes }) =>
        printList(readAll(changes.list, filter, limit), CHANGES, csv.CHANGES, args),
      );
    },
  },
]);

function list(search: InviteSearch, args: Arguments): void {
  readStore(({ people }) => {
    const rows = readAll(people.list, search, undefined, INVITES_PER_PAGE);
    return printList(rows, COLUMNS, csv.INVITES, args);
  });
}

function add({ words: [address, ...names], json }: Arguments): void {
  const email = readInvited(address);
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and no control characters');
  const outcome = withStore(
    (store) => store.transaction((writer) => invite(writer, { email, firstName })),
    openStore,
  );
  const text = OUTCOMES[outcome](readableEmail(email), firstName);
  printOutcome(text, { email, firstName, outcome }, json);
}

type Guest = Pick<NewInvite, 'email' | 'firstName'>;

function invite({ invites }: Writer, { email, firstName }: Guest): keyof typeof OUTCOMES {
  if (invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() })) return 'invited';
  return firstName !== null && invites.setFirstName(email, firstName) ? 'renamed' : 'known';
}

/** Writes many invites in several transactions. */
function inviteEach<T>(people: readonly T[], add: (writer: Writer, person: T) => void): void {
  withStore((store) => {
    for (let i = 0; i < people.length; i += TRANSACTION_ROWS) {
      const part = people.slice(i, i + TRANSACTION_ROWS);
      store.transaction((writer) => {
        for (const person of part) add(writer, person);
      });
      showProgress('inviting', i + part.length, people.length);
    }
  }, openStore);
}

/** Of a person who is twice in the list, the first line counts. */
function addAll({ option, json }: Arguments): void {
  const entries = readInviteFile(option('from') ?? '');
  const people = entries.filter(({ what }) => what === 'new');
  const counts = { invited: 0, renamed: 0, known: 0, twice: entries.length - people.length };
  inviteEach(people, (writer, { email, firstName }) => {
    counts[invite(writer, { email, firstName: normalizeFirstName(firstName) ?? null })] += 1;
  });
  const { invited, renamed, known, twice } = counts;
  const before = `${renamed + known} already invited, ${renamed} of them with a new first name`;
  const again = twice > 0 ? `; ${twice} twice in the list` : '';
  printOutcome(`${invited} invited; ${before}${again}`, counts, json);
}

/** Does not change people who are already invited. */
function addFromSnapshot({ option, json }: Arguments): void {
  const file = findSnapshot(option('from-snapshot') ?? '');
  const { fault } = inspectFile(file);
  if (fault !== null) throw new Refusal(`${file} fails the check: ${fault}`);
  const people = readInvites(file);
  let invited = 0;
  inviteEach(people, ({ invites }, person) => {
    if (invites.add(person)) invited += 1;
  });
  const known = people.length - invited;
  printOutcome(`${invited} invited; ${known} already invited`, { invited, known }, json);
}

/** `--end-sessions` also works for an address that is off the list already. */
function remove({ words, flag, json }: Arguments): void {
  const email = readEmail(words[0]);
  const endSessions = flag('end-sessions');
  const { removed, count } = changeStore(({ invites, sessions }, store) => {
    const removed = invites.remove(email);
    const count = endSessions
      ? sessions.endAllFor(email)
      : store.sessions.countFor(email, Date.now());
    return { removed, count };
  });
  const shown = readableEmail(email);
  const rest = endSessions ? `${plural(count, 'session')} ended` : describeOpen(count);
  if (!removed && !endSessions) throw new Refusal(`${shown} is not on the invite list; ${rest}`);
  printOutcome(
    `${shown} is ${removed ? 'no longer invited' : 'not on the invite list'}; ${rest}`,
    { email, removed, ...(endSessions ? { sessionsEnded: count } : { sessionsOpen: count }) },
    json,
  );
}

function describeOpen(sessions: number): string {
  if (sessions === 0) return 'no session was open';
  const verb = sessions === 1 ? 'stays' : 'stay';
  return `${plural(sessions, 'session')} ${verb} open until 30 days after login (--end-sessions ends them)`;
}

function setAdmin({ words, json }: Arguments, isAdmin: boolean): void {
  const email = readEmail(words[0]);
  const shown = readableEmail(email);
  changeStore(({ invites }, store) => {
    const known = store.invites.find(email);
    if (!known)
      throw new Refusal(`${shown} is not on the invite list; add it first: invite add ${shown}`);
    if (known.isAdmin === isAdmin)
      throw new Refusal(`${shown} is ${isAdmin ? 'already' : 'not'} an administrator`);
    invites.setAdmin(email, isAdmin);
  });
  printOutcome(
    `${shown} is ${isAdmin ? 'now' : 'no longer'} an administrator`,
    { email, isAdmin },
    json,
  );
}
