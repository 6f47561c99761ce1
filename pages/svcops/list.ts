/** A table that shows a list page by page, and can be read again without losing its place. */
import { type Page, readRows } from './api.ts';
import { element, find, formatCount, sequence, update } from './elements.ts';
import { attempt } from './live.ts';

export type ListOptions<Row> = {
  /** The section that holds the table. */
  readonly section: string;
  /** What tells rows apart. */
  readonly key: (row: Row) => string | number;
  /** What the cells of a row show, in the order of the headings. */
  readonly cells: (row: Row) => readonly (Node | string)[];
  readonly read: (limit: number, cursor: string | null) => Promise<Page<Row>>;
};

export type List = {
  /** Reads the first rows: after another sort or filter. */
  restart(): Promise<void>;
  /** Reads again as many rows as are shown. */
  refresh(): Promise<void>;
};

/** Rows read at first, and added by each "Show more". */
const STEP = 100;

export function list<Row>({ section, key, cells, read }: ListOptions<Row>): List {
  const within = find(section, HTMLElement);
  const headings = [...within.querySelectorAll('th')];
  const scroll = find('.scroll', HTMLElement, within);
  const empty = find('.empty', HTMLElement, within);
  const shown = find('.shown', HTMLElement, within);
  const more = find('.more', HTMLButtonElement, within);
  const showRows = sequence(find('tbody', HTMLTableSectionElement, within), key, makeRow);

  let wanted = STEP;
  let lastLoad = 0;

  /** Reads from the top as many rows as are wanted. Only the answer to the last call is shown. */
  async function load(): Promise<void> {
    const ownLoad = ++lastLoad;
    const page = await readRows(wanted, read);
    if (ownLoad === lastLoad) show(page);
  }

  function show({ rows, next }: Page<Row>): void {
    const { activeElement: focused } = document;
    const inside = within.contains(focused);
    showRows(rows);
    empty.hidden = rows.length > 0;
    more.hidden = next === null;
    const count = rows.length === 0 ? 'None' : `${formatCount(rows.length)} shown`;
    update(shown, rows.length > 0 && next === null ? `${count}, that is all` : count);
    // The row or the button that had the focus may be gone.
    if (inside && (!within.contains(focused) || (focused === more && more.hidden)))
      scroll.focus({ preventScroll: true });
  }

  function makeRow(row: Row): Element {
    const tr = element('tr');
    cells(row).forEach((content, i) => {
      tr.append(element('td', headings[i]?.className, content));
    });
    return tr;
  }

  more.addEventListener('click', () => {
    wanted += STEP;
    attempt(load);
  });

  return {
    async restart() {
      wanted = STEP;
      await load();
      scroll.scrollTop = 0;
    },
    refresh: load,
  };
}
