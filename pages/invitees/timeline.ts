/** What both layouts of the timeline do: say who is logged in, record presses to join, log out. */
import { currentVisitor, explain, post, type Visitor } from './post.ts';

const name = document.querySelector('#name');
const notice = document.querySelector('#notice');
const message = document.querySelector('#message');
const ended = document.querySelector('#ended');
let recorded = 0;
/** Who the page says is logged in, also after that session has ended. */
let visitor: Visitor | undefined;
/** Pending while the service is asked who is logged in. */
let checking: Promise<void> | undefined;

onPress('#join', async () => {
  const shown = visitor;
  say(message, 'Recording…');
  // Before the page says who is logged in, a press is theirs and need not wait.
  if (shown) await checking;
  if (visitor && isAnother(visitor, shown))
    return say(message, `This press is not recorded. ${introduce(visitor)}`);
  const response = await post('/api/project-join');
  if (response?.status === 401) return leave('?ended');
  if (!response?.ok) return say(message, `${failure(response)} ${explain(response)}`);
  recorded += 1;
  say(message, confirmation(recorded));
});

onPress('#logout', async () => {
  say(notice, 'Logging out…');
  const response = await post('/auth/logout');
  if (response?.ok) return leave('?left');
  const still = response ? 'are still' : 'may still be';
  say(notice, `You ${still} logged in. ${explain(response)}`);
});

/** The page's buttons are disabled until they can be used. */
function onPress(selector: string, act: () => Promise<void>): void {
  const button = document.querySelector<HTMLButtonElement>(selector);
  if (!button) return;
  button.addEventListener('click', act);
  button.disabled = false;
}

/** What happened, different after each press so that it is announced each time. */
function confirmation(presses: number): string {
  if (presses === 1) return 'Recorded. Thank you: we know that you want to join.';
  const times = presses === 2 ? 'twice' : `${presses} times`;
  return `Recorded again: ${times} since you opened this page.`;
}

/** Where no reply came, the press may have arrived. */
function failure(response: Response | undefined): string {
  return response ? 'This press is not recorded.' : 'This press may not be recorded.';
}

/** To the entry page, which says why. */
function leave(why: '?ended' | '?left'): void {
  location.replace(`/${why}`);
}

function say(place: Element | null, text: string): void {
  if (place) place.textContent = text;
}

/** Whether two different people are logged in in this browser's tabs, one after the other. */
const isAnother = (now: Visitor, shown: Visitor | undefined): boolean =>
  shown !== undefined && shown.email !== now.email;

function introduce({ firstName, email }: Visitor): string {
  const who = firstName ?? email;
  return `This browser is now logged in as ${who}. Press the button to join as ${who}.`;
}

/** Asks who is logged in, and makes the page agree. @param onEnd called where nobody is */
function check(onEnd: () => void): void {
  checking ??= agree(onEnd)
    .catch(() => undefined)
    .finally(() => {
      checking = undefined;
    });
}

async function agree(onEnd: () => void): Promise<void> {
  const now = await currentVisitor();
  if (!now) return onEnd();
  const shown = visitor;
  visitor = now;
  // Logged in again in another tab: the pictures load now. A reload would hide an introduction.
  if (ended?.textContent && !isAnother(visitor, shown)) return location.reload();
  say(name, visitor.firstName ?? '');
  if (isAnother(visitor, shown)) say(message, introduce(visitor));
}

/** Who is logged out by now must not go on reading. */
const leaveIfEnded = () => check(() => leave('?ended'));

/** Who is in the middle of reading is asked, and not sent away. */
function askToLogIn(): void {
  const link = document.createElement('a');
  link.href = '/?ended';
  link.textContent = 'Log in again';
  ended?.replaceChildren('Your session has ended, so pictures no longer load. ', link);
}

say(name, '');
say(message, '');
leaveIfEnded();
// A page that comes back from the browser's memory was not asked for again.
addEventListener('pageshow', (event) => event.persisted && leaveIfEnded());
// Another tab or window may have logged out, or logged somebody else in.
addEventListener('focus', leaveIfEnded);
document.addEventListener(
  'visibilitychange',
  () => document.visibilityState === 'visible' && leaveIfEnded(),
);
// A picture that does not load may be the first sign that the session has ended.
document.addEventListener('error', () => ended?.textContent || check(askToLogIn), true);
