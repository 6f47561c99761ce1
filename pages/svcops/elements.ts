/** Finds, makes and updates elements. Text is set as text, never as markup. */

/**
 * Finds an element of the page.
 *
 * @throws if there is none of that kind, which is a bug in `page.html`
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

/** Makes an element with a class and children; strings become text nodes. */
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

/**
 * Like `replaceChildren`, but keeps equal nodes: they keep focus and selection, and screen readers
 * do not announce them again.
 */
export function update(parent: Node, ...children: readonly (Node | string)[]): void {
  matchChildren(parent, element('div', '', ...children));
}

/** Makes the children of `parent` equal to those of `wanted`, some of which are moved into it. */
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
 * Makes a function that shows items as the children of `parent`. An item that is already shown
 * keeps its element, with focus and selection; if it has changed, only the differences are applied.
 *
 * @param key identifies an item
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

/** Puts elements in order, moving as few as possible. A moved element keeps the focus. */
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
