/** Makes elements, and writes numbers, times and people. */

/** Makes an element. Strings become text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = element('button', '', text);
  made.type = 'button';
  made.addEventListener('click', press);
  return made;
}

/** Does one thing at a time, however often the button is pressed. It keeps the focus. */
export async function whileBusy(pressed: HTMLButtonElement, work: () => Promise<void>) {
  if (pressed.ariaDisabled === 'true') return;
  pressed.ariaDisabled = 'true';
  await work();
  pressed.ariaDisabled = null;
}

/** The words of the page are English, so its dates are too, in the reader's kind of English. */
export const LOCALE = navigator.languages.find((tag) => /^en(-|$)/.test(tag)) ?? 'en-GB';

const NUMBER = new Intl.NumberFormat(LOCALE);

/** `2,140` */
export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** `1 guest`, `2,140 guests` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const HOUR = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' });

/** `28 Nov, 14:05`, or `28 Nov 2025, 14:05`; today's are `14:05`. @param ms epoch milliseconds */
export function timeElement(ms: number): HTMLTimeElement {
  const time = dateElement(ms);
  if (!isToday(ms)) time.append(`, ${HOUR.format(ms)}`);
  return time;
}

/** `28 Nov`, or `28 Nov 2025`; today's are `14:05`. @param ms epoch milliseconds */
export function dateElement(ms: number): HTMLTimeElement {
  const isThisYear = new Date(ms).getFullYear() === new Date().getFullYear();
  const format = isThisYear ? DAY : DATE;
  const time = element('time', '', (isToday(ms) ? HOUR : format).format(ms));
  time.title = EXACT.format(ms);
  return time;
}

function isToday(ms: number): boolean {
  return new Date(ms).toDateString() === new Date().toDateString();
}

/** A long address is broken before its @, if it can be. */
export function partsOf(email: string): readonly (Node | string)[] {
  const at = email.lastIndexOf('@');
  return [email.slice(0, at), element('wbr'), email.slice(at)];
}

/** A person. The link leads to the page of this person. */
export function personLink(email: string): HTMLAnchorElement {
  const link = element('a', 'person', ...partsOf(email));
  link.href = `?person=${encodeURIComponent(email)}`;
  return link;
}

/** A name of ua-parser-js as people write it: `desktop` is `Desktop`, `iOS` stays. */
export function nameDevice(name: string): string {
  if (name === '') return 'Unknown';
  if (name === 'Mac OS') return 'macOS';
  if (name === 'mobile') return 'Phone';
  return /^[a-z]+$/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/** How long a button says that it copied, in ms. */
const COPIED = 2_000;

/** Copies a text, and has the button say so. @param restore writes the words of the button again */
export async function copy(text: string, pressed: HTMLButtonElement, restore: () => void) {
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = 'Copied';
    setTimeout(restore, COPIED);
  } catch {
    // Browsers give pages without https no clipboard.
    prompt('Copy this:', text);
  }
}

/** @param email whose link it is */
export function copyButton(link: string, email: string): HTMLButtonElement {
  const words = 'Copy link';
  const made = button(words, () => {
    copy(link, made, () => {
      made.textContent = words;
    });
  });
  made.ariaDescription = email;
  return made;
}
