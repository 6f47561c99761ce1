/** What one person did, day by day: `26 Nov: 5 views, Chrome on Linux`. */
import type { Event, JoinClick } from '../../lib/records.ts';
import { element } from './elements.ts';
import {
  capitalize,
  describeDevice,
  formatCount,
  formatDay,
  formatTimes,
  nameLayout,
} from './parts.ts';

/** A login, a view or a join. */
export type Act = Event | JoinClick;

export const timeOf = (act: Act): number => ('clickedAt' in act ? act.clickedAt : act.occurredAt);

/** How acts of a kind are named. */
type Words = {
  /** A class: `login`, `timeline_view` or `join`. */
  readonly kind: string;
  /** The words for one act, and for several. */
  readonly one: string;
  readonly several: (count: string) => string;
};

/** Equal acts of one day. */
type Group = {
  readonly words: Words;
  count: number;
};

/** What a person did on a day in one browser. Joins have no browser. Times are in epoch ms. */
type Line = {
  readonly device: string;
  /** Acts by their words for one act. */
  readonly groups: Map<string, Group>;
  first: number;
  readonly last: number;
};

/**
 * The days of acts, newest first, as items of a list.
 *
 * @param acts newest first
 * @param isWhole whether these are all acts of the person; otherwise the last day may have more
 */
export function showDays(acts: readonly Act[], isWhole: boolean): readonly HTMLElement[] {
  const days = new Map<string, Map<string, Line>>();
  for (const act of acts) {
    const day = formatDay(timeOf(act));
    const lines = days.get(day) ?? new Map<string, Line>();
    days.set(day, lines);
    addAct(lines, act);
  }
  const lastDay = [...days.keys()].at(-1);
  return [...days].map(([day, lines]) => {
    const atLeast = isWhole || day !== lastDay ? '' : 'at least ';
    const items = [...lines.values()].map((line) => lineItem(line, atLeast));
    const item = element('li', '', element('span', 'date', day), element('ul', '', ...items));
    item.dataset.key = day;
    return item;
  });
}

/** Adds an act that is earlier than the acts before it. */
function addAct(lines: Map<string, Line>, act: Act): void {
  const time = timeOf(act);
  const device = 'clickedAt' in act ? '' : describeDevice(act);
  const line = lines.get(device) ?? { device, groups: new Map(), first: time, last: time };
  lines.set(device, line);
  line.first = time;
  const words = wordsOf(act);
  const group = line.groups.get(words.one) ?? { words, count: 0 };
  line.groups.set(words.one, group);
  group.count += 1;
}

function wordsOf(act: Act): Words {
  if ('clickedAt' in act)
    return { kind: 'join', one: 'joined', several: (count) => `joined ${count} times` };
  const { type: kind, meta } = act;
  if (meta === null) return { kind, one: 'logged in', several: (count) => `${count} logins` };
  // A layout that no link named is the usual one of the device, so it is not mentioned.
  const layout = meta.forced ? ` in the ${nameLayout(meta)}` : '';
  return { kind, one: `viewed${layout}`, several: (count) => `${count} views${layout}` };
}

function lineItem({ device, groups, first, last }: Line, atLeast: string): HTMLElement {
  const item = element('li');
  item.dataset.key = device;
  for (const { words, count } of groups.values()) {
    const text = count === 1 ? words.one : words.several(`${atLeast}${formatCount(count)}`);
    const isFirst = item.childElementCount === 0;
    if (!isFirst) item.append(', ');
    item.append(element('span', words.kind, isFirst ? capitalize(text) : text));
  }
  if (device !== '') item.append(`, ${device}`);
  item.append(' ', element('span', 'when', formatTimes(first, last)));
  return item;
}
