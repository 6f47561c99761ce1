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
  /** @param before empty for the newest part */
  readonly readPart: (before: string) => Promise<Part<Row>>;
};

/** @returns a function that reads and shows the newest part */
export function createLog<Row>({ section, columns, name, readPart }: Options<Row>) {
  const table = createTable(section, columns, 'Older', () => show(older).catch(report));
  let older = '';
  let asked = 0;

  async function show(before: string): Promise<void> {
    asked += 1;
    const own = asked;
    const part = await readPart(before);
    // Another filter, or a second press, may have asked since.
    if (own !== asked) return;
    if (before === '') {
      table.clear();
      table.scrollToTop();
    }
    table.add(part.rows);
    older = String(part.older ?? '');
    const newest = older === '' ? '' : 'The newest ';
    table.tell(newest + countOf(table.length(), name), older !== '');
  }

  return () => show('');
}
