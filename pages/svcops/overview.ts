/** The numbers at a glance: totals, the funnel, and shares of devices, systems and browsers. */
import type { Activity, DeviceShare, StatsReply } from '../../lib/records.ts';
import { dayOf } from './days.ts';
import { element, find, update } from './elements.ts';
import { formatChange, formatCount, formatShare, shareRow, showShares } from './parts.ts';

const totals = find('#totals', HTMLElement);
const periodHint = find('#period-hint', HTMLElement);
const funnel = find('#funnel', HTMLElement);
const funnelHint = find('#funnel-hint', HTMLElement);

/** Rows of a list of shares; smaller shares are added up in the last row. */
const MAX_SHARES = 6;

export function showOverview(stats: StatsReply): void {
  const { people, daily, first } = stats;
  const { invites, admins } = stats.totals;
  const isFirst = (daily[0]?.day ?? '') <= (first ?? '');
  const before = isFirst ? null : stats.before;
  const rows = (name: keyof Activity, word: string) => {
    const count = stats.totals[name];
    const change = before ? formatChange(before[name], count) : '';
    return element('span', '', formatCount(count, word), ' ', element('b', '', change));
  };
  update(
    totals,
    tile('Invited', invites, formatCount(admins, 'administrator')),
    tile('Logged in', people.loggedIn, rows('logins', 'login')),
    tile('Viewed', people.viewed, rows('timelineViews', 'view')),
    tile('Joined', people.joined, rows('joinClicks', 'join click')),
  );
  const hasToday = daily.at(-1)?.day === dayOf(Date.now());
  const days = daily.length === 1 ? 'day' : `${formatCount(daily.length)} days`;
  update(
    periodHint,
    `Days are in UTC${hasToday ? ', including today so far' : ''}.`,
    before ? ` Compared with the previous ${days}.` : '',
  );
  showFunnel(stats.funnel);
  const among = formatCount(admins, 'administrator');
  update(funnelHint, `Counts people currently on the invite list, including ${among}.`);
  for (const name of ['devices', 'os', 'browsers'] as const)
    showShares(find(`#${name}`, HTMLElement), withRest(stats[name]), 'No visits yet.');
}

function tile(name: string, count: number, more: string | Element): HTMLElement {
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
    step('Logged in', loggedIn, invited, 'of invited'),
    step('Viewed', viewed, loggedIn, 'of logged in'),
    step('Joined', joined, viewed, 'of viewed'),
  );
}

function withRest(shares: readonly DeviceShare[]): readonly DeviceShare[] {
  if (shares.length <= MAX_SHARES) return shares;
  const rest = shares.slice(MAX_SHARES - 1).reduce((sum, { count }) => sum + count, 0);
  return [...shares.slice(0, MAX_SHARES - 1), { name: 'Other', count: rest }];
}
