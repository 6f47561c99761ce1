/** Keeps the page up to date while it is visible, and says when it cannot. */
import { Failure } from './api.ts';
import { element, find, update } from './elements.ts';

/** Time between two readings, in ms. */
const INTERVAL = 30_000;

const updated = find('#updated', HTMLElement);
const trouble = find('#trouble', HTMLElement);
const button = find('#refresh', HTMLButtonElement);

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

let lastRead: number | undefined;

/**
 * Calls `refresh` every 30 s while the page is visible, and as soon as it is visible or connected again.
 *
 * @returns a function that calls it now, or once more where a call is under way
 */
export function keepLive(refresh: () => Promise<unknown>): () => Promise<void> {
  let lastTried = 0;
  let wanted = false;
  let reading = false;

  async function readNow(): Promise<void> {
    wanted = true;
    if (reading) return;
    reading = true;
    while (wanted) {
      wanted = false;
      lastTried = Date.now();
      await attempt(async () => {
        await refresh();
        sayUpdated();
      });
    }
    reading = false;
  }

  const visible = () => document.visibilityState === 'visible';
  setInterval(() => visible() && readNow(), INTERVAL);
  document.addEventListener('visibilitychange', () => {
    if (visible() && Date.now() - lastTried >= INTERVAL) readNow();
  });
  addEventListener('online', readNow);
  addEventListener('offline', () => report(new Failure('offline')));
  button.addEventListener('click', readNow);
  updated.textContent = 'Reading…';
  return readNow;
}

/** Does something that reads from the service. Where that fails, the page says so and stays as it is. */
export async function attempt(task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    report(error);
  }
}

function sayUpdated(): void {
  lastRead = Date.now();
  const at = element('time', '', CLOCK.format(lastRead));
  at.dateTime = new Date(lastRead).toISOString();
  update(updated, 'Updated ', at);
  update(trouble);
}

function report(error: unknown): void {
  const readAt = lastRead && ` What you see was read at ${CLOCK.format(lastRead)}.`;
  update(trouble, ...explain(error), readAt || '');
  update(updated, 'Not up to date');
}

/** Why a reading failed, and what happens next. */
export function explain(error: unknown): readonly (Node | string)[] {
  // An answer of another shape than expected, or a mistake in the page.
  if (!(error instanceof Failure)) console.error(error);
  const { kind } = error instanceof Failure ? error : new Failure('refused');
  if (kind !== 'ended') return [`${MESSAGES[kind]} Trying again every 30 seconds.`];
  const link = element('a', '', 'Log in again');
  link.href = '/';
  return [`${MESSAGES[kind]} `, link, '.'];
}

const MESSAGES: Readonly<Record<Failure['kind'], string>> = {
  offline: 'No connection to the service.',
  ended: 'Your session has ended, or you are no longer an administrator.',
  unavailable: 'The service cannot answer just now.',
  refused: 'The service did not understand this page. Loading it again may help.',
};
