/** The numbers at a glance. Each number of people is a link to the list of these people. */
import type { DeviceShare, PeopleCounts } from '../../lib/records.ts';
import type { StatsReply } from '../../lib/replies.ts';
import { element, find, update } from './elements.ts';
import { formatCount, formatPercent, nameDevice, shareRow, showShares } from './parts.ts';
import { periodName } from './period.ts';

const totals = find('#totals', HTMLElement);
const funnel = find('#funnel', HTMLElement);
const funnelHint = find('#funnel-hint', HTMLElement);

/** Rows of a list of shares; smaller shares are added up in the last row. */
const MAX_SHARES = 6;

/** People who joined for the first time in the period. */
let firstTime: number | undefined;
let shown: StatsReply | undefined;

export function showFirstTime(count: number | undefined): void {
  firstTime = count;
  if (shown) showTotals(shown);
}

export function showOverview(stats: StatsReply): void {
  showTotals(stats);
  // Not a reply that cannot be shown.
  shown = stats;
  showFunnel(stats.funnel);
  const admins = formatCount(stats.totals.admins, 'administrator');
  update(funnelHint, `Counts people currently on the invite list, including ${admins}.`);
  for (const list of ['devices', 'os', 'browsers'] as const)
    showShares(find(`#${list}`, HTMLElement), withRest(stats[list]), 'No visits yet.');
}

/** A comparison needs so many people. */
const FEW = 20;

function showTotals({ totals: all, people, daily, first, ...stats }: StatsReply): void {
  const hasBefore = first !== null && (daily[0]?.day ?? '') > first;
  const before = hasBefore ? stats.before?.people : undefined;
  const inBefore = `in the previous ${formatCount(daily.length, 'day')}`;
  const trend = (act: keyof PeopleCounts) =>
    before ? `${compare(people[act], before[act])}${formatCount(before[act])} ${inBefore}` : '';
  const joins = before
    ? `${formatCount(firstTime ?? 0)} for the first time · ${formatCount(before.joined)} joined ${inBefore}`
    : '';
  const name = periodName();
  const admins = formatCount(all.admins, 'administrator');
  update(
    totals,
    tile('Invited', 'all time', 'status=', all.invites, admins),
    tile('Logged in', name, 'did=login', people.loggedIn, trend('loggedIn')),
    tile('Viewed', name, 'did=view', people.viewed, trend('viewed')),
    tile('Joined', name, 'did=join', people.joined, joins),
  );
}

/** `Up 46% · `; nothing for few people. */
function compare(now: number, before: number): string {
  if (before < FEW || now < FEW) return '';
  if (now === before) return 'No change · ';
  return `${now > before ? 'Up' : 'Down'} ${formatPercent(Math.abs(now - before) / before)} · `;
}

/** A link to the invite list. @param filter a value of its filter, which the address then has */
function listLink(filter: string, text: string, label = text): HTMLElement {
  const link = element('a', '', text);
  link.href = `#${filter}`;
  link.ariaLabel = label;
  return link;
}

function tile(name: string, span: string, filter: string, count: number, more: string) {
  const text = formatCount(count);
  return element(
    'div',
    '',
    element('dt', '', `${name} `, element('span', 'hint', span)),
    element('dd', 'count', listLink(filter, text, `${text} ${name.toLowerCase()}, ${span}`)),
    element('dd', 'trend', more),
  );
}

function showFunnel({ invited, loggedIn, viewed, joined }: StatsReply['funnel']): void {
  /** A step, and how many have not gone further. */
  const step = (name: string, filter: string, count: number, ...gap: readonly HTMLElement[]) => {
    const text = formatCount(count);
    const link = listLink(filter, text, `${text} ${name.toLowerCase()}, all time`);
    const row = shareRow(name, count, invited, link);
    row.append(...gap);
    return row;
  };
  const gap = (status: string, count: number, words: string) =>
    element('span', 'gap', listLink(`status=${status}`, `${formatCount(count)} ${words}`));
  update(
    funnel,
    step('Invited', 'status=', invited, gap('pending', invited - loggedIn, 'haven’t logged in')),
    step(
      'Logged in',
      'status=logged_in,viewed,joined',
      loggedIn,
      gap('logged_in', loggedIn - viewed, 'logged in but didn’t view'),
    ),
    step(
      'Viewed',
      'status=viewed,joined',
      viewed,
      gap('viewed', viewed - joined, 'viewed but didn’t join'),
    ),
    step('Joined', 'status=joined', joined),
  );
}

/** The largest shares, and the sum of the others. */
function withRest(shares: readonly DeviceShare[]): readonly DeviceShare[] {
  const named = shares.map(({ name, count }) => ({ name: nameDevice(name), count }));
  if (named.length <= MAX_SHARES) return named;
  const rest = named.slice(MAX_SHARES - 1).reduce((sum, { count }) => sum + count, 0);
  return [...named.slice(0, MAX_SHARES - 1), { name: 'Other', count: rest }];
}
