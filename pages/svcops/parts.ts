/** Formats and elements that several parts of the page use: numbers, times, people, shares. */
import type {
  Change,
  Device,
  DeviceShare,
  ServedLayout,
  Status,
  WithReadable,
} from '../../lib/records.ts';
import { nameOfAdministrator } from './account.ts';
import { LOCALE } from './days.ts';
import { element, update } from './elements.ts';

const COUNT = new Intl.NumberFormat(LOCALE);
const PERCENT = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  maximumSignificantDigits: 2,
  maximumFractionDigits: 1,
  roundingPriority: 'lessPrecision',
});

export const formatPercent = (share: number): string => PERCENT.format(share);

/**
 * A number with the word for what is counted: `1 guest`, `2,140 guests`.
 *
 * @param word in the singular; without it, the number is alone
 */
export function formatCount(count: number, word = ''): string {
  const number = COUNT.format(count);
  if (word === '') return number;
  if (count === 1) return `${number} ${word}`;
  return `${number} ${word}${word.endsWith('s') ? 'es' : 's'}`;
}

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export type Content = Element | string | null;

/** Content as an element; a dash if there is none. */
export function shown(content: Content): Element {
  if (content instanceof Element) return content;
  if (content === null || content === '') return element('span', 'none', '–');
  return element('span', '', content);
}

const THIS_YEAR = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const OTHER_YEAR = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' });

const TIME_OF_DAY = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit' });

/** Epoch ms as `at 15:50`, on another day as `on 25 Nov, 15:50`, in the viewer's zone. */
export function formatMoment(ms: number): string {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? `at ${TIME_OF_DAY.format(date)}` : `on ${THIS_YEAR.format(date)}`;
}

const isTime = (ms: number): boolean => !Number.isNaN(new Date(ms).getTime());

const DAY_OF_THIS_YEAR = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });

/** The day of a time in the viewer's zone: `26 Nov`; an invalid time as a number. */
export function formatDay(ms: number): string {
  if (!isTime(ms)) return String(ms);
  const date = new Date(ms);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return (isThisYear ? DAY_OF_THIS_YEAR : OTHER_YEAR).format(date);
}

const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });

/** `14:05`, or `09:12–14:05`, in the viewer's zone; empty for an invalid time. */
export const formatTimes = (from: number, to: number): string =>
  isTime(from) && isTime(to) ? CLOCK.formatRange(from, to) : '';

/** Epoch ms as a short time in the viewer's zone, exact on hover; an invalid time as a number. */
export function timeElement(ms: number | null): Content {
  if (ms === null) return null;
  if (!isTime(ms)) return String(ms);
  const date = new Date(ms);
  const sameYear = date.getFullYear() === new Date().getFullYear();
  const time = element('time', '', (sameYear ? THIS_YEAR : OTHER_YEAR).format(date));
  time.dateTime = date.toISOString();
  time.title = EXACT.format(date);
  return time;
}

type Named = WithReadable<{ readonly email: string }>;

/** An address in its readable form. */
export const readableOf = ({ email, readable = email }: Named): string => readable;

/** The words of an address with the sign after them: `ada.`, `lovelace@`, `example.`, `com`. */
const WORDS = /[^@._+-]*[@._+-]+|[^@._+-]+/gu;

/** How many letters fit into the narrowest column of addresses. */
const LONGEST_PART = 24;

/**
 * The parts of an address. A line may break between them: after the `@`, and, if a part is too long
 * for a column, between its words. `ada@example.com` has `ada@` and `example.com`.
 */
const partsOf = (address: string): readonly string[] =>
  (address.match(/[^@]*@|[^@]+/gu) ?? []).flatMap((part) =>
    part.length > LONGEST_PART ? (part.match(WORDS) ?? []) : [part],
  );

/** An address for a heading or a cell: it breaks between its parts. */
export const breakable = (address: string): readonly (Node | string)[] =>
  partsOf(address).flatMap((part) => [part, element('wbr')]);

/** A link that opens the person's panel. */
export function personLink({ email, readable = email }: Named): HTMLElement {
  // A word that is still too long may break anywhere.
  const isLong = partsOf(readable).some((part) => part.length > LONGEST_PART);
  const link = element('a', isLong ? 'person long' : 'person');
  link.append(...breakable(readable));
  link.href = `#person=${encodeURIComponent(email)}`;
  return link;
}

/** Who invited or changed: an administrator, by first name if it is known, or a command. */
export function actor(by: string | null): Content {
  if (!by?.includes('@')) return nameCommand(by);
  const link = personLink({ email: by });
  const name = nameOfAdministrator(by);
  if (name === undefined) return link;
  link.textContent = name;
  link.title = by;
  return link;
}

/** The person who was changed. */
export const changed = ({ email, readable }: WithReadable<Change>): Content =>
  email?.includes('@') ? personLink({ email, ...(readable && { readable }) }) : nameCommand(email);

function nameCommand(by: string | null): string | null {
  if (by === null || by === '') return null;
  if (by === 'erased') return 'Erased';
  return by === 'cli' ? 'Command line' : `Command line (${by})`;
}

const CHANGES: Readonly<Record<Change['what'], string>> = {
  invited: 'Invited',
  name_changed: 'First name changed',
  removed: 'Removed from the invite list',
  made_admin: 'Made administrator',
  no_longer_admin: 'No longer administrator',
  sessions_ended: 'Sessions ended',
  erased: 'Erased',
  restored: 'Snapshot restored',
};

export const describeChange = ({ what }: Change): string => CHANGES[what] ?? what;

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  logged_in: 'Logged in',
  viewed: 'Viewed',
  joined: 'Joined',
};

/** @param status `null` for a person who is not on the invite list */
export const statusElement = (status: Status | null) =>
  status
    ? element('span', `status ${status}`, STATUS_WORDS[status])
    : element('span', 'status', 'Not on the invite list');

/** An element with this content, then a badge if there is a word for it. */
export function withBadge(content: Content, word: string | false): HTMLElement {
  const made = element('span', '', shown(content));
  if (word) made.append(' ', element('span', 'badge', word));
  return made;
}

/**
 * A name of ua-parser, as the service stores it, as a word: `desktop` is `Desktop`, `iOS` stays.
 */
export function nameDevice(name: string): string {
  if (name === 'Mac OS') return 'macOS';
  return /^[a-z]+$/.test(name) ? capitalize(name) : name;
}

/** Types of devices that the name of the system does not imply. */
const DEVICE_TYPES: Readonly<Record<string, string>> = {
  desktop: '',
  mobile: 'phone',
  smarttv: 'TV',
  unknown: '',
};

/** `Chrome on Linux`, `Mobile Safari on iOS (phone)` */
export function describeDevice({ deviceType, os, browser }: Device): string {
  const system = nameDevice(os);
  const type = DEVICE_TYPES[deviceType] ?? deviceType;
  const software = browser && system ? `${browser} on ${system}` : browser || system;
  if (software === '') return type === '' ? 'unknown device' : type;
  return type === '' ? software : `${software} (${type})`;
}

/** `phone layout (from a link)`, because a link may choose the layout. */
export const nameLayout = ({ view, forced }: ServedLayout): string =>
  `${view === 'mobile' ? 'phone' : 'desktop'} layout${forced ? ' (from a link)' : ''}`;

/** Shows labelled bars, each a part of all, or the text `none`. */
export function showShares(
  target: HTMLElement,
  shares: readonly DeviceShare[],
  none: string,
): void {
  let all = 0;
  for (const { count } of shares) all += count;
  const rows = shares.map(({ name, count }) => shareRow(name, count, all));
  if (rows.length === 0) rows.push(element('li', 'none', none));
  update(target, ...rows);
}

/** @param shown the number, or a link with it */
export function shareRow(
  name: string,
  count: number,
  all: number,
  shown: Element | string = formatCount(count),
): HTMLElement {
  const share = all > 0 ? count / all : 0;
  const bar = element('span', 'share');
  // The content security policy forbids style attributes, but a script may set a property.
  bar.style.setProperty('--share', String(share));
  return element(
    'li',
    '',
    element('span', 'name', name),
    element('span', 'count', shown),
    element('span', 'percent', formatPercent(share)),
    bar,
  );
}
