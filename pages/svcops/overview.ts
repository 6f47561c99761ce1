/** The numbers at a glance: totals, the funnel, and shares of devices, systems and browsers. */
import type { Day, Share, StatsReply } from '../../lib/records.ts';
import { element, find, update } from './elements.ts';
import { formatCount, formatShare, shareRow, showShares } from './parts.ts';

const totals = find('#totals', HTMLElement);
const funnel = find('#funnel', HTMLElement);
const devices = find('#devices', HTMLElement);
const systems = find('#os', HTMLElement);
const browsers = find('#browsers', HTMLElement);

/** Rows of a list of shares; smaller shares are added up in the last row. */
const MAX_SHARES = 6;

export function showOverview(stats: StatsReply): void {
  const { invites, admins, logins, timelineViews, joinClicks } = stats.totals;
  const administrators = admins === 1 ? 'administrator' : 'administrators';
  update(
    totals,
    tile('Invited', invites, `${formatCount(admins)} ${administrators}`),
    tile('Logins', logins, trend(stats.daily, 'logins')),
    tile('Timeline views', timelineViews, trend(stats.daily, 'timelineViews')),
    tile('Join clicks', joinClicks, trend(stats.daily, 'joinClicks')),
  );
  showFunnel(stats.funnel);
  for (const [target, shares] of [
    [devices, stats.devices],
    [systems, stats.os],
    [browsers, stats.browsers],
  ] as const)
    showShares(target, withRest(shares), 'Nobody has come yet.');
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

/** The last seven days and the seven days before them. */
function trend(daily: readonly Day[], name: 'logins' | 'timelineViews' | 'joinClicks'): string {
  const sum = (days: readonly Day[]) => days.reduce((total, day) => total + day[name], 0);
  const [now, before] = [sum(daily.slice(-7)), sum(daily.slice(-14, -7))];
  return `${formatCount(now)} in 7 days, ${formatCount(before)} in the 7 before`;
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
