/**
 * Changes the invite list and its administrators. `tools/` has one file for each tool: its commands
 * and its messages. What several tools need belongs in `lib/cli`.
 */
import {
  emailMistake,
  normalizeEmail,
  normalizeFirstName,
  normalizeInvitedEmail,
  readableEmail,
} from '../lib/addresses/normalize.ts';
import { unwrapAddress } from '../lib/addresses/unwrap.ts';
import * as args from '../lib/cli/arguments.ts';
import { invitePerson, type NewPerson } from '../lib/cli/invite-person.ts';
import { Refusal, runFromShell, UsageError } from '../lib/cli/shell.ts';
import { listOf, readStore, withNewStore, withStore } from '../lib/cli/store.ts';
import { plural, printList, printOutcome } from '../lib/cli/terminal.ts';
import { type Call, type Command, defineTool } from '../lib/cli/tool.ts';
import { commandFor, readSettings } from '../lib/config.ts';
import { inviteFile } from '../lib/extras/bulk/invite-file.ts'; // extra: bulk
import { toCsv } from '../lib/extras/export/csv.ts'; // extra: export
import { LETTERS } from '../lib/extras/letters/letters.ts'; // extra: letters
import { printLetters } from '../lib/extras/letters/print-letters.ts'; // extra: letters
import { COLUMNS } from '../lib/lists.ts';
import type { ListedInvite } from '../lib/records.ts';
import { STATUSES } from '../lib/store/people.ts';
import type { Readers } from '../lib/store/tables.ts';

/** The columns of a table of invites: without the totals, which follow the status. */
const SHOWN = COLUMNS.invites.slice(0, COLUMNS.invites.indexOf('status') + 1);

const COMMANDS: readonly Command[] = [
  {
    usage: [
      'add [email] [first name…]',
      '[--file <file>] [--encoding <encoding>]', // extra: bulk
    ].join(' '),
    help: [
      'invite a person, or set the first name of an invited person;',
      // extra: bulk
      'with --file everybody in a file (- for standard input), one address per',
      'line, or CSV with email and first name, in UTF-8, or with --encoding',
      'windows-1252 as Excel saves it in western Europe; print how it was read;',
      // end: bulk
      'print the link to send',
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
      (--end-sessions ends them, also after the removal)`,
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
      'everybody on the list, newest first; a status is pending, logged_in,',
      'viewed or joined; invited on the days (UTC, YYYY-MM-DD) from … to',
      '--letters invitation or reminder: the letters; with --csv, for a mail merge', // extra: letters
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
    help: 'revoke that access',
    run: (call) => setAdmin(call, false),
  },
  {
    usage: `admin list ${args.LIST}`,
    help: 'all administrators',
    run: listOf(COLUMNS.invites, readAdmins, SHOWN),
  },
  {
    usage: `log [email] ${args.LIST}`,
    help: 'who changed what, newest first; of one person',
    run: listOf(COLUMNS.changes, ({ changes }, filter) => changes.list(filter)),
  },
];

export const main = defineTool('invite', COMMANDS, {
  csv: toCsv, // extra: export
});

function readAdmins({ invites, people }: Readers, { limit }: args.Filter) {
  const rows: ListedInvite[] = [];
  for (const email of invites.admins().slice(0, limit)) {
    const person = people.find(email);
    if (person) rows.push(person);
  }
  return { rows };
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
  printList(call, COLUMNS.invites, rows, SHOWN);
}

/** Takes an address out of what stands around it. @throws {UsageError} if nobody can type it */
function readAddress(word: string): Pick<NewPerson, 'email' | 'typedEmail'> {
  const { address } = unwrapAddress(word);
  const email = normalizeInvitedEmail(address);
  if (email !== undefined) return { email, typedEmail: normalizeEmail(address) ?? email };
  if (emailMistake(address) === 'mixed_alphabets')
    throw new UsageError(`${JSON.stringify(word)} has letters of two alphabets`);
  throw new UsageError(`${JSON.stringify(word)} is not an email address`);
}

function add(call: Call): void {
  const [address, ...names] = call.words;
  if (address === undefined) throw new UsageError('invite add takes <email>');
  const { email, typedEmail } = readAddress(address);
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and no control characters');
  const { publicOrigin } = readSettings(call.env);
  const given = { email, typedEmail, firstName };
  const person = withNewStore(call, (store) =>
    store.transaction((writer) => invitePerson(store, writer, given, publicOrigin, Date.now())),
  );
  const outcomes = {
    invited: 'is invited',
    renamed: `was already invited; the first name is now ${firstName}`,
    known: 'was already invited; nothing changed',
  };
  const where = call.env.PUBLIC_ORIGIN ? '' : 'on this computer: ';
  const text = `${readableEmail(person.email)} ${outcomes[person.outcome]}\n${where}${person.link}`;
  printOutcome(call, text, person);
}

/** `--end-sessions` also works after a removal. */
function remove(call: Call): void {
  const typed = args.readEmail(call);
  const endSessions = call.flag('end-sessions');
  const { email, removed, count } = withStore(call, (store) =>
    store.transaction(({ invites, sessions }) => {
      const email = store.invites.findTyped(typed)?.email ?? typed;
      const removed = invites.remove(email);
      const count = endSessions ? sessions.endAllFor(email) : sessions.countOpen(email, Date.now());
      return { email, removed, count };
    }),
  );
  const shown = readableEmail(email);
  const open = 'still open for up to 30 days (--end-sessions ends them)';
  const rest = `${plural(count, 'session')} ${endSessions ? 'ended' : count > 0 ? open : 'open'}`;
  const text = `${shown} is ${removed ? 'no longer invited' : 'not on the invite list'}; ${rest}`;
  if (!removed && !endSessions) throw new Refusal(text);
  const sessions = endSessions ? { sessionsEnded: count } : { sessionsOpen: count };
  printOutcome(call, text, { email, removed, ...sessions });
}

function setAdmin(call: Call, isAdmin: boolean): void {
  const typed = args.readEmail(call);
  const shown = readableEmail(typed);
  const email = withStore(call, (store) =>
    store.transaction(({ invites }) => {
      const known = store.invites.findTyped(typed);
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
