/** Invites people, removes and erases them, and makes administrators. */
import fs from 'node:fs';
import { linkTo, readFirstName, readInvitedEmail, unwrapAddress } from '../lib/addresses.ts';
import {
  type Call,
  formatTable,
  type Listing,
  ONE_WORD,
  requireEmail,
  runTool,
  withStore,
  withTransaction,
} from '../lib/cli.ts';
import { shellCommand, toolCommand } from '../lib/commands.ts';
import { ExpectedError, readSettings, UsageError } from '../lib/config.ts';
import { decodeFile } from '../lib/csv.ts';
import {
  type Column,
  describeWithout,
  type Person,
  readList,
  readPeople,
} from '../lib/guest-list.ts';
import type { NewGuest } from '../lib/records.ts';
import { findSnapshotsWith, forgetPerson } from '../lib/store/forget.ts';
import {
  addAdmin,
  addInvite,
  addInvites,
  findInvite,
  listGuests,
  removeAdmin,
  removeInvite,
  setFirstName,
} from '../lib/store/invites.ts';
import { countSessions, endSessions } from '../lib/store/sessions.ts';

runTool('invite', {
  add: {
    usage: '<email> [first name] | --file FILE [--yes]',
    help: `invite a person, or change the first name ("" removes it). With --file, show how a list is
    read; with --yes too, invite it. FILE can be - for standard input`,
    words: { least: 0, most: 2 },
    options: {
      file: { type: 'string' },
      yes: { type: 'boolean' },
    },
    run: (call) => (call.options.file === undefined ? add(call) : addList(call)),
  },
  remove: {
    usage: '<email>',
    help: 'remove an invite; sessions stay open until they expire',
    words: ONE_WORD,
    run: ({ words }) => remove(requireEmail(words[0])),
  },
  'end-sessions': {
    usage: '<email>',
    help: 'log a person out everywhere',
    words: ONE_WORD,
    run: ({ words }) => logOut(requireEmail(words[0])),
  },
  forget: {
    usage: '<email> --yes',
    help: 'erase a person from the store, and name the snapshots that still have the address',
    words: ONE_WORD,
    options: { yes: { type: 'boolean' } },
    run: forget,
  },
  list: {
    help: 'all guests, newest first; if PUBLIC_ORIGIN is set, the CSV has their links',
    list,
  },
  'admin add': {
    usage: '<email>',
    help: 'make a guest an administrator',
    words: ONE_WORD,
    run: ({ words }) => promote(requireEmail(words[0])),
  },
  'admin remove': {
    usage: '<email>',
    help: 'make an administrator a guest again',
    words: ONE_WORD,
    run: ({ words }) => demote(requireEmail(words[0])),
  },
  'admin list': {
    help: 'all administrators',
    list: () => ({
      columns: ['email', 'firstName'],
      rows: withStore(listGuests).filter(({ isAdmin }) => isAdmin),
    }),
  },
});

function add({ words: [address, name], options }: Call): string {
  if (address === undefined) throw new UsageError('give an address, or a list with --file');
  if (options.yes) throw new UsageError('--yes is for lists, with --file');
  const email = readInvitedEmail(address);
  if (email === undefined) throw new UsageError(describeRefused(address));
  const firstName = readFirstName(name ?? '');
  if (firstName === undefined)
    throw new UsageError(`${JSON.stringify(name)} is too long, or has control characters`);
  // First, so that a wrong setting invites nobody.
  const links = describeLinks([email], ['add', email]);

  const before = withTransaction((db) => {
    const known = findInvite(db, email);
    if (!known) addInvite(db, { email, firstName, invitedBy: 'cli', invitedAt: Date.now() });
    else if (name !== undefined) setFirstName(db, email, firstName);
    return known;
  });
  if (!before) return `Invited ${describePerson({ email, firstName })}\n${links}`;
  const isRenamed = name !== undefined && firstName !== before.firstName;
  const change = isRenamed
    ? `; first name changed from ${before.firstName ?? 'none'} to ${firstName ?? 'none'}`
    : '';
  return `Already invited: ${describePerson(before)}${change}\n${links}`;
}

function describeRefused(address: string): string {
  const refused = `${JSON.stringify(address)} is not an email address that can be invited`;
  if (fs.existsSync(address)) return `${refused}; a list? ${shellCommand('--file', address)}`;
  const inside = readInvitedEmail(unwrapAddress(address));
  return inside === undefined ? refused : `give the address alone: ${inside}`;
}

/** `Ada <ada@example.com>` */
function describePerson({ email, firstName }: NewGuest): string {
  return firstName === null ? email : `${firstName} <${email}>`;
}

/**
 * @param args of a command of this tool that shows these links again
 * @throws {UsageError} if a setting is wrong
 */
function describeLinks(emails: readonly string[], args: readonly string[]): string {
  const { publicOrigin } = readSettings();
  const links = emails.map((email) => linkTo(publicOrigin, email));
  if (!isLocal(publicOrigin)) return ['To send:', ...links].join('\n');
  const remedy = `PUBLIC_ORIGIN=https://preview.example.com ${toolCommand('invite', ...args)}`;
  const hint = `For a link you can send, name your site: ${remedy}`;
  return ['On this computer:', ...links, hint].join('\n');
}

/** A link to this computer would be sent by mistake. */
function isLocal(publicOrigin: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicOrigin).hostname);
}

/** Reads a list as /svcops proposes, and shows every row. */
function addList({ words, options }: Call): string {
  if (words.length > 0) throw new UsageError('give an address or --file, not both');
  const list = readList(readFile(String(options.file)));
  if (!list) throw new ExpectedError('there is no email address to invite in this list');
  const { columns, addressColumns, proposal, withoutAddress } = list;
  if (addressColumns.length > 1)
    throw new ExpectedError(
      `several columns have addresses, ${quoteNames(addressColumns)}: delete all but one, or choose ` +
        'the column on /svcops',
    );
  const people = readPeople(list, proposal);
  const lines = [
    formatTable(['line', 'result', 'email', 'firstName'], people),
    countResults(people),
  ];
  if (columns.length > 1) lines.push(`columns: ${quoteNames(columns)}`);
  if (withoutAddress.length > 0) lines.push(describeWithout(withoutAddress));
  if (proposal.firstName === -1 && columns.length > 1)
    lines.push('No first names: name their column "First name", or choose it on /svcops.');
  const guests = people.filter(({ result }) => result === 'guest');
  lines.push(
    options.yes
      ? invite(guests)
      : 'Nobody has been invited yet. If this list is right, run the command again with --yes.',
  );
  return lines.join('\n');
}

/** Headings may hold control characters. */
function quoteNames(columns: readonly Column[]): string {
  return columns.map(({ name }) => JSON.stringify(name)).join(', ');
}

function readFile(file: string): string {
  const text = decodeFile(fs.readFileSync(file === '-' ? 0 : file));
  // A workbook or a picture has a NUL character.
  if (text !== undefined && !text.includes('\0')) return text;
  throw new ExpectedError('this file is not UTF-8 text; save the list as CSV UTF-8');
}

/** `guest: 2, repeat: 1` */
function countResults(people: readonly Person[]): string {
  const counts = new Map<string, number>();
  for (const { result } of people) counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts].map(([result, count]) => `${result}: ${count}`).join(', ');
}

function invite(guests: readonly NewGuest[]): string {
  const emails = guests.map(({ email }) => email);
  const links = describeLinks(emails, ['list', '--csv']);
  const { added, invited } = withTransaction((db) => addInvites(db, guests, 'cli', Date.now()));
  return `Invited: ${added}. Already on the list: ${invited}.\n${links}`;
}

function remove(email: string): string {
  const { found, sessions } = withTransaction((db) => {
    const invite = findInvite(db, email);
    removeInvite(db, email);
    return { found: invite, sessions: countSessions(db, email, Date.now()) };
  });
  if (!found) throw new ExpectedError(`${email} is not on the invite list`);
  const removed = `Removed ${email}${found.isAdmin ? ', who was an administrator' : ''}`;
  if (sessions === 0) return removed;
  const remedy = toolCommand('invite', 'end-sessions', email);
  return `${removed}\nSessions still open: ${sessions}. End them: ${remedy}`;
}

function logOut(email: string): string {
  const ended = withStore((db) => endSessions(db, email));
  return `Sessions of ${email} ended: ${ended}`;
}

function forget({ words, options }: Call): string {
  const email = requireEmail(words[0]);
  if (!options.yes) throw new UsageError(`this erases ${email} for good; confirm it with --yes`);
  const { rows, guests } = withStore((db) => forgetPerson(db, email));
  const lines = [rows > 0 ? `Erased ${email}; rows: ${rows}` : `Nothing is stored about ${email}`];
  if (guests > 0) lines.push(`Guests whom this person invited stay on the list: ${guests}`);
  const snapshots = findSnapshotsWith(email);
  if (snapshots.length > 0) lines.push('These snapshots still have the address:', ...snapshots);
  return lines.join('\n');
}

function list(): Listing {
  const { publicOrigin } = readSettings();
  const linkOf = (email: string) => (isLocal(publicOrigin) ? '' : linkTo(publicOrigin, email));
  return {
    columns: ['email', 'firstName', 'status', 'isAdmin', 'invitedBy', 'invitedAt', 'lastSeenAt'],
    csvOnly: ['logins', 'timelineViews', 'joinClicks', 'link'],
    rows: withStore(listGuests).map((guest) => ({ ...guest, link: linkOf(guest.email) })),
  };
}

function promote(email: string): string {
  if (withStore((db) => addAdmin(db, email))) return `${email} is now an administrator`;
  const remedy = toolCommand('invite', 'add', email);
  throw new ExpectedError(`${email} is not on the invite list; add it first: ${remedy}`);
}

function demote(email: string): string {
  if (withStore((db) => removeAdmin(db, email))) return `${email} is no longer an administrator`;
  throw new ExpectedError(`${email} is not on the invite list`);
}
