/**
 * Both layouts: shows who is logged in, records join clicks, and logs out. Visitors with a session
 * can load every file of `invitees/`, so these files must not mention the administrator page.
 */
import type { MeReply } from '../../lib/routes/replies.ts';
import { currentVisitor, hasJoined, post } from '../everyone/post.ts';
import '../everyone/transitions.ts';
import { type Sentence, sentence } from '../everyone/words.ts';
import './rail.ts';
import './video.ts';

const name = document.querySelector('#name');
const notice = document.querySelector('#notice');
const message = document.querySelector('#message');
const ended = document.querySelector('#ended');
const question = document.querySelector<HTMLElement>('#question');
const answer = document.querySelector<HTMLElement>('#answer > div');
const join = document.querySelector('#join');
const waysToJoin = document.querySelectorAll<HTMLElement>('.to-join');
/** The button of the question. */
const firstButton = join?.textContent ?? '';
/** Whether the visitor has joined, on this page or elsewhere. */
let joined = false;
/** Whether a press waits for its reply, or leads to another page. */
let isPressing = false;
/** The visitor named on the page. The name stays after the session has ended. */
let visitor: MeReply | undefined;

// Chromium skips the view transition of a page without styles before its first frame. So the page
// waits for this script: `blocking` in its head.
document.body.getBoundingClientRect();

onPress('#join', async () => {
  say(message, sentence('sending'));
  const response = await post('/api/project-join');
  if (response?.status === 401) return logInAgain('uncounted');
  if (!response?.ok) {
    say(message, failure(response, 'notRecorded', 'maybeNotRecorded'));
    return undefined;
  }
  // After the first press, the answer itself shows that it was counted.
  say(message, joined ? sentence('recorded') : '');
  joined = true;
  showAnswer();
  answer?.scrollIntoView({ block: 'nearest' });
  return undefined;
});

onPress('#logout', async () => {
  say(notice, sentence('loggingOut'));
  const response = await post('/auth/logout');
  if (response?.ok) return '/?left';
  say(notice, failure(response, 'stillLoggedIn', 'maybeLoggedIn'));
  return undefined;
});

/**
 * Enables a button. The page disables it until this script works.
 *
 * @param act resolves to the URL that the press leads to, if any
 */
function onPress(selector: string, act: () => Promise<string | undefined>): void {
  const button = document.querySelector<HTMLButtonElement>(selector);
  if (!button) return;
  button.addEventListener('click', async () => {
    isPressing = true;
    const next = await act();
    // The page still waits for other replies. They must not lead to another URL.
    if (next !== undefined) return location.replace(next);
    isPressing = false;
  });
  button.disabled = false;
}

/** Shows the answer to a visitor who has joined, and the question to others. */
function showAnswer(): void {
  const firstName = visitor?.firstName;
  const headline = answer?.querySelector('h2') ?? null;
  say(headline, firstName ? sentence('joined', { firstName }) : sentence('joinedNameless'));
  if (answer) answer.hidden = !joined;
  if (question) question.hidden = joined;
  say(join, joined ? sentence('joinAgain') : firstButton);
  for (const link of waysToJoin) say(link, joined ? sentence('joinedShort') : `${firstButton} ↓`);
  document.body.classList.toggle('joined', joined);
}

/** A press without a reply may have been recorded. */
function failure(response: Response | undefined, not: Sentence, maybe: Sentence): string {
  return response ? `${sentence(not)} ${sentence('unavailable')}` : sentence(maybe);
}

/** Leads to the entry page. It says why, fills in the address, and keeps the layout of the link. */
function logInAgain(reason: 'ended' | 'uncounted'): string {
  const view = new URLSearchParams(location.search).get('view');
  const layout = view === 'mobile' || view === 'desktop' ? `&view=${view}` : '';
  return `/?${reason}${layout}#${encodeURIComponent(visitor?.email ?? '')}`;
}

function leave(): void {
  if (!isPressing) location.replace(logInAgain('ended'));
}

/** A message that is set again is read again by screen readers. */
function say(place: Element | null, text: string): void {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Asks who is logged in, and updates the page. @param onEnd called if there is no session */
async function check(onEnd: () => void): Promise<void> {
  const [now, hadJoined] = await Promise.all([currentVisitor(), hasJoined()]);
  if (!now) return onEnd();
  // Somebody has logged in in another tab, so pictures load again.
  if (ended?.textContent || (visitor && visitor.email !== now.email)) return location.reload();
  visitor = now;
  const { firstName } = visitor;
  say(name, firstName ? sentence('welcome', { firstName }) : '');
  // The service may have made this reply before it recorded a press of this page.
  if (hadJoined) joined = true;
  showAnswer();
}

/** Leaves the page if the session has ended. Without a reply it stays. */
const leaveIfEnded = () => check(leave).catch(() => undefined);

/** Asks the visitor to log in again, without leaving the page. */
function askToLogIn(): void {
  // Several pictures can fail at once.
  if (!ended || ended.textContent) return;
  const link = document.createElement('a');
  link.href = logInAgain('ended');
  link.textContent = sentence('logInAgain');
  ended.replaceChildren(`${sentence('picturesEnded')} `, link);
}

/** The text before the place in a fragment of entry.ts: `#entered` and `#entered/entry-5`. */
const ENTERED = /^entered(?:\/|$)/;

/** Mailing tools add such text to the fragment of a link: `#entry-5?utm_source=x`. */
const PARAMETERS = /[?&].*/;

/** Removes both from the address, and goes to the remaining place. */
function readPlace(): void {
  const fragment = location.hash.slice(1);
  const place = fragment.replace(ENTERED, '').replace(PARAMETERS, '');
  if (place === fragment) return;
  history.replaceState(null, '', location.pathname + location.search);
  // The browser scrolls to the entry.
  if (place !== '') location.replace(`#${place}`);
}

readPlace();
say(name, '');
say(message, '');
leaveIfEnded();
// Only the arrival on this page is animated, not leaving it.
addEventListener('pageswap', ({ viewTransition }) => viewTransition?.skipTransition());
// On a phone, the link to the end is hidden while another link or button to join is in view.
const inView = new Set<Element>();
const waysInView = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    if (isIntersecting) inView.add(target);
    else inView.delete(target);
  }
  document.body.classList.toggle('asked', inView.size > 0);
});
for (const way of document.querySelectorAll('header .to-join, #join')) waysInView.observe(way);
// A page from the back/forward cache is not requested again.
addEventListener('pageshow', (event) => {
  if (event.persisted) leaveIfEnded();
});
// Another tab or window may have logged out, or logged in as another person.
addEventListener('focus', leaveIfEnded);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') leaveIfEnded();
});
// A picture or a video fails to load when the session has ended.
document.addEventListener('error', () => check(askToLogIn).catch(() => undefined), true);
