/**
 * The entry page: logs in with an invited address, and greets visitors who have a session.
 * Everybody can load the files of `everyone/`, so they must not reveal the preview.
 */
import { addressInFragment, unwrapAddress } from '../../lib/addresses/unwrap.ts';
import type { LoginReply } from '../../lib/routes/replies.ts';
import { find } from './find.ts';
import { currentVisitor, post } from './post.ts';
import { type Sentence, sentence } from './words.ts';
import './transitions.ts';

/** How long the welcome stays, from the reply to the login, in ms. */
const WELCOME = 700;

/** How long the page waits to learn whether the browser kept the cookie, in ms. */
const PATIENCE = 3000;

/**
 * The beginning of the timeline's fragment if the page could not learn in time whether the cookie
 * was kept: `#entered` and `#entered/entry-5`, not `#entered-5`. Without the cookie, the service
 * redirects back to this page, and browsers keep the fragment.
 */
const ENTERED = /^entered(?:\/|$)/;

/** Mailing tools add such text to the fragment of a link: `entry-5?utm_source=x`. */
const PARAMETERS = /[?&].*/;

/** The longest address or place. Text that is pasted around an address may be longer. */
const MAX_LENGTH = 254;

/**
 * `ada@example.com` and `ada@example。com`, not `ada@example`. It finds typing errors before the
 * service counts them as attempts. It is looser than the rule of the service. Its time grows with
 * the square of the text's length, so the length is limited. It also accepts the dots of Chinese
 * and Japanese keyboards.
 */
const ADDRESS = /^[^\s@]+@[^\s@]+[.。．｡][^\s@]+$/;

/** Why the visitor was sent to this page, by the query of its address. */
const REASONS: Readonly<Record<string, Sentence>> = {
  ended: 'sessionEnded',
  left: 'loggedOut',
  uncounted: 'notCounted',
};

/** The fragment of the timeline's question. */
const QUESTION = 'end';

const headline = find('h1', HTMLElement);
/** The owner's headline, which a greeting replaces. */
const ownHeadline = headline.textContent ?? '';
const ownDirection = headline.dir;
const form = find('#enter', HTMLFormElement);
const button = find('#enter button', HTMLButtonElement);
// Not of type email: Chromium would change faß.example to fass.example, a different domain.
const field = find('#email', HTMLInputElement);
const message = find('#message', HTMLElement);
/** The owner's text for people who are not on the list. */
const contact = find('#contact', HTMLElement);
const onward = find('#onward', HTMLElement);
const link = find('#onward a', HTMLAnchorElement);
const another = find('#onward button', HTMLButtonElement);
/** The address in the link of an invitation. */
let invited = '';
/** The place in the timeline that a link names, as a fragment without its `#`. */
let place = '';
let waiting = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (waiting) return;
  const email = unwrapAddress(field.value).address;
  if (!isAddress(email)) return refuse(sentence('notAnAddress'));
  waiting = true;
  field.removeAttribute('aria-invalid');
  say(sentence('checking'));
  await enter(email).catch(() => fail(sentence('offline')));
  waiting = false;
});

const isAddress = (text: string): boolean => text.length <= MAX_LENGTH && ADDRESS.test(text);

async function enter(email: string): Promise<void> {
  const response = await post('/auth/login', { email });
  if (response?.status === 400) return refuse(sentence('notAnAddress'));
  // A proxy may answer 403 for other reasons.
  if (response?.status === 403 && (await response.text()).includes('not_invited'))
    return refuseAddress(email);
  if (!response) return fail(sentence('offline'));
  if (response.status === 429) return fail(tooManyAttempts(response), 'contact');
  if (!response.ok) return fail(sentence('unavailable'));
  const { firstName }: LoginReply = await response.json();
  greet('welcome', firstName);
  const welcomed = after(WELCOME);
  const isCookieKept = await Promise.race([askForCookie(), after(PATIENCE)]);
  if (isCookieKept === false) {
    fail(cookieRefused());
    // The greeting has hidden the field with the focus.
    return focusField();
  }
  await welcomed;
  if (isCookieKept) return location.replace(timelineAt(place));
  location.replace(timelineAt(place === '' ? 'entered' : `entered/${place}`));
}

/** Waits. @param time in ms */
const after = (time: number) =>
  new Promise<undefined>((resolve) => setTimeout(resolve, time, undefined));

/** Whether the browser has kept the cookie; `undefined` without an answer. */
async function askForCookie(): Promise<boolean | undefined> {
  try {
    return (await currentVisitor()) !== undefined;
  } catch {
    return undefined;
  }
}

/** A browser refuses an https-only cookie over http. */
function cookieRefused(): string {
  const needsHttps = sentence('needsHttps');
  if (location.protocol === 'http:' && needsHttps !== '') return needsHttps;
  return sentence('cookieNotKept');
}

/** The timeline in the layout that the link names. @param fragment without its `#` */
const timelineAt = (fragment: string): string => `/timeline${layoutAnd(fragment)}`;

/** The end of the timeline's address: the query with the layout of the link, and a fragment. */
function layoutAnd(fragment: string): string {
  const view = new URLSearchParams(location.search).get('view');
  const query = view === 'mobile' || view === 'desktop' ? `?view=${view}` : '';
  return fragment === '' ? query : `${query}#${fragment}`;
}

function tooManyAttempts({ headers }: Response): string {
  const minutes = Math.ceil(Number(headers.get('Retry-After')) / 60) || 1;
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang);
  const wait =
    minutes < 60
      ? format.format(minutes, 'minute')
      : format.format(Math.ceil(minutes / 60), 'hour');
  return sentence('tooManyAttempts', { inMinutes: wait });
}

/** Opens the door. Replaces the headline by a greeting, with the first name if there is one. */
function greet(words: 'welcome' | 'welcomeBack', firstName: string | null): void {
  const text = firstName ? sentence(words, { firstName }) : sentence(`${words}Nameless`);
  setDoor('open');
  const greeting = document.createElement('span');
  greeting.textContent = text;
  // The style sheet keeps the space of the headline.
  headline.dataset.sentence = ownHeadline;
  headline.replaceChildren(greeting);
  headline.dir = '';
  say(text);
}

function setDoor(state: 'open' | 'closed'): void {
  const open = state === 'open';
  document.body.classList.toggle('let-in', open);
  form.hidden = open;
  if (open) return;
  onward.hidden = true;
  headline.textContent = ownHeadline;
  headline.dir = ownDirection;
}

another.addEventListener('click', () => {
  setDoor('closed');
  say('');
  field.focus();
});

/** Shows what is wrong with the address, and selects it. */
function refuse(text: string, way?: 'contact'): void {
  field.setAttribute('aria-invalid', 'true');
  field.select();
  fail(text, way);
}

/** Shows that an address is not on the list. The style sheet shows one line of a long address. */
function refuseAddress(email: string): void {
  const text = sentence('notInvited', { email });
  refuse(text, 'contact');
  const start = text.indexOf(email);
  if (start < 0) return;
  const address = document.createElement('bdi');
  address.textContent = email;
  message.replaceChildren(text.slice(0, start), address, text.slice(start + email.length));
}

// The message was about another address. It is emptied, so that screen readers read it again.
field.addEventListener('input', () => {
  field.removeAttribute('aria-invalid');
  say('');
});

function say(text: string): void {
  message.textContent = text;
  message.classList.remove('failed');
  contact.hidden = true;
}

function fail(text: string, way?: 'contact'): void {
  setDoor('closed');
  say(text);
  message.classList.add('failed');
  contact.hidden = way !== 'contact';
  // At a zoom of 400 %, the message is below the window.
  message.scrollIntoView({ block: 'nearest' });
}

/**
 * Greets a visitor who has a session, and shows the link to the timeline. Nothing is recorded until
 * it is followed. Other people get a redirect from `/timeline`, not an error.
 */
async function greetAgain(): Promise<void> {
  const timeline = await fetch('/timeline', { method: 'HEAD', redirect: 'manual' });
  if (!timeline.ok) return;
  const visitor = await currentVisitor();
  // The visitor may have entered an address in the meantime.
  if (visitor === undefined || waiting || form.hidden) return;
  const { email, firstName } = visitor;
  if (invited !== '' && urlOf(invited) !== urlOf(email)) return;
  greet('welcomeBack', firstName);
  another.textContent = sentence('notYou', { who: firstName ?? email });
  link.href = timelineAt(place);
  onward.hidden = false;
  link.focus();
}

/**
 * Converts an address for a URL: its domain in ASCII. A link may have the readable form.
 *
 * @throws {TypeError}
 */
const urlOf = (address: string): string => new URL(`http://${address}`).href;

// No message here: if the service fails, the form says so when it is used.
const greetAgainIfConnected = () => greetAgain().catch(() => undefined);

/**
 * Fills in the address from the fragment of an invitation or of an ended session:
 * `/#ada@example.com`. Browsers do not send fragments. Any other fragment is a place in the
 * timeline, and is kept.
 */
function readFragment(): void {
  const fragment = location.hash.slice(1);
  // In lower case, "İ" is an "i" with a combining dot, which no address has.
  const address = addressInFragment(fragment)
    .toLowerCase()
    .replace(/i\u0307+/g, 'i');
  if (!isAddress(address)) {
    const named = fragment.replace(ENTERED, '').replace(PARAMETERS, '');
    if (fragment !== '' && named.length <= MAX_LENGTH) place = named;
    showPlace();
    if (ENTERED.test(fragment)) fail(cookieRefused());
    return;
  }
  showPlace();
  setDoor('closed');
  invited = address;
  field.value = address;
  field.focus();
  // Otherwise the field would show the end of a long address.
  field.setSelectionRange(0, 0);
}

/** Removes from the page's address what was read. Keeps the place and layout, for a reload. */
function showPlace(): void {
  history.replaceState(null, '', location.pathname + layoutAnd(place));
}

/** Does not focus the field on a phone, because the keyboard would cover the page. */
function focusField(): void {
  if (matchMedia('(pointer: fine)').matches) field.focus();
}

/** Shows why the visitor was sent here. */
function readReason(): void {
  say('');
  const query = new URLSearchParams(location.search);
  for (const [key, words] of Object.entries(REASONS)) {
    if (!query.has(key)) continue;
    say(sentence(words));
    if (key === 'uncounted') place = QUESTION;
  }
}

readReason();
readFragment();
addEventListener('hashchange', () => {
  say('');
  readFragment();
  greetAgainIfConnected();
});
button.disabled = false;
focusField();
greetAgainIfConnected();
