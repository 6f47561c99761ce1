/** The parts that several places of the page show: numbers, times, people, shares, invitations. */
import type { Device, Invite, Share, Status, View } from '../../lib/records.ts';
import { element, update } from './elements.ts';
import { readable } from './readable.ts';

const COUNT = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumSignificantDigits: 2,
  maximumFractionDigits: 1,
  roundingPriority: 'lessPrecision',
});

export const formatCount = (count: number): string => COUNT.format(count);

/** `part` of `whole` in percent; with one decimal below 10 %. */
export function formatShare(part: number, whole: number): string {
  const share = whole > 0 ? part / whole : 0;
  return share > 0 && share < 0.001 ? `<${PERCENT.format(0.001)}` : PERCENT.format(share);
}

/** Shown in place of a missing value. */
export const dash = () => element('span', 'none', '–');

const THIS_YEAR = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const OTHER_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/**
 * A short time in the viewer's zone, with the exact time on hover.
 *
 * @param ms epoch ms; a number that is no valid time is shown as it is
 */
export function timeElement(ms: number | null): Node {
  if (ms === null) return dash();
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return element('span', '', String(ms));
  const sameYear = date.getFullYear() === new Date().getFullYear();
  const time = element('time', '', (sameYear ? THIS_YEAR : OTHER_YEAR).format(date));
  time.dateTime = date.toISOString();
  time.title = EXACT.format(date);
  return time;
}

/** A cell, with the heading of its column for windows that are too narrow for a table. */
export function cell(label: string, content: Node | string, className = ''): HTMLElement {
  const made = element('td', className, content);
  made.dataset.label = label;
  return made;
}

/** A link that opens the person's panel. */
export function personLink(email: string): HTMLElement {
  const link = element('a', 'person', readable(email));
  link.href = `#person=${encodeURIComponent(email)}`;
  return link;
}

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  not_come: 'not yet come',
  logged_in: 'logged in',
  viewed: 'viewed',
  joined: 'joined',
};

/** @param status `null` for a person who is not on the invite list */
export const statusElement = (status: Status | null) =>
  status
    ? element('span', `status ${status}`, STATUS_WORDS[status])
    : element('span', 'status', 'not on the invite list');

/** An element with these contents, followed by a badge if the person is an administrator. */
export const withBadge = (content: Node, isAdmin: boolean) =>
  element('span', '', content, ...(isAdmin ? [' ', element('span', 'badge', 'Admin')] : []));

export const describeDevice = ({ deviceType, os, browser }: Device): string =>
  [deviceType, os, browser].filter(Boolean).join(', ');

export const describeView = ({ view, forced }: View): string =>
  `${view}${forced ? ', chosen' : ''}`;

/** Shows labelled bars, each a part of all, or the text `none`. */
export function showShares(target: HTMLElement, shares: readonly Share[], none: string): void {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  const rows = shares.map(({ name, count }) => shareRow(name, count, all));
  update(target, ...(rows.length > 0 ? rows : [element('li', 'none', none)]));
}

export function shareRow(name: string, count: number, all: number): HTMLElement {
  const bar = element('span', 'share');
  // The content security policy allows no style attribute; a property set by script is allowed.
  bar.style.setProperty('--share', String(all > 0 ? count / all : 0));
  return element(
    'li',
    '',
    element('span', 'name', name),
    element('span', 'count', formatCount(count)),
    element('span', 'percent', formatShare(count, all)),
    bar,
  );
}

const { site = '', title = '', invitation = '' } = document.body.dataset;

export type Invited = Pick<Invite, 'email' | 'firstName'>;

/** The text to send to an invited person, and a button that copies it. */
export function invitationFor({ email, firstName }: Invited): HTMLElement {
  const address = readable(email);
  const text = element('textarea');
  text.readOnly = true;
  text.rows = 8;
  text.ariaLabel = `Invitation to send to ${address}`;
  text.dir = 'auto';
  const values: Readonly<Record<string, string>> = {
    firstName: firstName ?? '',
    address: site,
    email: address,
    title,
  };
  // Without a first name, the spaces and the comma before its place go too: "Hello {firstName}!".
  const words = firstName ? invitation : invitation.replace(/[\s,،]*\{firstName\}/gu, '');
  text.textContent = words.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const copy = element('button', '', 'Copy the invitation');
  copy.type = 'button';
  const copied = element('span');
  copied.role = 'status';
  copy.addEventListener('click', async () => {
    text.select();
    const done = await copyText(text.value);
    copied.textContent = done ? 'Copied.' : `${NO_COPY} The text is selected for you.`;
  });
  return element('div', 'invitation', text, element('p', '', copy, ' ', copied));
}

export const NO_COPY = 'The browser does not let this page copy.';

/**
 * Copies a text. Safari copies a text that is still being read only if it gets the promise of it.
 *
 * @returns whether the browser allows it; pages that were not sent over HTTPS get no clipboard
 * @throws what the promise throws
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  const toBlob = async () => new Blob([await text], { type: 'text/plain' });
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': toBlob() })]);
    return true;
  } catch {
    await text;
    return false;
  }
}

/** `Ada <ada@example.com>`, as mail programs read it. */
export function mailbox({ email, firstName }: Invited): string {
  if (!firstName) return email;
  // RFC 5322 wants quotes around all but letters, digits and a few signs.
  const name = /^[\p{L}\p{N} ]+$/u.test(firstName)
    ? firstName
    : `"${firstName.replace(/["\\]/g, '\\$&')}"`;
  return `${name} <${email}>`;
}
