/** Finds, makes and updates elements. Text is only ever set as text, never as markup. */
import { readable } from './readable.ts';

/**
 * The element that the page must have.
 *
 * @throws where the page has none of that kind: a mistake in `svcops.html`
 */
export function find<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} ${selector}`);
}

/** A new element with a class and children; texts become text nodes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** Like `replaceChildren`, but equal nodes stay: they keep focus and selection, and are not announced again. */
export function update(parent: Node, ...children: readonly (Node | string)[]): void {
  matchChildren(parent, element('div', '', ...children));
}

/** Makes the children of `parent` equal to those of `wanted`, which may be moved into it. */
function matchChildren(parent: Node, wanted: Node): void {
  const children = [...wanted.childNodes];
  children.forEach((child, i) => {
    const present = parent.childNodes[i];
    if (!present) parent.appendChild(child);
    else if (present.cloneNode().isEqualNode(child.cloneNode())) matchChildren(present, child);
    else parent.replaceChild(child, present);
  });
  for (const extra of [...parent.childNodes].slice(children.length)) extra.remove();
}

/**
 * Shows a sequence of items as the children of `parent`. An item that is shown already keeps its element, and so focus and
 * selection; where the item has changed, only what differs in the element is changed.
 *
 * @param key what tells items apart
 */
export function sequence<Item>(
  parent: Element,
  key: (item: Item) => string | number,
  make: (item: Item) => Element,
): (items: readonly Item[]) => void {
  let shown = new Map<string | number, { readonly content: string; readonly node: Element }>();
  return (items) => {
    const former = shown;
    shown = new Map();
    for (const item of items) {
      const content = JSON.stringify(item);
      const present = former.get(key(item));
      if (present && present.content !== content) matchChildren(present.node, make(item));
      shown.set(key(item), { content, node: present?.node ?? make(item) });
    }
    arrange(
      parent,
      [...shown.values()].map(({ node }) => node),
    );
  };
}

/** Puts elements in order, moving as few as possible; the focus stays on one that is moved. */
function arrange(parent: Element, wanted: readonly Element[]): void {
  const { activeElement } = document;
  const stay = new Set(wanted);
  for (const child of [...parent.children]) if (!stay.has(child)) child.remove();
  wanted.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null);
  });
  if (activeElement instanceof HTMLElement && parent.contains(activeElement))
    activeElement.focus({ preventScroll: true });
}

/** Stands where there is no value. */
export const dash = () => element('span', 'none', '–');

/** A time in the viewer's zone, short, with the exact time on hover. An impossible time is shown as the number it is. */
export function timeElement(ms: number | null): Node {
  if (ms === null) return dash();
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return element('span', '', String(ms));
  const time = element('time', '', shortTime(ms));
  time.dateTime = date.toISOString();
  time.title = EXACT.format(ms);
  return time;
}

/** A link to everything known of a person. */
export function personLink(email: string): HTMLAnchorElement {
  const link = element('a', 'person', readable(email));
  link.href = personFragment(email);
  return link;
}

export const personFragment = (email: string): string => `#person=${encodeURIComponent(email)}`;

const THIS_YEAR = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const OTHER_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

function shortTime(ms: number): string {
  const sameYear = new Date(ms).getFullYear() === new Date().getFullYear();
  return (sameYear ? THIS_YEAR : OTHER_YEAR).format(ms);
}

const COUNT = new Intl.NumberFormat();
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const SMALL_PERCENT = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
});

export const formatCount = (count: number): string => COUNT.format(count);

/** `part` of `whole` in percent; with one decimal below 10 %. */
export function formatShare(part: number, whole: number): string {
  const share = whole > 0 ? part / whole : 0;
  if (share > 0 && share < 0.001) return `<${SMALL_PERCENT.format(0.001)}`;
  return (share < 0.1 ? SMALL_PERCENT : PERCENT).format(share);
}
