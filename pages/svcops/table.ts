/** Tables: their columns, headings and rows, the count above them and the button below. */
import { find } from '../everyone/shared.ts';
import { button, element, formatCount } from './elements.ts';

export type Column<Row> = {
  readonly heading: string;
  /** `null` is shown as a dash, and not at all in narrow windows. */
  readonly cell: (row: Row) => Node | string | null;
  /** In narrow windows, `count` and `time` show their heading, and `bare` has none. */
  readonly kind?: 'count' | 'time' | 'bare';
  /** What the column is sorted by. */
  readonly value?: (row: Row) => string | number | null;
};

export type Table<Row> = {
  readonly headings: readonly HTMLElement[];
  /** Leaves the table where it was scrolled to. */
  readonly clear: () => void;
  readonly scrollToTop: () => void;
  readonly add: (rows: readonly Row[]) => void;
  /** How many rows it has. */
  readonly length: () => number;
  /** After a change. @param hasMore whether the button below has something to do */
  readonly tell: (count: string, hasMore: boolean) => void;
};

/** A column of numbers. Nothing is a dash. */
export function countColumn<Row>(heading: string, value: (row: Row) => number): Column<Row> {
  const cell = (row: Row) => (value(row) === 0 ? null : formatCount(value(row)));
  return { heading, cell, value, kind: 'count' };
}

/** A column of times that is sorted by them. */
export function timeColumn<Row>(
  heading: string,
  cell: Column<Row>['cell'],
  value: (row: Row) => number | null,
): Column<Row> {
  return { heading, cell, value, kind: 'time' };
}

/**
 * @param section a selector of what gets the table, and has an element `.shown`
 * @param words of the button that adds rows
 */
export function createTable<Row>(
  section: string,
  columns: readonly Column<Row>[],
  words: string,
  addMore: () => void,
): Table<Row> {
  const headings = columns.map(headingElement);
  const head = element('thead', '', element('tr', '', ...headings));
  const body = element('tbody');
  const box = element('div', 'table', element('table', '', head, body));
  const more = button(words, addMore);
  const shown = find(`${section} .shown`, HTMLElement);
  find(section, HTMLElement).append(box, more);

  function clear(): void {
    body.replaceChildren();
  }

  function scrollToTop(): void {
    box.scrollTop = 0;
  }

  function add(rows: readonly Row[]): void {
    const start = body.childElementCount;
    body.append(...rows.map((row) => rowElement(row, columns)));
    if (document.activeElement === more) focusRow(body.rows[start]);
  }

  function tell(count: string, hasMore: boolean): void {
    shown.textContent = count;
    more.hidden = !hasMore;
    box.hidden = body.childElementCount === 0;
  }

  const length = () => body.childElementCount;
  return { headings, clear, scrollToTop, add, length, tell };
}

function headingElement<Row>({ heading, kind }: Column<Row>): HTMLElement {
  const made = element('th', kind, heading);
  made.scope = 'col';
  return made;
}

/** In narrow windows a row is a few lines, and some of its cells show their headings. */
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

/** The first row that the button added, because the button may be gone. */
function focusRow(row: HTMLElement | undefined): void {
  if (!row) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
