/** A log, newest first, which the service sends in parts: *Older* reads the next one. */
import { report } from './api.ts';
import { countOf } from './elements.ts';
import { type Column, createTable } from './table.ts';

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
  const table = createTable(section, columns, 'Older', () => showOlder().catch(report));
  let older: number | null = null;

  function show(part: Part<Row>): void {
    table.clear();
    add(part);
  }

  function add(part: Part<Row>): void {
    table.add(part.rows);
    older = part.older;
    const newest = older === null ? '' : 'The newest ';
    table.tell(newest + countOf(table.length(), name), older !== null);
  }

  async function showOlder(): Promise<void> {
    const before = older;
    if (before === null) return;
    const part = await readOlder(before);
    // A second press, or another filter, may have been faster.
    if (before === older) add(part);
  }

  return show;
}
