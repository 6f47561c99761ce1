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
 * Like `replaceChildren`, but keeps equal nodes: they keep focus and selection, and screen readers
 * do not announce them again. Children with the same `data-key` are the same item, wherever it is.
 */
export function update(parent: Node, ...children: readonly (Node | string)[]): void {
  matchChildren(parent, element('div', '', ...children));
}

/** Makes the children of `parent` equal to those of `wanted`, moving as few as possible. */
function matchChildren(parent: Node, wanted: Node): void {
  const { activeElement } = document;
  const present = new Map([...parent.childNodes].map((child, i) => [keyOf(child, i), child]));
  const children = [...wanted.childNodes].map((child, i) => {
    const same = present.get(keyOf(child, i));
    if (!same?.cloneNode().isEqualNode(child.cloneNode())) return child;
    matchChildren(same, child);
    return same;
  });
  const stay = new Set(children);
  for (const child of [...parent.childNodes]) if (!stay.has(child)) child.remove();
  children.forEach((child, i) => {
    const there = parent.childNodes[i] ?? null;
    if (there !== child) parent.insertBefore(child, there);
  });
  // A moved element keeps the focus.
  if (activeElement instanceof HTMLElement && document.activeElement !== activeElement)
    activeElement.focus({ preventScroll: true });
}

const keyOf = (node: Node, index: number): string | number =>
  (node instanceof HTMLElement && node.dataset.key) || index;

/** Says how a task goes or went. */
export function say(target: HTMLElement, text: string, className: 'done' | 'failed' | '' = '') {
  target.className = className;
  target.textContent = text;
}

/** @returns a listener that runs the task once typing has paused */
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
