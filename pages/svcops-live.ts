/** Keeps the page up to date while somebody looks at it, and says plainly when it cannot. */
import { Failure } from './svcops-api.ts';
import { element, find } from './svcops-elements.ts';

/** Time between two readings, in ms. */
const INTERVAL = 30_000;

const updated = find('#updated', HTMLElement);
const trouble = find('#trouble', HTMLElement);
const button = find('#refresh', HTMLButtonElement);

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

let lastTried = 0;
let lastRead: number | undefined;
let reading = false;

/** Calls `refresh` now, every 30 s while the page is visible, and as soon as it is visible or connected again. */
export function keepLive(refresh: () => Promise<unknown>): void {
  const now = async () => {
    if (reading) return;
    reading = true;
    lastTried = Date.now();
    await attempt(async () => {
      await refresh();
      lastRead = Date.now();
      say(lastRead);
      trouble.replaceChildren();
    });
    reading = false;
  };
  const ifDue = () => {
    if (document.visibilityState === 'visible' && Date.now() - lastTried >= INTERVAL) now();
  };
  setInterval(() => {
    if (document.visibilityState === 'visible') now();
  }, INTERVAL);
  document.addEventListener('visibilitychange', ifDue);
  addEventListener('online', now);
  addEventListener('offline', () => report(new Failure('offline')));
  button.addEventListener('click', now);
  updated.textContent = 'Reading…';
  now();
}

/** Does something that reads from the service; where that fails, the page says so and stays as it is. */
export async function attempt(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    report(error instanceof Failure ? error : new Failure('refused'));
    if (!(error instanceof Failure)) throw error;
  }
}

function say(time: number): void {
  const at = element('time', '', CLOCK.format(time));
  at.dateTime = new Date(time).toISOString();
  updated.replaceChildren('Updated ', at);
}

function report({ kind }: Failure): void {
  const message = [MESSAGES[kind]];
  if (lastRead !== undefined) message.push(`What you see was read at ${CLOCK.format(lastRead)}.`);
  if (kind === 'ended') {
    const link = element('a', '', 'Log in again');
    link.href = '/';
    trouble.replaceChildren(message.join(' '), ' ', link);
  } else {
    trouble.replaceChildren(`${message.join(' ')} Trying again every 30 seconds.`);
  }
  updated.textContent = 'Not up to date';
}

const MESSAGES: Readonly<Record<Failure['kind'], string>> = {
  offline: 'No connection to the service.',
  ended: 'Your session has ended, or you are no longer an administrator.',
  unavailable: 'The service cannot answer just now.',
  refused: 'The service did not understand this page; loading it again may help.',
};
