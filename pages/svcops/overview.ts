/** The numbers at a glance. Each number of people is a link to the list of these people. */
import type { DeviceShare, PeopleCounts } from '../../lib/records.ts';
import type { StatsReply } from '../../lib/routes/replies.ts';
import { element, find, update } from './elements.ts';
import { formatCount, formatPercent, nameDevice, shareRow, showShares } from './parts.ts';
import { periodName } from './period.ts';

/** Rows of a list of shares; smaller shares are added up in the last row. */
const MAX_SHARES = 6;

/** People who joined for the first time in the period. */
let firstTime = 0;
let shown: StatsReply | undefined;

export function showFirstTime(count: number): void {
  firstTime = count;
  if (shown) showTotals(shown);
}

export function showOverview(stats: StatsReply): void {
  showTotals(stats);
  // Not a reply that cannot be shown.
  shown = stats;
  showFunnel(stats.funnel);
  const admins = formatCount(stats.totals.admins, 'administrator');
  const hint = `Counts people currently on the invite list, including ${admins}.`;
  update(find('#funnel-hint', HTMLElement), hint);
  for (const list of ['devices', 'os', 'browsers'] as const)
    showShares(find(`#${list}`, HTMLElement), withRest(stats[list]), 'No visits yet.');
}

/** A comparison needs so many people. */
const FEW = 20;

function showTotals({ totals, people, daily, first, ...stats }: StatsReply): void {
  const hasBefore = first !== null && (daily[0]?.day ?? '') > first;
  const before = hasBefore ? stats.before?.people : undefined;
  const days = daily.length === 1 ? 'day' : formatCount(daily.length, 'day');
  const trend = (act: keyof PeopleCounts, change = '') =>
    before ? `${change || compare(people[act], before[act])} in the previous ${days}` : '';
  const joins = `${formatCount(firstTime)} for the first time · ${before?.joined} joined`;
  const name = periodName();
  update(
    find('#totals', HTMLElement),
    tile(
      'Invited',
      'all time',
      'status=',
      totals.invites,
      formatCount(totals.admins, 'administrator'),
    ),
    tile('Logged in', name, 'did=login', people.loggedIn, trend('loggedIn')),
    tile('Viewed', name, 'did=view', people.viewed, trend('viewed')),
    tile('Joined', name, 'did=join', people.joined, trend('joined', joins)),
  );
}

/** `Up 46% · 81`; only `81` for few people. */
function compare(now: number, before: number): string {
  const count = formatCount(before);
  if (before < FEW || now < FEW) return count;
  if (now === before) return `No change · ${count}`;
  return `${now > before ? 'Up' : 'Down'} ${formatPercent(Math.abs(now - before) / before)} · ${count}`;
}

/** A link to the invite list. @param filter a value of its filter, which the address then has */
function listLink(filter: string, text: string, label = text): HTMLElement {
  const link = element('a', '', text);
  link.href = `#${filter}`;
  link.ariaLabel = label;
  return link;
}

const countLink = (name: string, span: string, filter: string, count: number): HTMLElement =>
  listLink(filter, formatCount(count), `${formatCount(count)} ${name.toLowerCase()}, ${span}`);

function tile(name: string, span: string, filter: string, count: number, more: string) {
  return element(
    'div',
    '',
    element('dt', '', `${name} `, element('span', 'hint', span)),
    element('dd', 'count', countLink(name, span, filter, count)),
    element('dd', 'trend', more),
  );
}

/** The steps, and how many people have not gone further. */
function showFunnel({ invited, loggedIn, viewed, joined }: StatsReply['funnel']): void {
  const steps = [
    ['Invited', '', invited, 'pending', 'haven’t logged in'],
    ['Logged in', 'logged_in,viewed,joined', loggedIn, 'logged_in', 'logged in but didn’t view'],
    ['Viewed', 'viewed,joined', viewed, 'viewed', 'viewed but didn’t join'],
    ['Joined', 'joined', joined],
  ] as const;
  const rows = steps.map(([name, statuses, count, status, words], i) => {
    const link = countLink(name, 'all time', `status=${statuses}`, count);
    const row = shareRow(name, count, invited, link);
    const gap = `${formatCount(count - (steps[i + 1]?.[2] ?? 0))} ${words}`;
    if (status) row.append(element('span', 'gap', listLink(`status=${status}`, gap)));
    return row;
  });
  update(find('#funnel', HTMLElement), ...rows);
}

/** The largest shares, and the sum of the others. */
function withRest(shares: readonly DeviceShare[]): readonly DeviceShare[] {
  const named = shares.map(({ name, count }) => ({ name: nameDevice(name), count }));
  if (named.length <= MAX_SHARES) return named;
  const rest = named.slice(MAX_SHARES - 1).reduce((sum, { count }) => sum + count, 0);
  return [...named.slice(0, MAX_SHARES - 1), { name: 'Other', count: rest }];
}
