/**
 * Both layouts: shows who is logged in, records join clicks, and logs out. Visitors with a session
 * can load every file of `invitees/`, so no file of it may name another audience's.
 */
import type { MeReply } from '../../lib/records.ts';
import { currentVisitor, explain, post } from './post.ts';
import { sentence } from './words.ts';

const name = document.querySelector('#name');
const notice = document.querySelector('#notice');
const message = document.querySelector('#message');
const ended = document.querySelector('#ended');
const question = document.querySelector<HTMLElement>('#question');
const answer = document.querySelector<HTMLElement>('#answer > div');
/** Where the browser keeps the address that has joined, until it logs out. */
const JOINED = 'joined';
/** Presses of this visitor since the page was opened. */
let recorded = 0;
/** The visitor whom the page names, also after that session has ended. */
let visitor: MeReply | undefined;
/** Pending while the page asks who is logged in. */
let checking: Promise<void> | undefined;

onPress('#join', async () => {
  const shown = visitor;
  say(message, sentence('recording'));
  // A press before the page names a visitor need not wait for the name.
  if (shown) await checking;
  if (visitor && isAnother(visitor, shown))
    return say(message, `${sentence('notRecorded')} ${introduce(visitor)}`);
  const response = await post('/api/project-join');
  if (response?.status === 401) return leave('?ended');
  if (!response?.ok) return say(message, `${failure(response)} ${explain(response)}`);
  recorded += 1;
  // Differs after each press, so that screen readers announce it each time.
  const times = String(recorded);
  say(message, recorded === 1 ? sentence('recorded') : sentence('recordedAgain', { times }));
  showAnswer();
  answer?.scrollIntoView({ block: 'nearest' });
});

onPress('#logout', async () => {
  say(notice, sentence('loggingOut'));
  const response = await post('/auth/logout');
  if (response?.ok) {
    remember(undefined);
    return leave('?left');
  }
  const still = sentence(response ? 'stillLoggedIn' : 'maybeLoggedIn');
  say(notice, `${still} ${explain(response)}`);
});

/** Enables a button, which the page has disabled until it works. */
function onPress(selector: string, act: () => Promise<void>): void {
  const button = document.querySelector<HTMLButtonElement>(selector);
  if (!button) return;
  button.addEventListener('click', act);
  button.disabled = false;
}

/** Answers a visitor who has joined, here or before, and asks others the question. */
function showAnswer(): void {
  const email = visitor?.email;
  if (recorded > 0 && email) remember(email);
  const joined = recorded > 0 || (email !== undefined && recall() === email);
  const firstName = visitor?.firstName;
  const headline = answer?.querySelector('h2') ?? null;
  say(headline, firstName ? sentence('joined', { firstName }) : sentence('joinedNameless'));
  if (answer) answer.hidden = !joined;
  if (question) question.hidden = joined;
}

/** A browser that refuses the cookies of a site may refuse its storage too. */
function remember(email: string | undefined): void {
  try {
    if (email) localStorage.setItem(JOINED, email);
    else localStorage.removeItem(JOINED);
  } catch {}
}

function recall(): string | null {
  try {
    return localStorage.getItem(JOINED);
  } catch {
    return null;
  }
}

/** A press without a reply may be recorded. */
function failure(response: Response | undefined): string {
  return sentence(response ? 'notRecorded' : 'maybeNotRecorded');
}

/** Goes to the entry page, which says why. */
function leave(why: '?ended' | '?left'): void {
  location.replace(`/${why}`);
}

/** A text that is set again may be announced again. */
function say(place: Element | null, text: string): void {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Whether a different person has logged in since, in another tab of this browser. */
const isAnother = (now: MeReply, shown: MeReply | undefined): boolean =>
  shown !== undefined && shown.email !== now.email;

function introduce({ firstName, email }: MeReply): string {
  return sentence('otherVisitor', { who: firstName ?? email });
}

/** Asks who is logged in, and updates the page. @param onEnd called if there is no session */
function check(onEnd: () => void): void {
  checking ??= showVisitor(onEnd)
    .catch(() => undefined)
    .finally(() => {
      checking = undefined;
    });
}

async function showVisitor(onEnd: () => void): Promise<void> {
  const now = await currentVisitor();
  if (!now) return onEnd();
  const shown = visitor;
  visitor = now;
  // After a login in another tab the pictures load again. A reload would hide an introduction.
  if (ended?.textContent && !isAnother(visitor, shown)) return location.reload();
  say(name, visitor.firstName ?? '');
  if (isAnother(visitor, shown)) {
    recorded = 0;
    say(message, introduce(visitor));
  }
  showAnswer();
}

/** Leaves the page if the session has ended. */
function leaveIfEnded(): void {
  // The question under way may have been asked before the change.
  if (checking) void checking.then(leaveIfEnded);
  else check(() => leave('?ended'));
}

/** Asks for a new login without leaving the page. */
function askToLogIn(): void {
  const link = document.createElement('a');
  link.href = '/?ended';
  link.textContent = sentence('logInAgain');
  ended?.replaceChildren(`${sentence('picturesEnded')} `, link);
}

say(name, '');
say(message, '');
leaveIfEnded();
// A page from the back/forward cache is not requested again.
addEventListener('pageshow', (event) => event.persisted && leaveIfEnded());
// Another tab or window may have logged out, or logged in as another person.
addEventListener('focus', leaveIfEnded);
document.addEventListener(
  'visibilitychange',
  () => document.visibilityState === 'visible' && leaveIfEnded(),
);
// A picture or a video fails to load when the session has ended.
document.addEventListener('error', () => ended?.textContent || check(askToLogIn), true);
