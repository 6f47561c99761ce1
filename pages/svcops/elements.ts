/** Makes and updates elements. Text is set as text, never as markup. */
export { find } from '../everyone/find.ts';

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
 * Like `replaceChildren`, but keeps equal nodes. They keep focus and selection, and screen readers
 * do not read them again. Children with the same `data-key` are the same item in any place.
 */
export function update(parent: Node, ...children: readonly (Node | string)[]): void {
  matchChildren(parent, element('div', '', ...children));
}

/** Makes the children of `parent` equal to those of `wanted`, and moves as few as possible. */
function matchChildren(parent: Node, wanted: Node): void {
  const { activeElement } = document;
  const present = new Map<string | number, Node>();
  for (const [i, child] of [...parent.childNodes].entries()) present.set(keyOf(child, i), child);
  const children: Node[] = [];
  for (const [i, child] of [...wanted.childNodes].entries()) {
    const same = present.get(keyOf(child, i));
    if (same && areEqualAlone(same, child)) {
      matchChildren(same, child);
      children.push(same);
    } else {
      children.push(child);
    }
  }
  const stay = new Set(children);
  for (const child of [...parent.childNodes]) {
    if (!stay.has(child)) child.remove();
  }
  for (const [i, child] of children.entries()) {
    const there = parent.childNodes[i] ?? null;
    if (there !== child) parent.insertBefore(child, there);
  }
  // A moved element keeps the focus.
  if (activeElement instanceof HTMLElement && document.activeElement !== activeElement)
    activeElement.focus({ preventScroll: true });
}

/** The `data-key` of an element; the index of all other nodes. */
function keyOf(node: Node, index: number): string | number {
  const key = node instanceof HTMLElement ? node.dataset.key : undefined;
  return key || index;
}

/** Whether two nodes have the same name, attributes and text. Their children may differ. */
const areEqualAlone = (one: Node, other: Node): boolean =>
  one.cloneNode().isEqualNode(other.cloneNode());

/** Shows how a task goes or ended. */
export function say(target: HTMLElement, text: string, className: 'done' | 'failed' | '' = '') {
  target.className = className;
  target.textContent = text;
}

/** @returns a listener that runs the task after a pause in typing */
export function afterPause(task: () => unknown): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, 200);
  };
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = element('button', '', text);
  made.type = 'button';
  made.addEventListener('click', press);
  return made;
}
