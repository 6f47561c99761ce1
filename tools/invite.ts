/** Invites people, removes and erases them, and makes administrators. */
import fs from 'node:fs';
import { linkTo, readFirstName, readInvitedEmail } from '../lib/addresses.ts';
import {
  type Call,
  countOf,
  formatTable,
  type Listing,
  ONE_WORD,
  requireEmail,
  runTool,
  withStore,
  withTransaction,
} from '../lib/cli.ts';
import { ExpectedError, readSettings, UsageError } from '../lib/config.ts';
import { decodeFile } from '../lib/csv.ts';
import {
  describeWithout,
  type List,
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
  listAdmins,
  listGuests,
  removeAdmin,
  removeInvite,
  setFirstName,
} from '../lib/store/invites.ts';
import { countSessions, endSessions } from '../lib/store/sessions.ts';

runTool('invite', {
  add: {
    usage: '<email> [first name] | --file FILE [--yes]',
    help: `invite a person, or set the first name ("" clears it); or show how a list is read, and
    invite it with --yes. FILE may be - for the input`,
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
    help: 'erase a person from the store, and name the snapshots that still hold the person',
    words: ONE_WORD,
    options: { yes: { type: 'boolean' } },
    run: forget,
  },
  list: {
    help: 'all guests, the latest invite first; with PUBLIC_ORIGIN, the CSV has their links',
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
    list: () => ({ columns: ['email', 'firstName'], rows: withStore(listAdmins) }),
  },
});

function add({ words: [address, name], options }: Call): string {
  if (address === undefined) throw new UsageError('give an address, or a list with --file');
  if (options.yes) throw new UsageError('--yes is for lists, with --file');
  const email = readInvitedEmail(address);
  if (email === undefined) {
    const hint = fs.existsSync(address) ? `; a list? --file ${address}` : '';
    throw new UsageError(`${JSON.stringify(address)} is not an email address to invite${hint}`);
  }
  const firstName = readFirstName(name ?? '');
  if (firstName === undefined)
    throw new UsageError(`${JSON.stringify(name)} is too long, or has control characters`);
  const links = describeLinks([email], `add ${email}`);

  const isNew = withTransaction((db) => {
    const isAdded = addInvite(db, { email, firstName, invitedBy: 'cli', invitedAt: Date.now() });
    if (!isAdded && name !== undefined) setFirstName(db, email, firstName);
    return isAdded;
  });
  const outcome = isNew ? 'is invited' : 'was invited already';
  return `${email} ${outcome}${describeName(name, firstName)}\n${links}`;
}

function describeName(name: string | undefined, firstName: string | null): string {
  if (name === undefined) return '';
  return firstName === null ? ', without a first name' : `, with the first name ${firstName}`;
}

/**
 * @param command shows these links again
 * @throws {UsageError} if a setting is wrong
 */
function describeLinks(emails: readonly string[], command: string): string {
  const { publicOrigin } = readSettings();
  const links = emails.map((email) => linkTo(publicOrigin, email));
  if (!isLocal(publicOrigin)) return ['To send:', ...links].join('\n');
  const remedy = `PUBLIC_ORIGIN=https://preview.example.com node tools/invite.js ${command}`;
  const hint = `For what to send, write your own address: ${remedy}`;
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
  const { addressColumn: address, firstNameColumn: firstName, columns } = list;
  if (address === null) throw new ExpectedError('there is no email address in this list');
  refuseTwoColumns(list);
  const { people, withoutAddress } = readPeople(list, { address, firstName, firstWordOnly: false });
  const guests = people.filter(({ result }) => result === 'guest');
  const lines = [
    formatTable(['line', 'result', 'email', 'firstName'], people),
    countResults(people),
  ];
  if (withoutAddress.length > 0) lines.push(describeWithout(withoutAddress));
  if (firstName === null && columns.length > 1)
    lines.push('No first names: head their column "First name", or choose it on /svcops.');
  const next = 'Nobody is invited yet. If this is right, run the command again with --yes.';
  return [...lines, options.yes ? invite(guests) : next].join('\n');
}

function readFile(file: string): string {
  const text = decodeFile(readBytes(file));
  // A workbook or a picture has a NUL character.
  if (text !== undefined && !text.includes('\0')) return text;
  throw new ExpectedError('this is not text in UTF-8: save the list as CSV UTF-8');
}

function readBytes(file: string): Uint8Array {
  try {
    return fs.readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (!isForbidden) throw error;
    throw new ExpectedError(`this user may not read ${file}; write: --file - < ${file}`);
  }
}

function refuseTwoColumns({ columns, addressColumn, otherAddressColumn }: List): void {
  if (otherAddressColumn === null) return;
  // Quoted, because a heading may hold control characters.
  const names = columns
    .filter(({ index }) => index === addressColumn || index === otherAddressColumn)
    .map(({ heading, index }) => JSON.stringify(heading || `column ${index + 1}`));
  const remedy = 'take one away, or choose on /svcops';
  throw new ExpectedError(`two columns have addresses, ${names.join(' and ')}: ${remedy}`);
}

/** `2 guest, 1 repeat` */
function countResults(people: readonly Person[]): string {
  const counts = new Map<string, number>();
  for (const { result } of people) counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts].map(([result, count]) => `${result}: ${count}`).join(', ');
}

function invite(guests: readonly NewGuest[]): string {
  const emails = guests.map(({ email }) => email);
  const links = describeLinks(emails, 'list --csv');
  const { added, invited } = withTransaction((db) => addInvites(db, guests, 'cli', Date.now()));
  return `${countOf(added, 'guest')} invited, ${invited} already on the list\n${links}`;
}

function remove(email: string): string {
  const { found, sessions } = withTransaction((db) => {
    const invite = findInvite(db, email);
    removeInvite(db, email);
    return { found: invite, sessions: countSessions(db, email, Date.now()) };
  });
  if (!found) throw new ExpectedError(`${email} is not on the invite list`);
  const removed = `${email} is removed${found.isAdmin ? ', and is no longer an administrator' : ''}`;
  if (sessions === 0) return removed;
  const live = sessions === 1 ? '1 session stays open' : `${sessions} sessions stay open`;
  return `${removed}\n${live}; to end: node tools/invite.js end-sessions ${email}`;
}

function logOut(email: string): string {
  const ended = withStore((db) => endSessions(db, email));
  return `${countOf(ended, 'session')} of ${email} ended`;
}

function forget({ words, options }: Call): string {
  const email = requireEmail(words[0]);
  if (!options.yes) throw new UsageError(`this erases ${email} for ever; confirm it with --yes`);
  const { rows, guests, areBytesGone } = withStore((db) => forgetPerson(db, email));
  const erased = `${email} is erased: ${countOf(rows, 'row')}`;
  const lines = [rows > 0 ? erased : `nothing is stored about ${email}`];
  if (guests > 0)
    lines.push(`still on the list: ${countOf(guests, 'guest')} whom this person invited`);
  const snapshots = findSnapshotsWith(email);
  if (snapshots.length > 0) lines.push('still in these snapshots:', ...snapshots);
  if (areBytesGone) return lines.join('\n');
  const remedy =
    'deleted, but not yet overwritten on disk: the store is in use, or the disk is full; run this again';
  throw new ExpectedError([...lines, remedy].join('\n'));
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
  const remedy = `add it first: node tools/invite.js add ${email}`;
  throw new ExpectedError(`${email} is not on the invite list; ${remedy}`);
}

function demote(email: string): string {
  if (withStore((db) => removeAdmin(db, email))) return `${email} is no longer an administrator`;
  throw new ExpectedError(`${email} is not on the invite list`);
}
