/** The numbers at the top. Each number of people is a link to the list of these people. */

import type { PeopleCounts } from '../../lib/records.ts';
import type { StatsReply } from '../../lib/routes/replies.ts';
import { element, find, update } from './elements.ts';
import { formatCount, formatPercent, nameDevice, shareRow, showShares } from './parts.ts';
import { periodName } from './period.ts';

const main = find('main', HTMLElement);
const invite = find('#invite', HTMLElement);
const inviteTitle = find('#invite-title', HTMLElement);

export function showOverview(stats: StatsReply): void {
  keepInView(invite, () => {
    showFirstSteps(stats.totals.invites === stats.totals.admins);
    showTotals(stats);
  });
  showFunnel(stats.funnel);
  for (const list of ['devices', 'os', 'browsers'] as const) {
    const shares = stats[list].map(({ name, count }) => ({ name: nameDevice(name), count }));
    showShares(find(`#${list}`, HTMLElement), shares, 'No visits yet.');
  }
}

/**
 * If no guest is invited, the page begins with the form for the first invite, and shows no numbers.
 */
function showFirstSteps(hasNoGuests: boolean): void {
  main.classList.remove('loading');
  document.body.classList.toggle('new', hasNoGuests);
  inviteTitle.textContent = hasNoGuests ? 'Invite your first guest' : 'Invite a guest';
}

/**
 * Makes a change above an element. If the element has the focus, it stays where it is in the
 * window.
 */
function keepInView(within: HTMLElement, change: () => void): void {
  const before = within.getBoundingClientRect().top;
  change();
  const moved = within.getBoundingClientRect().top - before;
  if (moved !== 0 && within.contains(document.activeElement))
    scrollBy({ top: moved, behavior: 'instant' });
}

/** Below this number of people, a change in percent means nothing, so it is not shown. */
const FEWEST_COMPARED = 20;

function showTotals({ people, daily, first, before }: StatsReply): void {
  const hasBefore = first !== null && (daily[0]?.day ?? '') > first;
  const earlier =
    daily.length === 1 ? 'on the day before' : `in the ${formatCount(daily.length, 'day')} before`;
  const trend = (act: keyof PeopleCounts) =>
    before && hasBefore ? `${compare(people[act], before.people[act])} ${earlier}` : '';
  update(
    find('#totals', HTMLElement),
    tile('Logged in', 'did=login', people.loggedIn, trend('loggedIn')),
    tile('Viewed', 'did=view', people.viewed, trend('viewed')),
    tile('Joined', 'did=join', people.joined, trend('joined')),
  );
}

/** `Up 46% from 81`; only `3` for few people. */
function compare(now: number, before: number): string {
  const count = before === 0 ? 'None' : formatCount(before);
  if (before < FEWEST_COMPARED || now < FEWEST_COMPARED) return count;
  if (now === before) return `No change from ${count}`;
  const change = formatPercent(Math.abs(now - before) / before);
  return `${now > before ? 'Up' : 'Down'} ${change} from ${count}`;
}

/** A link to the invite list. @param filter a value of its filter, which the address then has */
function listLink(filter: string, text: string, label = text): HTMLElement {
  const link = element('a', '', text);
  link.href = `#${filter}`;
  link.ariaLabel = label;
  return link;
}

/** A number with a link to its people. 0 has no link. */
function countLink(name: string, span: string, filter: string, count: number): HTMLElement {
  const text = formatCount(count);
  if (count === 0) return element('span', '', text);
  return listLink(filter, text, `${text} ${name.toLowerCase()}, ${span}`);
}

function tile(name: string, filter: string, count: number, more: string): HTMLElement {
  return element(
    'div',
    '',
    element('dt', '', name),
    element('dd', 'count', countLink(name, periodName(), filter, count)),
    element('dd', 'trend', more),
  );
}

/** A step of the conversion. */
type Step = {
  readonly name: string;
  /** The people who came so far, and their statuses in the invite list. */
  readonly count: number;
  readonly statuses: string;
  /** The people among them who came no further. */
  readonly gap: number;
  readonly gapStatus: string;
  readonly gapWords: string;
};

/** The steps, and how many people came no further. */
function showFunnel({ invited, loggedIn, viewed, joined }: StatsReply['funnel']): void {
  const steps: readonly Step[] = [
    {
      name: 'Invited',
      count: invited,
      statuses: '',
      gap: invited - loggedIn,
      gapStatus: 'pending',
      gapWords: 'haven’t logged in',
    },
    {
      name: 'Logged in',
      count: loggedIn,
      statuses: 'logged_in,viewed,joined',
      gap: loggedIn - viewed,
      gapStatus: 'logged_in',
      gapWords: 'logged in but never opened the preview',
    },
    {
      name: 'Viewed',
      count: viewed,
      statuses: 'viewed,joined',
      gap: viewed - joined,
      gapStatus: 'viewed',
      gapWords: 'viewed, not joined yet',
    },
    {
      name: 'Joined',
      count: joined,
      statuses: 'joined',
      gap: 0,
      gapStatus: '',
      gapWords: '',
    },
  ];
  const rows = steps.map(({ name, count, statuses, gap, gapStatus, gapWords }) => {
    const link = countLink(name, 'today', `status=${statuses}`, count);
    const row = shareRow(name, count, invited, link);
    if (gap > 0) {
      const text = `${formatCount(gap)} ${gapWords}`;
      row.append(element('span', 'gap', listLink(`status=${gapStatus}`, text)));
    }
    return row;
  });
  update(find('#funnel', HTMLElement), ...rows);
}
