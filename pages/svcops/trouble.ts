/** The line at the foot of the window that says what failed, and what one can do. */
import { Failure } from './api.ts';
import { find } from './elements.ts';

const trouble = find('#trouble', HTMLElement);
const words = find('p', HTMLElement, trouble);
const login = find('a', HTMLElement, trouble);
const again = find('button', HTMLButtonElement, trouble);

/** The page keeps what it shows, and what was typed. */
export function report(error: unknown): void {
  // Anything else is a mistake in this page.
  if (!(error instanceof Failure)) console.error(error);
  const failure = error instanceof Failure ? error : new Failure('unexpected');
  words.textContent = failure.message;
  login.hidden = failure.code !== 'session_ended';
  trouble.hidden = false;
}

export function clearTrouble(): void {
  trouble.hidden = true;
}

export function onTryAgain(retry: () => void): void {
  again.addEventListener('click', retry);
}
