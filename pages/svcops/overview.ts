/** The numbers at a glance: totals, the funnel, and what people come with. */
import type { Day, Share, Stats } from './api.ts';
import { element, find, formatCount, formatShare, update } from './elements.ts';

const totals = find('#totals', HTMLElement);
const funnel = find('#funnel', HTMLElement);
const SHARES = {
  devices: find('#devices', HTMLElement),
  os: find('#os', HTMLElement),
  browsers: find('#browsers', HTMLElement),
};

/** Rows of a list of shares; the rest is one row. */
const MOST_SHARES = 6;

export function showOverview(stats: Stats): void {
  const { invites, admins, logins, timelineViews, joinClicks } = stats.totals;
  update(
    totals,
    tile(
      'Invited',
      invites,
      `${formatCount(admins)} ${admins === 1 ? 'administrator' : 'administrators'}`,
    ),
    tile('Logins', logins, trend(stats.daily, 'logins')),
    tile('Timeline views', timelineViews, trend(stats.daily, 'timelineViews')),
    tile('Join clicks', joinClicks, trend(stats.daily, 'joinClicks')),
  );
  showFunnel(stats.funnel);
  for (const [name, target] of Object.entries(SHARES)) {
    const shares = name === 'devices' ? stats.devices : name === 'os' ? stats.os : stats.browsers;
    showShares(target, withRest(shares));
  }
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

/** The last seven days against the seven before: whether interest is rising. */
function trend(daily: readonly Day[], name: 'logins' | 'timelineViews' | 'joinClicks'): string {
  const sum = (days: readonly Day[]) => days.reduce((total, day) => total + day[name], 0);
  const [now, before] = [sum(daily.slice(-7)), sum(daily.slice(-14, -7))];
  return `${formatCount(now)} in 7 days, ${formatCount(before)} in the 7 before`;
}

function showFunnel({ invited, loggedIn, viewed, joined }: Stats['funnel']): void {
  update(
    funnel,
    shareRow('Invited', invited, invited),
    funnelRow('Logged in', loggedIn, invited, invited, 'of the invited'),
    funnelRow('Viewed', viewed, invited, loggedIn, 'of those who logged in'),
    funnelRow('Joined', joined, invited, viewed, 'of those who viewed'),
  );
}

/** A step of the funnel: its part of all, and in words its part of the step before. */
function funnelRow(name: string, count: number, all: number, before: number, of: string) {
  const row = shareRow(name, count, all);
  // Somebody may have joined whose views have been deleted; such a part of a part would say nothing.
  if (count <= before) row.append(element('span', 'step', `${formatShare(count, before)} ${of}`));
  return row;
}

/** Labelled bars, each a part of all. */
export function showShares(target: HTMLElement, shares: readonly Share[]): void {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  const rows = shares.map(({ name, count }) => shareRow(name, count, all));
  update(target, ...(rows.length > 0 ? rows : [element('li', 'none', 'Nobody has come yet.')]));
}

function withRest(shares: readonly Share[]): readonly Share[] {
  if (shares.length <= MOST_SHARES) return shares;
  const rest = shares.slice(MOST_SHARES - 1).reduce((sum, { count }) => sum + count, 0);
  return [...shares.slice(0, MOST_SHARES - 1), { name: 'all others', count: rest }];
}

function shareRow(name: string, count: number, all: number): HTMLElement {
  const bar = element('span', 'share');
  // A property, not an attribute: the page's policy allows no inline style.
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
