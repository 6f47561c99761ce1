/**
 * Changes the invite list and its administrators. `tools/` has one file for each tool, with its
 * commands and messages. What several tools need is in `lib/cli`.
 */
import { normalizeEmail, normalizeFirstName } from '../lib/addresses/address.ts';
import { readableEmail } from '../lib/addresses/normalize.ts';
import { unwrapAddress } from '../lib/addresses/unwrap.ts';
import * as args from '../lib/cli/arguments.ts';
import { type Invited, invitePerson, type NewPerson } from '../lib/cli/invite-person.ts';
import { Refusal, runFromShell, UsageError } from '../lib/cli/shell.ts';
import { printStoreList, readStore, withNewStore, withStore } from '../lib/cli/store.ts';
import { plural, printList, printOutcome } from '../lib/cli/terminal.ts';
import { type Call, type Command, defineTool } from '../lib/cli/tool.ts';
import { commandFor, readSettings } from '../lib/config.ts';
import { inviteFile } from '../lib/extras/bulk/invite-file.ts'; // extra: bulk
import { toCsv } from '../lib/extras/export/csv.ts'; // extra: export
import { LETTERS } from '../lib/extras/letters/letters.ts'; // extra: letters
import { printLetters } from '../lib/extras/letters/print-letters.ts'; // extra: letters
import { COLUMNS } from '../lib/lists.ts';
import { STATUSES } from '../lib/store/people-search.ts';
import type { Readers } from '../lib/store/tables.ts';

/** The columns of a table of invites. The totals, after the status, are left out. */
const SHOWN = COLUMNS.invites.slice(0, COLUMNS.invites.indexOf('status') + 1);

const COMMANDS: readonly Command[] = [
  {
    usage: [
      'add [email] [first name…]',
      '[--file <file>] [--encoding <encoding>]', // extra: bulk
    ].join(' '),
    help: [
      'invite a person, or change the first name of an invited person; print the link to send',
      // extra: bulk
      '--file: invite everybody in a file, or - for standard input; print how it was read.',
      'The file has one address per line, or is CSV with email and first name, in UTF-8',
      '--encoding windows-1252: Excel saved the file in western Europe, not in UTF-8',
      // end: bulk
    ].join('\n'),
    run(call) {
      // extra: bulk
      const file = call.option('file');
      if ((file === undefined) === (call.words.length === 0))
        throw new UsageError('invite add takes <email> or --file');
      if (file !== undefined) return inviteFile(call, file);
      // end: bulk
      add(call);
    },
  },
  {
    usage: 'remove <email> [--end-sessions]',
    help: `remove a person from the list; their sessions stay open
      --end-sessions: end them, also if the person is already removed`,
    run: remove,
  },
  {
    usage: [
      'list [--status <status>]',
      '[--letters <kind>]', // extra: letters
      args.PERIOD,
      args.LIST,
    ].join(' '),
    help: [
      'everybody on the list, newest first',
      '--status: pending, logged_in, viewed or joined',
      '--from, --to: invited on these days (UTC, YYYY-MM-DD)',
      '--letters: invitation or reminder, to print letters; with --csv, for a mail merge', // extra: letters
    ].join('\n'),
    run: list,
  },
  {
    usage: 'admin add <email>',
    help: 'give an invited person access to the administrator page',
    run: (call) => setAdmin(call, true),
  },
  {
    usage: 'admin remove <email>',
    help: 'take away the access to the administrator page',
    run: (call) => setAdmin(call, false),
  },
  {
    usage: `admin list ${args.LIST}`,
    help: 'all administrators',
    run: listAdmins,
  },
  {
    usage: `log [email] ${args.LIST}`,
    help: 'all changes and who made them, newest first; with an email, those of one person',
    run(call) {
      printStoreList(call, 'changes', COLUMNS.changes, ({ changes }, filter) =>
        changes.list(filter),
      );
    },
  },
];

export const main = defineTool('invite', COMMANDS, {
  csv: toCsv, // extra: export
});

function listAdmins(call: Call): void {
  const readAdmins = ({ invites, people }: Readers, { limit }: args.Filter) =>
    people.list({ sort: 'email', order: 'asc', limit }, invites.admins());
  printStoreList(call, 'administrators', COLUMNS.invites, readAdmins, SHOWN);
}

function list(call: Call): void {
  const status = args.readChoice(call, 'status', STATUSES);
  const kind = args.readChoice(call, 'letters', LETTERS); // extra: letters
  const { period, limit } = args.readFilter(call);
  const search = { sort: 'invitedAt', order: 'desc', period, limit } as const;
  const { rows } = readStore(call, ({ people }) =>
    people.list({ ...search, statuses: status && [status] }),
  );
  // extra: letters
  if (kind !== undefined) {
    printLetters(call, kind, rows);
    return;
  }
  // end: letters
  const none = status || period ? 'no such guests' : 'no guests yet';
  printList(call, none, COLUMNS.invites, rows, SHOWN);
}

function add(call: Call): void {
  const [word, ...names] = call.words;
  if (word === undefined) throw new UsageError('invite add takes <email>');
  if (names.some((name) => name.includes('@')))
    throw new UsageError(
      'invite add takes one address; invite the others by commands of their own',
    );
  const { address } = unwrapAddress(word);
  const email = args.readInvitedEmail(address);
  const typedEmail = normalizeEmail(address) ?? email;
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and no control characters');
  const { publicOrigin } = readSettings(call.env);
  const given: NewPerson = { email, typedEmail, firstName };
  const person = withNewStore(call, (store) =>
    store.transaction((writer) =>
      invitePerson(store, writer, given, publicOrigin, writer.invites.newMoment()),
    ),
  );
  const where = call.env.PUBLIC_ORIGIN ? '' : 'on this computer: ';
  const text = `${readableEmail(person.email)} ${describeOutcome(person)}\n${where}${person.link}`;
  printOutcome(call, text, person);
}

function describeOutcome({ outcome, firstName }: Invited): string {
  if (outcome === 'invited') return 'is invited';
  if (outcome === 'renamed') return `was already invited; the first name is now ${firstName}`;
  return 'was already invited; nothing changed';
}

/** `--end-sessions` also works after a removal. */
function remove(call: Call): void {
  const typed = args.readEmail(call.words[0] ?? '');
  const endSessions = call.flag('end-sessions');
  const { email, removed, count } = withStore(call, (store) =>
    store.transaction(({ invites, sessions }) => {
      const email = store.invites.findByAddress(typed)?.email ?? typed;
      const removed = invites.remove(email);
      const count = endSessions ? sessions.endAllFor(email) : sessions.countOpen(email, Date.now());
      return { email, removed, count };
    }),
  );
  const state = removed ? 'no longer invited' : 'not on the invite list';
  const text = `${readableEmail(email)} is ${state}; ${describeSessions(count, endSessions)}`;
  if (!removed && !endSessions) throw new Refusal(text);
  const sessions = endSessions ? { sessionsEnded: count } : { sessionsOpen: count };
  printOutcome(call, text, { email, removed, ...sessions });
}

function describeSessions(count: number, areEnded: boolean): string {
  if (count === 0) return 'no open sessions';
  const sessions = plural(count, 'session');
  if (areEnded) return `${sessions} ended`;
  return `${sessions} still open for up to 30 days (--end-sessions ends them)`;
}

function setAdmin(call: Call, isAdmin: boolean): void {
  const typed = args.readEmail(call.words[0] ?? '');
  const shown = readableEmail(typed);
  const email = withStore(call, (store) =>
    store.transaction(({ invites }) => {
      const known = store.invites.findByAddress(typed);
      if (!known)
        throw new Refusal(
          `${shown} is not on the invite list; add it first: ${commandFor(`invite add ${shown}`)}`,
        );
      if (known.isAdmin === isAdmin)
        throw new Refusal(`${shown} is ${isAdmin ? 'already' : 'not'} an administrator`);
      invites.setAdmin(known.email, isAdmin);
      return known.email;
    }),
  );
  const text = `${shown} is ${isAdmin ? 'now' : 'no longer'} an administrator`;
  printOutcome(call, text, { email, isAdmin });
}

await runFromShell(import.meta.url, main);
