/** The numbers at a glance: totals, the funnel, and shares of devices, systems and browsers. */
import type { Activity, Share, StatsReply } from '../../lib/records.ts';
import { element, find, update } from './elements.ts';
import { formatCount, formatShare, shareRow, showShares } from './parts.ts';

const totals = find('#totals', HTMLElement);
const funnel = find('#funnel', HTMLElement);
const funnelHint = find('#funnel-hint', HTMLElement);

/** Rows of a list of shares; smaller shares are added up in the last row. */
const MAX_SHARES = 6;

export function showOverview(stats: StatsReply): void {
  const { invites, admins, logins, timelineViews, joinClicks } = stats.totals;
  const days = stats.daily.length;
  const before = days === 1 ? 'the day before' : `the ${formatCount(days)} days before`;
  const isFirst = (stats.daily[0]?.day ?? '') <= (stats.first ?? '');
  const trend = (name: keyof Activity) =>
    stats.before && !isFirst ? `${formatCount(stats.before[name])} in ${before}` : 'nothing before';
  update(
    totals,
    tile('Invited', invites, formatCount(admins, 'administrator')),
    tile('Logins', logins, trend('logins')),
    tile('Timeline views', timelineViews, trend('timelineViews')),
    tile('Join clicks', joinClicks, trend('joinClicks')),
  );
  showFunnel(stats.funnel);
  const counted = admins === 1 ? 'is an administrator' : 'are administrators';
  const among = `${formatCount(admins)} of them ${counted}`;
  update(funnelHint, `Of all time. Counts people who are on the invite list now; ${among}.`);
  for (const name of ['devices', 'os', 'browsers'] as const)
    showShares(find(`#${name}`, HTMLElement), withRest(stats[name]), 'Nobody has come yet.');
}

function tile(name: string, count: number, more: string): HTMLElement {
  return element(
    'div',
    '',
    element('dt', '', name),
    element('dd', 'count', formatCount(count)),
    element('dd', 'trend', more),
  );
}

function showFunnel({ invited, loggedIn, viewed, joined }: StatsReply['funnel']): void {
  /** A step as a part of all, and in words as a part of the step before. */
  const step = (name: string, count: number, before: number, of: string) => {
    const row = shareRow(name, count, invited);
    // Deleted views can leave more people who joined than people who viewed.
    if (count <= before) row.append(element('span', 'step', `${formatShare(count, before)} ${of}`));
    return row;
  };
  update(
    funnel,
    shareRow('Invited', invited, invited),
    step('Logged in', loggedIn, invited, 'of the invited'),
    step('Viewed', viewed, loggedIn, 'of those who logged in'),
    step('Joined', joined, viewed, 'of those who viewed'),
  );
}

function withRest(shares: readonly Share[]): readonly Share[] {
  if (shares.length <= MAX_SHARES) return shares;
  const rest = shares.slice(MAX_SHARES - 1).reduce((sum, { count }) => sum + count, 0);
  return [...shares.slice(0, MAX_SHARES - 1), { name: 'all others', count: rest }];
}
