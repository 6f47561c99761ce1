/**
 * Changes the invite list and its administrators. `tools/` has one file for each tool: its commands
 * and its messages. What several tools need belongs in `lib/cli`.
 */
import { meantDomain } from '../lib/addresses/address.ts';
import {
  normalizeFirstName,
  normalizeInvitedEmail,
  readableEmail,
  withReadable,
} from '../lib/addresses/normalize.ts';
import * as args from '../lib/cli/arguments.ts';
import { Refusal, runFromShell, UsageError } from '../lib/cli/shell.ts';
import { listOf, readStore, withNewStore, withStore } from '../lib/cli/store.ts';
import { plural, printList, printOutcome, toTable } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { commandFor, readSettings } from '../lib/config.ts';
import { readInviteFile } from '../lib/extras/bulk/invite-file.ts';
import { LETTER_COLUMNS, LETTERS, lettersTo, linkTo } from '../lib/extras/letters/letters.ts';
import { COLUMNS } from '../lib/lists.ts';
import { loadSite, siteFolder } from '../lib/site/site.ts';
import type { Readers, Writer } from '../lib/store/open.ts';
import { STATUSES } from '../lib/store/people.ts';

/** The columns of a table of invites: without the totals, which follow the status. */
const SHOWN = COLUMNS.invites.slice(0, COLUMNS.invites.indexOf('status') + 1);

export const main = defineTool('invite', [
  {
    usage: 'add [email] [first name…] [--file <file>]',
    help: `invite a person, or set the first name of an invited person; with --file
      everybody in a file (- for standard input), one address per line, or CSV
      with email and first name; print the first names and the links to send`,
    run(call) {
      const file = call.option('file');
      if ((file === undefined) === (call.words.length === 0))
        throw new UsageError('invite add takes <email> or --file');
      if (file === undefined) add(call);
      else addAll(call, file);
    },
  },
  {
    usage: 'remove <email> [--end-sessions]',
    help: `remove a person from the list; their sessions stay open
      (--end-sessions ends them, also after the removal)`,
    run: remove,
  },
  {
    usage: `list [--status <status>] [--letters <kind>] ${args.PERIOD} ${args.LIST}`,
    help: `everybody on the list, newest first; a status is pending, logged_in,
      viewed or joined; invited on the days (UTC, YYYY-MM-DD) from … to; with
      --letters invitation or reminder, --csv is the file of a mail merge`,
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
]);

function readAdmins({ people }: Readers, { limit }: args.Filter) {
  const { rows } = people.list({ sort: 'email', order: 'asc', limit: Infinity });
  return { rows: rows.filter(({ isAdmin }) => isAdmin).slice(0, limit) };
}

/** The invites, or the letters to these people; as a table, without their texts. */
function list(call: Call): void {
  const status = args.readChoice(call, 'status', STATUSES);
  const kind = args.readChoice(call, 'letters', LETTERS);
  const { period, limit } = args.readFilter(call);
  const search = { sort: 'invitedAt', order: 'desc', period, limit } as const;
  const texts = kind && loadSite(siteFolder(), readSettings(call.env).publicOrigin).letters;
  const { rows } = readStore(call, ({ people }) =>
    people.list({ ...search, statuses: status && [status] }),
  );
  if (kind && texts) {
    const letters = lettersTo(kind, texts, rows.map(withReadable));
    printList(call, LETTER_COLUMNS, letters, ['email', 'firstName', 'link']);
  } else printList(call, COLUMNS.invites, rows, SHOWN);
}

/** Invites a person, or sets another first name. */
function invite({ invites }: Writer, email: string, firstName: string | null, origin: string) {
  const isNew = invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() });
  const isRenamed = !isNew && firstName !== null && invites.setFirstName(email, firstName);
  const outcome = isNew ? 'invited' : isRenamed ? 'renamed' : 'known';
  return { email, firstName, outcome, link: linkTo(origin, readableEmail(email)) } as const;
}

function add(call: Call): void {
  const [address, ...names] = call.words;
  const email = args.readEmail(call, address, normalizeInvitedEmail);
  const firstName = normalizeFirstName(names.join(' '));
  if (firstName === undefined)
    throw new UsageError('a first name has at most 100 characters, and no control characters');
  const { publicOrigin } = readSettings(call.env);
  const person = withNewStore(call, ({ transaction }) =>
    transaction((writer) => invite(writer, email, firstName, publicOrigin)),
  );
  const outcomes = {
    invited: 'is invited',
    renamed: `was already invited; the first name is now ${firstName}`,
    known: 'was already invited; nothing changed',
  };
  const where = call.env.PUBLIC_ORIGIN ? '' : 'on this computer: ';
  const text = `${readableEmail(email)} ${outcomes[person.outcome]}\n${where}${person.link}`;
  printOutcome(call, text, person);
}

/** Of several lines about one person, the first counts. Prints who is new or has a new name. */
function addAll(call: Call, file: string): void {
  const { entries, ignored, warning } = readInviteFile(call.readInput, file);
  const listed = entries.filter(({ reason }) => reason === null);
  const { publicOrigin } = readSettings(call.env);
  const people = withNewStore(call, ({ transaction }) =>
    transaction((writer) =>
      listed.map(({ email, firstName }) => invite(writer, email, firstName, publicOrigin)),
    ),
  );
  const counts = { invited: 0, renamed: 0, known: 0, twice: entries.length - people.length };
  for (const { outcome } of people) counts[outcome] += 1;
  const { invited, renamed, known, twice } = counts;
  const before = `${renamed + known} already invited, ${renamed} of them with a new first name`;
  const greeted = people.filter(({ outcome }) => outcome !== 'known');
  const lines = [
    greeted.length > 0 && toTable(['email', 'firstName', 'link'], greeted).trimEnd(),
    !call.env.PUBLIC_ORIGIN &&
      'the links lead to this computer; set PUBLIC_ORIGIN to get those to send',
    ...greeted.map(
      ({ email }) => meantDomain(email) && `${email}: did you mean ${meantDomain(email)}?`,
    ),
    warning,
    ignored.length > 0 && `ignored: ${ignored.join(', ')}`,
    `${invited} invited; ${before}; ${twice} duplicate`,
  ];
  printOutcome(call, lines.filter(Boolean).join('\n'), { ...counts, ignored, warning, people });
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
  const open = 'still open for up to 30 days (--end-sessions ends them)';
  const rest = `${plural(count, 'session')} ${endSessions ? 'ended' : count > 0 ? open : 'open'}`;
  const text = `${shown} is ${removed ? 'no longer invited' : 'not on the invite list'}; ${rest}`;
  if (!removed && !endSessions) throw new Refusal(text);
  const sessions = endSessions ? { sessionsEnded: count } : { sessionsOpen: count };
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
