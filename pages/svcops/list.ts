/** A list that is shown in steps, and read again without losing place, focus or selection. */
import type { Page } from '../../lib/records.ts';
import { find, sequence, update } from './elements.ts';
import { formatCount } from './parts.ts';

export type ListOptions<Row, Reply> = {
  /** Holds the number of rows shown, `.shown`, and the button that shows more, `.more`. */
  readonly within: HTMLElement;
  readonly body: Element;
  /** Gets the focus when the element that had it is removed or hidden. */
  readonly fallback: HTMLElement;
  /** Rows read at first, and added by each press of the button. */
  readonly step: number;
  readonly key: (row: Row) => string | number;
  readonly make: (row: Row) => Element;
  /** Reads from the top until there are `count` rows or no more. */
  readonly read: (count: number) => Promise<Reply>;
  /** Shows the rest of the reply. */
  readonly show: (reply: Reply) => void;
  /** Does `refresh` after a press of the button, and handles its errors. */
  readonly attempt: (refresh: () => Promise<void>) => unknown;
};

export type List = {
  /** Reads as many rows as are shown. Of overlapping calls only the last one has an effect. */
  refresh(): Promise<void>;
  /** Goes back to the first step; to be followed by `refresh`. */
  reset(): void;
};

export function list<Row, Reply extends Page<Row, unknown>>(
  options: ListOptions<Row, Reply>,
): List {
  const { within, body, fallback, step, key, make, read, show, attempt } = options;
  const shown = find('.shown', HTMLElement, within);
  const more = find('.more', HTMLButtonElement, within);
  const showRows = sequence(body, key, make);

  let wanted = step;
  let lastCall = 0;

  async function refresh(): Promise<void> {
    const call = ++lastCall;
    try {
      const reply = await read(wanted);
      if (call === lastCall) showReply(reply);
    } catch (error) {
      if (call === lastCall) throw error;
    }
  }

  function showReply(reply: Reply): void {
    const { rows, next } = reply;
    const { activeElement: focused } = document;
    const inside = within.contains(focused);
    show(reply);
    showRows(rows);
    more.hidden = next === null;
    const count = rows.length === 0 ? 'None' : `${formatCount(rows.length)} shown`;
    update(shown, rows.length > 0 && next === null ? `${count}, that is all` : count);
    if (inside && (!within.contains(focused) || (focused === more && more.hidden)))
      fallback.focus({ preventScroll: true });
  }

  more.addEventListener('click', () => {
    wanted += step;
    attempt(refresh);
  });

  return {
    refresh,
    reset() {
      wanted = step;
    },
  };
}
