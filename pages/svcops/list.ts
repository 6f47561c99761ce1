/** A table that shows some rows at a time, and can be sorted by its headings. */
import { find } from '../everyone/shared.ts';
import { button, element, formatCount, LOCALE, timeElement } from './elements.ts';

/** The first rows are few, so that what is below stays in reach. */
const FIRST_ROWS = matchMedia('(max-width: 45rem)').matches ? 10 : 20;
const MORE_ROWS = 100;

/** Compares numbers too. */
const COLLATOR = new Intl.Collator(LOCALE, { numeric: true });

export type Column<Row> = {
  readonly heading: string;
  /** `null` is shown as a dash, and not at all on phones. */
  readonly cell: (row: Row) => Node | string | null;
  /** On phones, `count` and `time` show their heading, and `bare` has none; `wide` needs more. */
  readonly kind?: 'count' | 'time' | 'bare' | 'wide';
  /** What a list is sorted by. */
  readonly value?: (row: Row) => string | number | null;
};

/** A column of numbers. Nothing is a dash. */
export function countColumn<Row>(heading: string, value: (row: Row) => number): Column<Row> {
  const cell = (row: Row) => (value(row) === 0 ? null : formatCount(value(row)));
  return { heading, cell, value, kind: 'count' };
}

/** A column of times. @param value in epoch milliseconds */
export function timeColumn<Row>(
  heading: string,
  value: (row: Row) => number | null,
  format = timeElement,
): Column<Row> {
  const cell = (row: Row) => {
    const ms = value(row);
    return ms === null ? null : format(ms);
  };
  return { heading, cell, value, kind: 'time' };
}

type Options<Row> = {
  /** A selector of the section that gets the table, and has an element `.shown`. */
  readonly section: string;
  readonly columns: readonly Column<Row>[];
  /** The heading of the order at the beginning, downwards. Without one nothing can be sorted. */
  readonly sortedBy?: string;
  /** What `.shown` says without rows. */
  readonly none: string;
  /** Reads the rows that follow the last one, and shows all again. */
  readonly loadOlder?: () => void;
};

/**
 * @returns a function that shows other rows, in the order that was chosen, and as many as before;
 *   `hasOlder` is whether the service has more of them
 */
export function createList<Row>({ section, columns, sortedBy, none, loadOlder }: Options<Row>) {
  const headings = columns.map(headingElement);
  const body = element('tbody');
  const table = element('table', '', element('thead', '', element('tr', '', ...headings)), body);
  const more = button('Show more', showMore);
  const told = find(`${section} .shown`, HTMLElement);
  let rows: readonly Row[] = [];
  let hasOlder = false;
  let limit = FIRST_ROWS;
  let orderedBy = columns.findIndex(({ heading }) => heading === sortedBy);
  let isDown = true;

  find(section, HTMLElement).append(table, more);
  // Paper has no button for more.
  addEventListener('beforeprint', () => draw(rows.length));
  for (const [index, heading] of headings.entries())
    if (sortedBy && columns[index]?.value)
      heading.replaceChildren(button(heading.textContent, () => sortBy(index)));

  function show(other: readonly Row[], older = false): void {
    rows = other;
    hasOlder = older;
    draw(limit);
  }

  function showMore(): void {
    limit += MORE_ROWS;
    if (hasOlder && rows.length < limit) loadOlder?.();
    else draw(limit);
  }

  function sortBy(index: number): void {
    // Names begin with A, numbers and times with the largest.
    const isText = rows.some((row) => typeof columns[index]?.value?.(row) === 'string');
    isDown = index === orderedBy ? !isDown : !isText;
    orderedBy = index;
    draw(limit);
  }

  function draw(most: number): void {
    const before = body.rows.length;
    const shown = sorted().slice(0, most);
    body.replaceChildren(...shown.map((row) => rowElement(row, columns)));
    // The button may go.
    if (document.activeElement === more) focusRow(body.rows[before]);
    const all = `${hasOlder ? 'the latest ' : ''}${formatCount(rows.length)}`;
    told.textContent = shown.length > 0 ? `Showing ${formatCount(shown.length)} of ${all}` : none;
    table.hidden = shown.length === 0;
    more.hidden = shown.length === rows.length && !hasOlder;
  }

  function sorted(): readonly Row[] {
    const value = columns[orderedBy]?.value;
    if (!value) return rows;
    const order = isDown ? 'descending' : 'ascending';
    for (const [index, heading] of headings.entries())
      heading.ariaSort = index === orderedBy ? order : null;
    return [...rows].sort((a, b) => compare(value(a), value(b), isDown));
  }

  return show;
}

function headingElement<Row>({ heading, kind }: Column<Row>): HTMLElement {
  const made = element('th', kind, heading);
  made.scope = 'col';
  return made;
}

function rowElement<Row>(row: Row, columns: readonly Column<Row>[]): HTMLElement {
  const cells = columns.map(({ heading, kind, cell }) => {
    const content = cell(row);
    const made = element('td', kind, content ?? element('span', 'quiet', '–'));
    if (content === null) made.classList.add('none');
    made.dataset.heading = heading;
    return made;
  });
  return element('tr', '', ...cells);
}

type Value = string | number | null;

/** What is not there comes last, whatever the direction. */
function compare(a: Value, b: Value, isDown: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = COLLATOR.compare(String(a), String(b));
  return isDown ? -order : order;
}

function focusRow(row: HTMLElement | undefined): void {
  if (!row) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
