/** Keeps the page up to date while it is visible, and says when that fails. */
import { Failure } from './api.ts';
import { LOCALE } from './days.ts';
import { element, find, update } from './elements.ts';

/** Time between two readings, in ms. */
const INTERVAL = 30_000;

const updated = find('#updated', HTMLElement);
/** The elements that show failures: on the page, and in a person's panel, which covers the page. */
const places = ['#trouble', '#person-trouble'].map((place) => find(place, HTMLElement));

const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });

let lastRead: number | undefined;

/**
 * Calls `refresh` every 30 s while the page is visible, and as soon as the page becomes visible or
 * the browser is connected again.
 *
 * @returns a function that calls `refresh` now
 */
export function keepLive(refresh: () => Promise<unknown>): () => Promise<void> {
  const readNow = () => refresh().then(sayUpdated, report);
  const readIfVisible = () => {
    if (document.visibilityState === 'visible') readNow();
  };
  setInterval(readIfVisible, INTERVAL);
  document.addEventListener('visibilitychange', readIfVisible);
  addEventListener('online', readIfVisible);
  addEventListener('offline', () => report(new Failure('offline')));
  find('#refresh', HTMLButtonElement).addEventListener('click', readNow);
  updated.textContent = 'Loading…';
  return readNow;
}

function sayUpdated(): void {
  lastRead = Date.now();
  const at = element('time', '', CLOCK.format(lastRead));
  at.dateTime = new Date(lastRead).toISOString();
  update(updated, element('span', 'word', 'Updated '), at);
  for (const place of places) update(place);
}

/** Says why the service was not read, and what happens next. The page keeps its content. */
export function report(error: unknown): void {
  // The reply had an unexpected form, or the page has a bug.
  if (!(error instanceof Failure)) console.error(error);
  const { kind, message } = error instanceof Failure ? error : new Failure('refused');
  const readAt = lastRead ? ` Last updated at ${CLOCK.format(lastRead)}.` : '';
  for (const place of places) {
    const link = element('a', '', 'Log in again');
    link.href = '/';
    // Opens a new tab, so that typed text, such as a list of people to invite, is not lost.
    link.target = '_blank';
    const next = kind === 'ended' ? [link, ' in a new tab.'] : ['Retrying every 30 seconds.'];
    update(place, `${message} `, ...next, readAt);
  }
  update(updated, 'Out of date');
}
