/**
 * The timeline: shows who is logged in, records join clicks, plays short films, and logs out. Every
 * visitor can load the files of `invitees/`, so they must not mention the administrators' page.
 */
import type words from '../../lib/site/words/en.json';
import { askForVisitor, find, post, type Visitor, write } from '../everyone/shared.ts';

type Sentence = keyof typeof words.timeline;

/** In `localStorage`: the address of the guest who joined in this browser. */
const JOINED = 'joined';

const name = find('#name', HTMLElement);
const toJoin = find('.to-join', HTMLElement);
const notice = find('#notice', HTMLElement);
const message = find('#message', HTMLElement);
const question = find('#question', HTMLElement);
const answer = find('#answer', HTMLElement);
const answerHeadline = find('#answer h2', HTMLElement);
const join = find('#join', HTMLButtonElement);
const logout = find('#logout', HTMLButtonElement);

let visitor: Visitor | null | undefined;

join.addEventListener('click', async () => {
  say(message, 'sending');
  const response = await post('/api/project-join');
  if (response?.status === 401) return logInAgain();
  if (!response) return say(message, 'maybeNotRecorded');
  if (!response.ok) return say(message, 'notRecorded');
  if (question.hidden) return say(message, 'recorded');
  message.replaceChildren();
  showAnswer();
  // Last, because a browser may refuse it.
  if (visitor) localStorage.setItem(JOINED, visitor.email);
});

/** The entry page says that the press was not counted, then leads back here. */
function logInAgain(): void {
  location.replace(`/?uncounted#${encodeURI(visitor?.email ?? '')}`);
}

/** Replaces the question by the answer, for a guest who has joined. */
function showAnswer(): void {
  const firstName = visitor?.firstName;
  if (firstName) say(answerHeadline, 'joined', { firstName });
  question.hidden = true;
  answer.hidden = false;
  say(join, 'joinAgain');
  say(toJoin, 'joinedShort');
  document.body.classList.add('joined');
}

logout.addEventListener('click', async () => {
  const response = await post('/auth/logout');
  if (response?.ok) location.replace('/?left');
  else say(notice, 'notLoggedOut');
});

function say(element: Element, word: Sentence, values?: Readonly<Record<string, string>>): void {
  write(element, word, values);
}

async function showVisitor(): Promise<void> {
  visitor = await askForVisitor();
  if (visitor === null) return location.replace('/');
  if (visitor?.firstName) say(name, 'welcome', { firstName: visitor.firstName });
  if (visitor && localStorage.getItem(JOINED) === visitor.email) showAnswer();
}

/** Short silent films play while they are in view. */
const inView = new IntersectionObserver(
  (changes) => {
    for (const { isIntersecting, target } of changes) {
      if (!(target instanceof HTMLVideoElement)) continue;
      if (!isIntersecting) target.pause();
      // Browsers may refuse, for example to save power.
      else target.play().catch(() => undefined);
    }
  },
  { threshold: 0.5 },
);
if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
  for (const film of document.querySelectorAll('[loop]')) inView.observe(film);

// The back/forward cache would show the preview even after a logout.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
join.disabled = false;
logout.disabled = false;
showVisitor();
