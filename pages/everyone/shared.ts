/** What the scripts of the pages share: elements, sentences, and the requests to the service. */
import type words from '../../lib/site/words/en.json';

/** The name of a sentence of a page of guests. */
export type Sentence = keyof typeof words.entry | keyof typeof words.timeline;

/** What replaces the places of a sentence, such as `{firstName}`, by name. */
export type Values = Readonly<Record<string, string>>;

/** How long a request may take, in ms. */
const REPLY_TIMEOUT = 15_000;

/** Whose page it is; that of a stranger has no address. */
export const { email: ownEmail, firstName } = document.body.dataset;

/** The sentences of a page of guests, in the site's language. */
const sentences: Readonly<Record<string, string>> = JSON.parse(document.body.dataset.words ?? '{}');

// The back/forward cache would show the page of somebody who has left.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

/** @throws if the page has no such element of that kind, which is a bug in its template */
export function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} ${selector}`);
}

/** Writes a sentence into an element. Each value keeps its own direction. */
export function write(element: Element, name: Sentence, values: Values = {}): void {
  const parts = (sentences[name] ?? '').split(/\{(\w+)\}/);
  // Every second part is the name of a place.
  element.replaceChildren(...parts.map((part, i) => (i % 2 === 0 ? part : isolate(values[part]))));
}

function isolate(text = ''): HTMLElement {
  const element = document.createElement('bdi');
  element.textContent = text;
  return element;
}

/** @returns `undefined` if the service cannot be reached */
export async function request(path: string, init: RequestInit = {}): Promise<Response | undefined> {
  // Safari 15 and Chrome 102 have no `timeout`, and give up by themselves, later.
  const signal = AbortSignal.timeout?.(REPLY_TIMEOUT) ?? null;
  try {
    return await fetch(path, { ...init, signal });
  } catch {
    return undefined;
  }
}

/** Posts JSON. @returns `undefined` if the service cannot be reached */
export function post(path: string, body: object): Promise<Response | undefined> {
  return request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
