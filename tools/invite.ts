/** The operator's way to the invite list: who may come in, and who of them is an administrator. */

import { changeStore, findSnapshot, readEmail, readStore } from '../lib/cli/arguments.ts';
import { type Guest, readInviteFile } from '../lib/cli/invite-file.ts';
import {
  type Column,
  plural,
  printOutcome,
  printRows,
  showProgress,
  utc,
} from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool, UsageError } from '../lib/cli/tool.ts';
import type { Invite } from '../lib/records.ts';
import { inspectFile, readInvites } from '../lib/store/file/inspection.ts';
import { BATCH, openStore, type Store, type Writer } from '../lib/store/open.ts';
import { normalizeFirstName, readableEmail } from '../lib/store/rows/normalize.ts';
import { readAll } from '../lib/store/rows/page.ts';

const COLUMNS: readonly Column<Invite>[] = [
  ['email', (invite) => readableEmail(invite.email)],
  ['first name', (invite) => invite.firstName],
  ['admin', (invite) => (invite.isAdmin ? 'admin' : '')],
  ['invited by', (invite) => readableEmail(invite.invitedBy)],
  ['invited at', (invite) => utc(invite.invitedAt)],
];

/** What `add` says for each outcome. */
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
      'a line, or CSV with email and first name',
    run: addAll,
  },
  {
    form: 'add --from-snapshot <file>',
    help: 'invite everybody who is invited in a snapshot; nothing else of it returns',
    run: addFromSnapshot,
  },
  {
    form: 'add <email> [first name…]',
    help: 'invite somebody; again: set the first name',
    run: add,
  },
  {
    form: 'remove <email> [--end-sessions]',
    help:
      'take somebody off the list; open sessions live on\n' +
      '(--end-sessions ends them, also after the removal)',
    run: remove,
  },
  {
    form: 'list',
    help: 'everybody on the list, newest first',
    run: ({ json }) =>
      readStore(({ invites }) => printRows(readAll(invites.list, {}), COLUMNS, json)),
  },
  {
    form: 'admin add <email>',
    help: 'let an invited person see the administrator page',
    run: (args) => setAdmin(args, true),
  },
  {
    form: 'admin remove <email>',
    help: 'take the administrator page from them',
    run: (args) => setAdmin(args, false),
  },
  {
    form: 'admin list',
    help: 'all administrators',
    run: ({ json }) =>
      readStore(({ invites }) => printRows(readAll(invites.admins, {}), COLUMNS, json)),
  },
]);

/** Makes the store where there is none. */
function writingStore<T>(use: (store: Store) => T): T {
  const store = openStore();
  try {
    return use(store);
  } finally {
    store.close();
  }
}

async function add({ words: [address, ...names], json }: Arguments): Promise<void> {
  const email = readEmail(address);
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and no control characters');
  const outcome = writingStore((store) =>
    store.transaction((writer) => invite(writer, { email, firstName })),
  );
  const text = OUTCOMES[outcome](readableEmail(email), firstName);
  await printOutcome(text, { email, firstName, outcome }, json);
}

function invite({ invites }: Writer, { email, firstName }: Guest): keyof typeof OUTCOMES {
  if (invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() })) return 'invited';
  return firstName !== null && invites.setFirstName(email, firstName) ? 'renamed' : 'known';
}

/** Writes many invites in transactions of `BATCH`. */
function inviteEach<T>(people: readonly T[], add: (writer: Writer, person: T) => void): void {
  writingStore((store) => {
    for (let i = 0; i < people.length; i += BATCH) {
      const batch = people.slice(i, i + BATCH);
      store.transaction((writer) => {
        for (const person of batch) add(writer, person);
      });
      showProgress('inviting', i + batch.length, people.length);
    }
  });
}

async function addAll({ option, json }: Arguments): Promise<void> {
  const people = readInviteFile(option('from') ?? '');
  const counts = { invited: 0, renamed: 0, known: 0 };
  inviteEach(people, (writer, guest) => {
    counts[invite(writer, guest)] += 1;
  });
  const { invited, renamed, known } = counts;
  await printOutcome(
    `${invited} invited; ${renamed + known} had been already, ${renamed} of them with a new first name`,
    counts,
    json,
  );
}

/** Those who are invited already stay as they are. */
async function addFromSnapshot({ option, json }: Arguments): Promise<void> {
  const file = findSnapshot(option('from-snapshot') ?? '');
  const { fault } = inspectFile(file);
  if (fault !== null) throw new Refusal(`${file} does not check out: ${fault}`);
  const people = readInvites(file);
  let invited = 0;
  inviteEach(people, ({ invites }, person) => {
    if (invites.add(person)) invited += 1;
  });
  const known = people.length - invited;
  await printOutcome(`${invited} invited; ${known} had been already`, { invited, known }, json);
}

/** `--end-sessions` also works for an address that is off the list already. */
async function remove({ words, flag, json }: Arguments): Promise<void> {
  const email = readEmail(words[0]);
  const endSessions = flag('end-sessions');
  const { removed, count } = await changeStore(({ invites, sessions }, store) => {
    const removed = invites.remove(email);
    const count = endSessions
      ? sessions.endAllFor(email)
      : store.sessions.countFor(email, Date.now());
    return { removed, count };
  });
  const shown = readableEmail(email);
  const rest = endSessions ? `${plural(count, 'session')} ended` : describeOpen(count);
  if (!removed && !endSessions) throw new Refusal(`${shown} is not on the invite list; ${rest}`);
  await printOutcome(
    `${shown} is ${removed ? 'no longer invited' : 'not on the invite list'}; ${rest}`,
    { email, removed, ...(endSessions ? { sessionsEnded: count } : { sessionsOpen: count }) },
    json,
  );
}

function describeOpen(sessions: number): string {
  if (sessions === 0) return 'no session was open';
  const live = `${plural(sessions, 'open session')} live${sessions === 1 ? 's' : ''} on`;
  return `${live} until 30 days after login (--end-sessions ends them)`;
}

async function setAdmin({ words, json }: Arguments, isAdmin: boolean): Promise<void> {
  const email = readEmail(words[0]);
  const shown = readableEmail(email);
  await changeStore(({ invites }, store) => {
    const known = store.invites.find(email);
    if (!known)
      throw new Refusal(`${shown} is not on the invite list; add it first: invite add ${shown}`);
    if (known.isAdmin === isAdmin)
      throw new Refusal(`${shown} is ${isAdmin ? 'already' : 'not'} an administrator`);
    invites.setAdmin(email, isAdmin);
  });
  await printOutcome(
    `${shown} is ${isAdmin ? 'now' : 'no longer'} an administrator`,
    { email, isAdmin },
    json,
  );
}
