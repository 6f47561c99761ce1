/** A list that the page has as a whole: sorted by its headings, shown 100 rows at a time. */
import { button, element, find, formatCount, LOCALE } from './elements.ts';
import { type Column, createTable, focusRow, rowElement } from './table.ts';

const STEP = 100;

const COLLATOR = new Intl.Collator(LOCALE, { numeric: true });

type Options<Row> = {
  /** A selector of the section that gets the table. */
  readonly section: string;
  readonly columns: readonly Column<Row>[];
  /** What the section says without a row. */
  readonly empty: string;
  /** The heading of the order at the beginning, downwards. */
  readonly sortedBy: string;
};

export type List<Row> = {
  /** Shows other rows, in the order that was chosen, from the first one. */
  readonly show: (rows: readonly Row[]) => void;
};

export function createList<Row>({ section, columns, empty, sortedBy }: Options<Row>): List<Row> {
  const { element: table, headings, body } = createTable(columns);
  const count = element('span', 'quiet');
  count.role = 'status';
  const more = button('Show more', showMore);
  const foot = element('p', 'foot', count, more);
  const box = element('div', 'table', table);
  find(section, HTMLElement).append(box, foot);

  let rows: readonly Row[] = [];
  let sorted: readonly Row[] = [];
  let orderedBy = columns.findIndex(({ heading }) => heading === sortedBy);
  let isDown = true;

  for (const [index, heading] of headings.entries()) {
    if (!columns[index]?.value) continue;
    heading.replaceChildren(button(heading.textContent, () => sortBy(index)));
  }

  function sortBy(index: number): void {
    // Names begin with A, numbers and times with the largest.
    const isText = rows.some((row) => typeof columns[index]?.value?.(row) === 'string');
    isDown = index === orderedBy ? !isDown : !isText;
    orderedBy = index;
    draw();
  }

  function draw(): void {
    for (const [index, heading] of headings.entries()) {
      const order = isDown ? 'descending' : 'ascending';
      heading.ariaSort = index === orderedBy ? order : null;
    }
    const value = columns[orderedBy]?.value;
    sorted = value ? rows.toSorted((a, b) => compare(value(a), value(b), isDown)) : rows;
    body.replaceChildren();
    addRows();
  }

  function addRows(): void {
    const start = body.childElementCount;
    const added = sorted.slice(start, start + STEP);
    body.append(...added.map((row) => rowElement(row, columns)));
    const shown = start + added.length;
    box.hidden = shown === 0;
    more.hidden = shown === sorted.length;
    count.textContent = describe(shown, sorted.length);
  }

  function describe(shown: number, all: number): string {
    if (all === 0) return empty;
    return `Showing ${formatCount(shown)} of ${formatCount(all)}`;
  }

  function showMore(): void {
    const start = body.childElementCount;
    addRows();
    focusRow(body, start);
  }

  function show(other: readonly Row[]): void {
    rows = other;
    draw();
  }

  return { show };
}

type Value = string | number | null;

/** What is not there comes last, whatever the direction. */
function compare(a: Value, b: Value, isDown: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const isNumber = typeof a === 'number' && typeof b === 'number';
  const order = isNumber ? a - b : COLLATOR.compare(String(a), String(b));
  return isDown ? -order : order;
}
