/** Tables that follow from their columns, and lists that are shown in steps and read again. */
import { MAX_ROWS } from '../../lib/lists.ts';
import { element, find, update } from './elements.ts';
import { report } from './live.ts';
import { type Content, formatCount, shown } from './parts.ts';

/** A heading, the cell of a row below it, their class, and the service's name to sort by. */
export type Column<Row> = readonly [
  heading: string,
  cell: (row: Row) => Content,
  className?: string,
  sort?: string,
];

/**
 * Puts an empty table into an element.
 *
 * @returns its parts, and what makes a row. In narrow windows its cells show their headings.
 */
export function grid<Row>(within: Element, columns: readonly Column<Row>[]) {
  const headings = columns.map(([heading, , className]) => element('th', className, heading));
  for (const each of headings) each.scope = 'col';
  const body = element('tbody');
  const head = element('thead', '', element('tr', '', ...headings));
  within.prepend(element('table', '', head, body));
  const row = (each: Row, key = ''): HTMLElement => {
    const cells = columns.map(([heading, cell, className]) => {
      const td = element('td', className, shown(cell(each)));
      td.dataset.label = heading;
      return td;
    });
    const tr = element('tr', '', ...cells);
    if (key) tr.dataset.key = key;
    return tr;
  };
  return { headings, body, row };
}

/** Rows that are shown at first, and added by each press of "Show more". */
const FEW = 25;

/** Shows rows, at first a few of them, and a button that shows all. */
export function showFew(body: Element, all: HTMLButtonElement, rows: readonly Element[]): void {
  const wanted = all.dataset.pressed ? rows.length : FEW;
  update(body, ...rows.slice(0, wanted));
  all.hidden = rows.length <= wanted;
  all.textContent = `Show all ${rows.length}`;
  all.onclick = () => {
    all.dataset.pressed = 'true';
    showFew(body, all, rows);
  };
}

/** Rows, whether others follow, and the number of all that the filters match, if it is known. */
export type Rows<Row> = {
  readonly rows: readonly Row[];
  readonly next: unknown;
  readonly total?: number;
};

type ListOptions<Row, Reply> = {
  /** Contains the number of rows shown, `.shown`, and the button "Show more", `.more`. */
  readonly within: HTMLElement;
  /** The parent of the rows. What takes the focus around it gets that of elements that go away. */
  readonly body: Element;
  /** Makes the element of a row. Its `data-key` tells it from others. */
  readonly make: (row: Row) => Element;
  /** Reads at most so many rows. */
  readonly read: (limit: string) => Promise<Reply>;
  readonly show: (reply: Reply) => void;
};

/** @returns a function that reads the list, from the first rows again if that is wanted */
export function list<Row, Reply extends Rows<Row>>(options: ListOptions<Row, Reply>) {
  const { within, body, make, read, show } = options;
  const range = find('.shown', HTMLElement, within);
  const more = find('.more', HTMLButtonElement, within);
  let wanted = FEW;
  let lastCall = 0;

  /** Of overlapping calls only the last one has an effect. */
  async function refresh(fromStart = false): Promise<void> {
    if (fromStart) wanted = FEW;
    const call = ++lastCall;
    try {
      const reply = await read(String(wanted));
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
    more.hidden = next === null || wanted === MAX_ROWS;
    update(range, describeRange(rows.length, next === null ? rows.length : total));
    if (inside && (!within.contains(focused) || (focused === more && more.hidden)))
      body.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }

  more.addEventListener('click', () => {
    wanted = Math.min(wanted + FEW, MAX_ROWS);
    refresh().catch(report);
  });
  return refresh;
}

function describeRange(shown: number, total?: number): string {
  const count = formatCount(shown);
  if (total === undefined) return `Showing the first ${count}`;
  if (shown === 0) return '';
  return shown < total ? `Showing ${count} of ${formatCount(total)}` : `Showing all ${count}`;
}
