/** Tables: their columns, headings and rows. */
import { element, formatCount } from './elements.ts';

export type Column<Row> = {
  readonly heading: string;
  /** `null` is shown as a dash, and not at all where a row is a card. */
  readonly cell: (row: Row) => Node | string | null;
  /** `bare` has no heading where a row is a card. */
  readonly kind?: 'count' | 'bare';
  /** What the column is sorted by. */
  readonly value?: (row: Row) => string | number | null;
};

/** A column of numbers. Nothing is a dash. */
export function countColumn<Row>(heading: string, value: (row: Row) => number): Column<Row> {
  const cell = (row: Row) => (value(row) === 0 ? null : formatCount(value(row)));
  return { heading, cell, value, kind: 'count' };
}

export function createTable<Row>(columns: readonly Column<Row>[]) {
  const headings = columns.map(headingElement);
  const head = element('thead', '', element('tr', '', ...headings));
  const body = element('tbody');
  const box = element('div', 'table', element('table', '', head, body));
  return { box, headings, body };
}

function headingElement<Row>({ heading, kind }: Column<Row>): HTMLElement {
  const made = element('th', kind, heading);
  made.scope = 'col';
  return made;
}

/** In narrow windows a row is a card, whose cells show their headings. */
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

/** Moves the focus to a row that a press of a button added, because the button may be gone. */
export function focusRow(body: HTMLElement, index: number): void {
  body.children[index]?.querySelector('a')?.focus({ preventScroll: true });
}
