/** The operator's way to the invite list: who may come in, and who of them is an administrator. */

import { existingStore, readEmail } from '../lib/cli/arguments.ts';
import { readInviteFile } from '../lib/cli/invite-file.ts';
import {
  type Arguments,
  type Column,
  plural,
  printRows,
  Refusal,
  runTool,
  showProgress,
  UsageError,
  utc,
} from '../lib/cli/terminal.ts';
import { normalizeFirstName } from '../lib/email.ts';
import type { Invite } from '../lib/store/invites.ts';
import { openStore, type Store } from '../lib/store/open.ts';
import { walk } from '../lib/store/page.ts';

const USAGE = `usage: invite add|remove|list|admin …

  invite add <email> [first name]   invite somebody; again: set the first name
  invite add --from <file>          invite everybody in a file (- for standard input): one
                                    address a line, or CSV with email and first name
  invite remove <email>             take somebody off the list; open sessions live on
         --end-sessions             … and log them out everywhere
  invite list                       everybody on the list, newest first
  invite admin add <email>          let an invited person see the administrator page
  invite admin remove <email>       … and no longer
  invite admin list                 all administrators

  --json  print lists for programs     --help  print this`;

/** Invites written in one transaction: few enough that the server never waits for long. */
const BATCH = 500;

const COLUMNS: readonly Column<Invite>[] = [
  ['email', (invite) => invite.email],
  ['first name', (invite) => invite.firstName],
  ['admin', (invite) => (invite.isAdmin ? 'admin' : '')],
  ['invited by', (invite) => invite.invitedBy],
  ['invited at', (invite) => utc(invite.invitedAt)],
];

/** What `add` says for each outcome. */
const OUTCOMES = {
  invited: (email: string, _: unknown) => `${email} is invited`,
  renamed: (email: string, name: string | null) =>
    `${email} was already invited; the first name is now ${name}`,
  known: (email: string, _: unknown) => `${email} was already invited; nothing is changed`,
};

await runTool(USAGE, { from: { type: 'string' }, 'end-sessions': { type: 'boolean' } }, (args) => {
  const [command, ...words] = args.words;
  const file = args.option('from');
  if (command === 'add' && file !== undefined && words.length === 0) return addAll(file);
  if (command === 'add' && file === undefined) return add(words);
  if (command === 'remove') return remove(words, args.flag('end-sessions'));
  if (command === 'list' && words.length === 0) return list(args);
  if (command === 'admin') return admin(words, args);
  throw new UsageError(
    command ? `invite does not know "${args.words.join(' ')}"` : 'invite needs a command',
  );
});

function writingStore<T>(use: (store: Store) => T): T {
  const store = openStore();
  try {
    return use(store);
  } finally {
    store.close();
  }
}

function add([address, ...names]: readonly string[]): void {
  const email = readEmail(address);
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and none of control');
  const outcome = writingStore((store) => store.transaction(() => invite(store, email, firstName)));
  console.log(OUTCOMES[outcome](email, firstName));
}

function invite(store: Store, email: string, firstName: string | null): keyof typeof OUTCOMES {
  if (store.invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() }))
    return 'invited';
  if (firstName === null || store.invites.find(email)?.firstName === firstName) return 'known';
  store.invites.setFirstName(email, firstName);
  return 'renamed';
}

function addAll(file: string): void {
  const people = readInviteFile(file);
  const counts = { invited: 0, renamed: 0, known: 0 };
  writingStore((store) => {
    for (let i = 0; i < people.length; i += BATCH) {
      const batch = people.slice(i, i + BATCH);
      store.transaction(() => {
        for (const { email, firstName } of batch) counts[invite(store, email, firstName)] += 1;
      });
      showProgress('inviting', i + batch.length, people.length);
    }
  });
  const { invited, renamed, known } = counts;
  console.log(
    `${invited} invited; ${renamed + known} had been already, ${renamed} of them with a new first name`,
  );
}

function remove(words: readonly string[], endSessions: boolean): void {
  const email = onlyEmail(words);
  const sessions = existingStore((store) =>
    store.transaction(() => {
      if (!store.invites.remove(email)) throw new Refusal(`${email} is not on the invite list`);
      return endSessions
        ? store.sessions.endAllFor(email)
        : store.sessions.countFor(email, Date.now());
    }),
  );
  const rest = endSessions
    ? `${plural(sessions, 'session')} ended`
    : sessions === 0
      ? 'no session was open'
      : `${plural(sessions, 'open session')} live${sessions === 1 ? 's' : ''} on until 30 days after login (--end-sessions ends them)`;
  console.log(`${email} is no longer invited; ${rest}`);
}

function list(args: Arguments): void {
  existingStore(({ invites }) => {
    const everybody = walk<Invite>((limit, last) =>
      invites.list(limit, last && [last.invitedAt, last.email]),
    );
    printRows(everybody, COLUMNS, args.flag('json'));
  });
}

function admin([command, ...words]: readonly string[], args: Arguments): void {
  if (command === 'list' && words.length === 0) {
    existingStore((store) => printRows(store.invites.listAdmins(), COLUMNS, args.flag('json')));
  } else if (command === 'add' || command === 'remove') {
    setAdmin(onlyEmail(words), command === 'add');
  } else {
    throw new UsageError('invite admin needs add <email>, remove <email> or list');
  }
}

function setAdmin(email: string, isAdmin: boolean): void {
  existingStore((store) =>
    store.transaction(() => {
      const known = store.invites.find(email);
      if (!known)
        throw new Refusal(`${email} is not on the invite list; add it first: invite add ${email}`);
      if (known.isAdmin === isAdmin) {
        throw new Refusal(`${email} is ${isAdmin ? 'already' : 'not'} an administrator`);
      }
      store.invites.setAdmin(email, isAdmin);
    }),
  );
  console.log(`${email} is ${isAdmin ? 'now' : 'no longer'} an administrator`);
}

function onlyEmail([address, ...rest]: readonly string[]): string {
  if (rest.length > 0) throw new UsageError(`one address is enough; what is "${rest.join(' ')}"?`);
  return readEmail(address);
}
