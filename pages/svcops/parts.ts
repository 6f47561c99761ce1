/** The parts that several places of the page show: numbers, times, people and shares. */
import type { Device, Share, Status, View } from '../../lib/records.ts';
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
