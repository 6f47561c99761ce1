/** The numbers at a glance. Each number of people is a link to the list of these people. */
import type { PeopleCounts } from '../../lib/records.ts';
import type { StatsReply } from '../../lib/routes/replies.ts';
import { element, find, update } from './elements.ts';
import { formatCount, formatPercent, nameDevice, shareRow, showShares } from './parts.ts';
import { periodName } from './period.ts';

export function showOverview(stats: StatsReply): void {
  showTotals(stats);
  showFunnel(stats.funnel);
  for (const list of ['devices', 'os', 'browsers'] as const) {
    const shares = stats[list].map(({ name, count }) => ({ name: nameDevice(name), count }));
    showShares(find(`#${list}`, HTMLElement), shares, 'No visits yet.');
  }
}

/** A comparison needs so many people. */
const FEWEST_COMPARED = 20;

function showTotals({ totals, people, daily, first, ...stats }: StatsReply): void {
  const hasBefore = first !== null && (daily[0]?.day ?? '') > first;
  const before = hasBefore ? stats.before?.people : undefined;
  const days = daily.length === 1 ? 'day' : formatCount(daily.length, 'day');
  const trend = (act: keyof PeopleCounts) =>
    before ? `${compare(people[act], before[act])} in the previous ${days}` : '';
  const admins = formatCount(totals.admins, 'administrator');
  update(
    find('#totals', HTMLElement),
    tile('Invited', 'all time', 'status=', totals.invites, admins),
    tile('Logged in', periodName, 'did=login', people.loggedIn, trend('loggedIn')),
    tile('Viewed', periodName, 'did=view', people.viewed, trend('viewed')),
    tile('Joined', periodName, 'did=join', people.joined, trend('joined')),
  );
}

/** `Up 46% · 81`; only `81` for few people. */
function compare(now: number, before: number): string {
  const count = formatCount(before);
  if (before < FEWEST_COMPARED || now < FEWEST_COMPARED) return count;
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
