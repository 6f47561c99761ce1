/** A log, newest first, which the service sends in parts: *Older* reads the next one. */
import { button, countOf, element, find } from './elements.ts';
import { type Column, createTable, focusRow, rowElement } from './table.ts';
import { report } from './trouble.ts';

export type Part<Row> = {
  readonly rows: readonly Row[];
  /** The `before` of the next part; `null` without one. */
  readonly older: number | null;
};

type Options<Row> = {
  /** A selector of the section that gets the table. */
  readonly section: string;
  readonly columns: readonly Column<Row>[];
  /** What the section says without a row. */
  readonly empty: string;
  /** What a row is, such as `click`. */
  readonly name: string;
  readonly readOlder: (before: number) => Promise<Part<Row>>;
};

export type Log<Row> = {
  /** Shows the newest part. */
  readonly show: (part: Part<Row>) => void;
};

export function createLog<Row>({ section, columns, empty, name, readOlder }: Options<Row>) {
  const place = find(section, HTMLElement);
  const { element: table, body } = createTable(columns);
  const box = element('div', 'table', table);
  // The keyboard scrolls it.
  box.tabIndex = 0;
  box.role = 'region';
  box.ariaLabel = find('h3', HTMLElement, place).textContent;
  const count = element('span', 'quiet');
  count.role = 'status';
  const more = button('Older', () => showOlder().catch(report));
  place.append(box, element('p', 'foot', count, more));

  let older: number | null = null;

  function add(part: Part<Row>): void {
    body.append(...part.rows.map((row) => rowElement(row, columns)));
    older = part.older;
    const shown = body.childElementCount;
    box.hidden = shown === 0;
    more.hidden = older === null;
    const newest = older === null ? '' : 'The newest ';
    count.textContent = shown === 0 ? empty : newest + countOf(shown, name);
  }

  async function showOlder(): Promise<void> {
    const before = older;
    if (before === null) return;
    const part = await readOlder(before);
    // A second press, or another filter, may have been faster.
    if (before !== older) return;
    const start = body.childElementCount;
    add(part);
    focusRow(body, start);
  }

  function show(part: Part<Row>): void {
    body.replaceChildren();
    box.scrollTop = 0;
    add(part);
  }

  const log: Log<Row> = { show };
  return log;
}
