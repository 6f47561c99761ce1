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

/** @returns a function that shows other rows, in the order that was chosen, from the first one */
export function createList<Row>({ section, columns, empty, sortedBy }: Options<Row>) {
  const { box, headings, body } = createTable(columns);
  const count = element('span', 'quiet');
  count.role = 'status';
  const more = button('Show more', showMore);
  find(section, HTMLElement).append(box, element('p', 'foot', count, more));

  let rows: readonly Row[] = [];
  let orderedBy = columns.findIndex(({ heading }) => heading === sortedBy);
  let isDown = true;

  for (const [index, heading] of headings.entries())
    if (columns[index]?.value)
      heading.replaceChildren(button(heading.textContent, () => sortBy(index)));

  function sortBy(index: number): void {
    // Names begin with A, numbers and times with the largest.
    const isText = rows.some((row) => typeof columns[index]?.value?.(row) === 'string');
    isDown = index === orderedBy ? !isDown : !isText;
    orderedBy = index;
    show(rows);
  }

  function show(other: readonly Row[]): void {
    for (const heading of headings) heading.ariaSort = null;
    const heading = headings[orderedBy];
    if (heading) heading.ariaSort = isDown ? 'descending' : 'ascending';
    const value = columns[orderedBy]?.value ?? (() => null);
    rows = [...other].sort((a, b) => compare(value(a), value(b), isDown));
    body.replaceChildren();
    addRows();
  }

  function addRows(): void {
    const start = body.childElementCount;
    body.append(...rows.slice(start, start + STEP).map((row) => rowElement(row, columns)));
    const shown = body.childElementCount;
    box.hidden = shown === 0;
    more.hidden = shown === rows.length;
    const words = `Showing ${formatCount(shown)} of ${formatCount(rows.length)}`;
    count.textContent = shown === 0 ? empty : words;
  }

  function showMore(): void {
    const start = body.childElementCount;
    addRows();
    focusRow(body, start);
  }

  return show;
}

type Value = string | number | null;

/** What is not there comes last, whatever the direction. */
function compare(a: Value, b: Value, isDown: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const isNumber = typeof a === 'number' && typeof b === 'number';
  const order = isNumber ? a - b : COLLATOR.compare(String(a), String(b));
  return isDown ? -order : order;
}
