/** A list that the page has as a whole: sorted by its headings, shown 100 rows at a time. */
import { button, LOCALE } from './elements.ts';
import { type Column, createTable } from './table.ts';

const STEP = 100;

/** Compares numbers too. */
const COLLATOR = new Intl.Collator(LOCALE, { numeric: true });

type Options<Row> = {
  /** A selector of the section that gets the table. */
  readonly section: string;
  readonly columns: readonly Column<Row>[];
  /** The heading of the order at the beginning, downwards. */
  readonly sortedBy: string;
  /** What stands above the table. */
  readonly describe: (rows: readonly Row[], shown: number) => string;
};

/** @returns a function that shows other rows, in the order that was chosen, from the first one */
export function createList<Row>({ section, columns, sortedBy, describe }: Options<Row>) {
  const table = createTable(section, columns, 'Show more', addRows);
  let rows: readonly Row[] = [];
  let orderedBy = columns.findIndex(({ heading }) => heading === sortedBy);
  let isDown = true;

  for (const [index, heading] of table.headings.entries())
    if (columns[index]?.value)
      heading.replaceChildren(button(heading.textContent, () => sortBy(index)));

  function sortBy(index: number): void {
    // Names begin with A, numbers and times with the largest.
    const isText = rows.some((row) => typeof columns[index]?.value?.(row) === 'string');
    isDown = index === orderedBy ? !isDown : !isText;
    orderedBy = index;
    show(rows);
    table.scrollToTop();
  }

  function show(other: readonly Row[]): void {
    for (const [index, heading] of table.headings.entries()) {
      const direction = isDown ? 'descending' : 'ascending';
      heading.ariaSort = index === orderedBy ? direction : null;
    }
    const value = columns[orderedBy]?.value ?? (() => null);
    rows = [...other].sort((a, b) => compare(value(a), value(b), isDown));
    table.clear();
    addRows();
  }

  function addRows(): void {
    const start = table.length();
    table.add(rows.slice(start, start + STEP));
    const shown = table.length();
    table.tell(describe(rows, shown), shown < rows.length);
  }

  return show;
}

type Value = string | number | null;

/** What is not there comes last, whatever the direction. */
function compare(a: Value, b: Value, isDown: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = COLLATOR.compare(String(a), String(b));
  return isDown ? -order : order;
}
