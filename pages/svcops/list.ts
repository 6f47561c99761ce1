/** A list that is shown in steps, and read again without losing place, focus or selection. */
import type { ListPage } from '../../lib/records.ts';
import { find, update } from './elements.ts';
import { formatCount } from './parts.ts';

/** Rows, and the number of all that the filters match, if it is known. */
export type Rows<Row, Next = string> = ListPage<Row, Next> & { readonly total?: number };

type ListOptions<Row, Reply> = {
  /** Contains the number of rows shown, `.shown`, and the button "Show more", `.more`. */
  readonly within: HTMLElement;
  /** The parent of the rows. It, or what scrolls it, takes the focus of elements that go away. */
  readonly body: Element;
  /** Rows read at first, and added by each press of the button. */
  readonly step: number;
  /** Makes the element of a row. Its `data-key` tells it from others. */
  readonly make: (row: Row) => Element;
  /** Number of entries in a row, if it has several. */
  readonly size?: (row: Row) => number;
  readonly read: (count: number) => Promise<Reply>;
  readonly show: (reply: Reply) => void;
  readonly report: (error: unknown) => void;
};

/** @returns a function that reads the list, from the first step again if that is wanted */
export function list<Row, Reply extends Rows<Row, unknown>>(options: ListOptions<Row, Reply>) {
  const { within, body, step, make, size = () => 1, read, show, report } = options;
  const shown = find('.shown', HTMLElement, within);
  const more = find('.more', HTMLButtonElement, within);

  let wanted = step;
  let lastCall = 0;

  /** Of overlapping calls only the last one has an effect. */
  async function refresh(fromStart = false): Promise<void> {
    if (fromStart) wanted = step;
    const call = ++lastCall;
    try {
      const reply = await read(wanted);
      if (call === lastCall) showReply(reply);
    } catch (error) {
      if (call === lastCall) throw error;
    }
  }

  function showReply(reply: Reply): void {
    const { rows, next, total } = reply;
    const { activeElement: focused } = document;
    const inside = within.contains(focused);
    show(reply);
    update(body, ...rows.map(make));
    more.hidden = next === null;
    const entries = rows.reduce((sum, row) => sum + size(row), 0);
    update(shown, entries > 0 ? describeRange(entries, next === null ? entries : total) : '');
    if (inside && (!within.contains(focused) || (focused === more && more.hidden)))
      body.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }

  more.addEventListener('click', () => {
    wanted += step;
    refresh().catch(report);
  });

  return refresh;
}

function describeRange(shown: number, total?: number): string {
  const count = formatCount(shown);
  if (total === undefined) return `Showing the first ${count}`;
  return shown < total ? `Showing ${count} of ${formatCount(total)}` : `Showing all ${count}`;
}
