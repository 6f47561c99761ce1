/** The numbers at a glance. Each number of people is a link to the list of these people. */
import type { DeviceShare, JoinStats, PeopleCounts } from '../../lib/records.ts';
import type { StatsReply } from '../../lib/replies.ts';
import { element, find, update } from './elements.ts';
import { formatCount, shareRow, showShares } from './parts.ts';
import { periodName } from './period.ts';

const totals = find('#totals', HTMLElement);
const funnel = find('#funnel', HTMLElement);
const funnelHint = find('#funnel-hint', HTMLElement);

/** Rows of a list of shares; smaller shares are added up in the last row. */
const MAX_SHARES = 6;

export function showOverview(stats: StatsReply, { firstTime }: JoinStats): void {
  const { people, daily, first } = stats;
  const admins = formatCount(stats.totals.admins, 'administrator');
  const hasBefore = first !== null && (daily[0]?.day ?? '') > first;
  const before = hasBefore ? stats.before?.people : undefined;
  const trend = (act: keyof PeopleCounts) =>
    before ? `${formatCount(before[act])} in the period before` : '';
  const firstTimes = before ? `${formatCount(firstTime)} for the first time · ` : '';
  const name = periodName();
  update(
    totals,
    tile('Invited', 'all time', 'status=', stats.totals.invites, admins),
    tile('Logged in', name, 'did=login', people.loggedIn, trend('loggedIn')),
    tile('Viewed', name, 'did=view', people.viewed, trend('viewed')),
    tile('Joined', name, 'did=join', people.joined, firstTimes + trend('joined')),
  );
  showFunnel(stats.funnel);
  update(funnelHint, `Counts people currently on the invite list, including ${admins}.`);
  for (const list of ['devices', 'os', 'browsers'] as const)
    showShares(find(`#${list}`, HTMLElement), withRest(stats[list]), 'No visits yet.');
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
    step('Invited', 'status=', invited, gap('pending', invited - loggedIn, 'have not logged in')),
    step(
      'Logged in',
      'status=logged_in,viewed,joined',
      loggedIn,
      gap('logged_in', loggedIn - viewed, 'logged in and did not view'),
    ),
    step(
      'Viewed',
      'status=viewed,joined',
      viewed,
      gap('viewed', viewed - joined, 'viewed and did not join'),
    ),
    step('Joined', 'status=joined', joined),
  );
}

function withRest(shares: readonly DeviceShare[]): readonly DeviceShare[] {
  if (shares.length <= MAX_SHARES) return shares;
  const rest = shares.slice(MAX_SHARES - 1).reduce((sum, { count }) => sum + count, 0);
  return [...shares.slice(0, MAX_SHARES - 1), { name: 'Other', count: rest }];
}
