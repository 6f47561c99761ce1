/** Tables that are made from their columns. Lists that are shown in steps and read again. */
import { MAX_ROWS } from '../../lib/lists.ts';
import { element, find, update } from './elements.ts';
import { report } from './live.ts';
import { type Content, formatCount, shown } from './parts.ts';

/** A heading, how to make its cells, their class, and the service's name for the sorting. */
export type Column<Row> = readonly [
  heading: string,
  cell: (row: Row) => Content,
  className?: string,
  sort?: string,
];

/**
 * Puts an empty table into an element.
 *
 * @returns its parts, and a function that makes a row. In narrow windows its cells show headings.
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

/** How many rows are shown at first, and how many each press of "Show more" adds. */
const STEPS = [25, 100, MAX_ROWS] as const;
const [FEW] = STEPS;

/** @returns the next step, or the last one */
const stepAfter = (count: number): number => STEPS.find((step) => step > count) ?? MAX_ROWS;

/**
 * Shows rows, at first a few of them, and a button that shows the others.
 *
 * @param make makes the element of a row
 * @param noun the word for one of the rows
 * @param range says how many rows are shown: then those of a long list are not shown to its end,
 *   because thousands of rows take a browser seconds
 */
export function showFew<Row>(
  body: Element,
  all: HTMLButtonElement,
  rows: readonly Row[],
  make: (row: Row) => Element,
  noun: string,
  range?: HTMLElement,
): void {
  const most = range ? Math.min(rows.length, MAX_ROWS) : rows.length;
  const wanted = all.dataset.pressed ? most : Math.min(FEW, most);
  update(body, ...rows.slice(0, wanted).map(make));
  if (range) sayRange(range, most > FEW ? describeRange(wanted, rows.length, 'first', '') : '');
  all.hidden = wanted === most;
  all.textContent = most < rows.length ? 'Show more' : `Show all ${formatCount(most, noun)}`;
  all.onclick = () => {
    all.dataset.pressed = 'true';
    showFew(body, all, rows, make, noun, range);
    focusRow(body, FEW);
  };
}

/**
 * Says which rows are shown. The line of a range without words is hidden (tables.css), which asks
 * for `hidden`: WebKit does not notice that an element is no longer `:empty`.
 */
function sayRange(range: HTMLElement, ...words: readonly (Node | string)[]): void {
  update(range, ...words);
  range.hidden = range.textContent === '';
}

/** Moves the focus to the first link of a row, or to the row, so that screen readers read it. */
function focusRow(body: Element, index: number): boolean {
  const row = body.children[index];
  if (!(row instanceof HTMLElement)) return false;
  const target = row.querySelector<HTMLElement>('a, button') ?? row;
  if (target === row) row.tabIndex = -1;
  target.focus({ preventScroll: true });
  return true;
}

/** Rows, whether more follow, and how many match the filters, if that is known. */
export type Rows<Row> = {
  readonly rows: readonly Row[];
  readonly next: unknown;
  readonly total?: number | undefined;
};

type ListOptions<Row, Reply> = {
  /** Contains `.shown`, the number of rows shown, and `.more`, the button "Show more". */
  readonly within: HTMLElement;
  /**
   * The parent of the rows. If a row with the focus is removed, an element around it gets the
   * focus.
   */
  readonly body: Element;
  /** The word for the first rows. A log begins with its newest rows. */
  readonly end: 'first' | 'newest';
  /** The word for what is counted, if it is not the rows of the page. */
  readonly noun?: string;
  /** Makes the elements of rows. Their `data-key` tells them from others. */
  readonly make: (rows: readonly Row[], isWhole: boolean) => readonly Element[];
  /** Reads rows, up to a number. */
  readonly read: (limit: string) => Promise<Reply>;
  readonly show: (reply: Reply) => void;
  /** A link to all rows, for a list that is too long for the page. */
  readonly whereAll?: () => readonly (Node | string)[];
};

/** @returns a function that reads the list. With its argument, it begins with the first rows. */
export function list<Row, Reply extends Rows<Row>>(options: ListOptions<Row, Reply>) {
  const { within, body, end, noun = '', make, read, show, whereAll } = options;
  const range = find('.shown', HTMLElement, within);
  const more = find('.more', HTMLButtonElement, within);
  let wanted: number = FEW;
  let lastCall = 0;

  /** If calls overlap, only the last one has an effect. */
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
    const wasInside = within.contains(focused);
    const before = body.childElementCount;
    const isWhole = next === null;
    const isLastStep = wanted === MAX_ROWS;
    show(reply);
    update(body, ...make(rows, isWhole));
    more.hidden = isWhole || isLastStep;
    const words = describeRange(rows.length, isWhole ? rows.length : total, end, noun);
    if (!isWhole && isLastStep && whereAll) sayRange(range, words, '. ', ...whereAll());
    else sayRange(range, words);
    // The button disappears with the last rows. The focus moves to the first row that it added.
    const lostButton = focused === more && more.hidden;
    if (lostButton && focusRow(body, before)) return;
    const lostRow = wasInside && !within.contains(focused);
    if (lostButton || lostRow)
      body.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }

  more.addEventListener('click', () => {
    wanted = stepAfter(wanted);
    refresh().catch(report);
  });
  return refresh;
}

/**
 * `Showing 25 of 2,140`, and of a list that is too long, `Showing the first 500 of 2,140`.
 *
 * @param total `undefined` if it is not known
 */
function describeRange(
  shown: number,
  total: number | undefined,
  end: 'first' | 'newest',
  noun: string,
): string {
  const count = formatCount(shown);
  if (shown === total) return shown === 0 ? '' : `Showing all ${count}`;
  const which = shown >= MAX_ROWS || total === undefined ? `the ${end} ` : '';
  const of = total === undefined ? '' : ` of ${formatCount(total)}`;
  return `Showing ${which}${count}${of} ${noun}`.trim();
}
