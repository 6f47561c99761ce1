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
  /** What a row is, such as `click`. */
  readonly name: string;
  readonly readOlder: (before: number) => Promise<Part<Row>>;
};

/** @returns a function that shows the newest part */
export function createLog<Row>({ section, columns, name, readOlder }: Options<Row>) {
  const { box, body } = createTable(columns);
  const count = element('span', 'quiet');
  count.role = 'status';
  const more = button('Older', () => showOlder().catch(report));
  find(section, HTMLElement).append(box, element('p', 'foot', count, more));
  let older: number | null = null;

  function show(part: Part<Row>): void {
    body.replaceChildren();
    box.scrollTop = 0;
    add(part);
  }

  function add(part: Part<Row>): void {
    body.append(...part.rows.map((row) => rowElement(row, columns)));
    older = part.older;
    const shown = body.childElementCount;
    box.hidden = shown === 0;
    more.hidden = older === null;
    const newest = older === null ? '' : 'The newest ';
    count.textContent = shown === 0 ? `No ${name}s.` : newest + countOf(shown, name);
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

  return show;
}
