/** A table that shows a list page by page, and can be read again without losing its place. */
import { element, find, formatCount } from './svcops-elements.ts';
import { attempt } from './svcops-live.ts';

export type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null };

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
  /** Reads from the top: after another sort or filter. */
  restart(): Promise<void>;
  /** Reads again as many rows as are shown; rows that are the same stay untouched. */
  refresh(): Promise<void>;
};

/** Rows read at first and with each "Show more". */
const STEP = 100;

/** Rows that the service gives at once. */
const MOST = 500;

export function list<Row>({ section, key, cells, read }: ListOptions<Row>): List {
  const within = find(section, HTMLElement);
  const body = find('tbody', HTMLTableSectionElement, within);
  const headings = [...within.querySelectorAll('th')];
  const scroll = find('.scroll', HTMLElement, within);
  const empty = find('.empty', HTMLElement, within);
  const shown = find('.shown', HTMLElement, within);
  const more = find('.more', HTMLButtonElement, within);

  let rows: readonly Row[] = [];
  let next: string | null = null;
  let made = new Map<string | number, { readonly content: string; readonly tr: Element }>();
  // A list that was restarted has no use for what an earlier request brings.
  let run = 0;

  /** Reads until there are `count` rows, behind those in `from`. */
  async function load(count: number, from: Page<Row>): Promise<void> {
    const own = ++run;
    let [loaded, cursor] = [from.rows, from.next];
    do {
      const page = await read(Math.min(count - loaded.length, MOST), cursor);
      if (own !== run) return;
      loaded = [...loaded, ...page.rows];
      cursor = page.next;
    } while (cursor !== null && loaded.length < count);
    rows = loaded;
    next = cursor;
    show();
  }

  function show(): void {
    const former = made;
    made = new Map();
    for (const row of rows) {
      const content = JSON.stringify(row);
      const same = former.get(key(row));
      made.set(key(row), same?.content === content ? same : { content, tr: makeRow(row) });
    }
    arrange([...made.values()].map(({ tr }) => tr));
    empty.hidden = rows.length > 0;
    more.hidden = next === null;
    shown.textContent = rows.length === 0 ? 'None' : `${formatCount(rows.length)} shown`;
    if (next === null && rows.length > 0) shown.textContent += ', that is all';
  }

  function makeRow(row: Row): Element {
    const tr = element('tr');
    cells(row).forEach((content, i) => {
      tr.append(element('td', headings[i]?.className, content));
    });
    return tr;
  }

  /** Puts the rows in order, moving as few as possible: a row that stays keeps the focus. */
  function arrange(wanted: readonly Element[]): void {
    const keep = new Set(wanted);
    for (const tr of [...body.children]) if (!keep.has(tr)) tr.remove();
    wanted.forEach((tr, i) => {
      if (body.children[i] !== tr) body.insertBefore(tr, body.children[i] ?? null);
    });
  }

  more.addEventListener('click', () =>
    attempt(async () => {
      const before = rows.length;
      await load(before + STEP, { rows, next });
      // The button may be gone: whoever goes by keyboard goes on at the first new row.
      if (more.hidden && document.activeElement === document.body)
        find('.scroll', HTMLElement, within).focus();
    }),
  );

  const nothing: Page<Row> = { rows: [], next: null };
  return {
    async restart() {
      await load(STEP, nothing);
      scroll.scrollTop = 0;
    },
    refresh: () => load(Math.max(rows.length, STEP), nothing),
  };
}
