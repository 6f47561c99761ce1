/** The columns of tables, and the cells that they make. */
import { element, formatCount, timeElement } from './elements.ts';

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

export function headingElement<Row>({ heading, kind }: Column<Row>): HTMLElement {
  const made = element('th', kind, heading);
  made.scope = 'col';
  return made;
}

export function rowElement<Row>(row: Row, columns: readonly Column<Row>[]): HTMLElement {
  const cells = columns.map(({ heading, kind, cell }) => {
    const content = cell(row);
    const made = element('td', kind, content ?? element('span', 'quiet', '–'));
    if (content === null) made.classList.add('none');
    made.dataset.heading = heading;
    return made;
  });
  return element('tr', '', ...cells);
}
