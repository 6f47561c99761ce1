/**
 * The entry page: logs in by an invited address, and greets visitors who have a session. Every
 * client can load `everyone/`, so no file of it may reveal the preview.
 */
import { addressInFragment, unwrapAddress } from '../../lib/addresses/unwrap.ts';
import type { LoginReply } from '../../lib/routes/replies.ts';
import { find } from './find.ts';
import { currentVisitor, post } from './post.ts';
import { type Sentence, sentence } from './words.ts';
import './transitions.ts';

/** How long the welcome stays, from the reply to the login, in ms. */
const WELCOME = 700;

/** How long the page waits to know whether the browser has kept the cookie, in ms. */
const PATIENCE = 3000;

/**
 * The beginning of the timeline's fragment if the page did not know in time whether the cookie was
 * kept: `#entered` and `#entered/entry-5`, not `#entered-5`. Without the cookie, the service
 * redirects back here, and browsers keep the fragment.
 */
const ENTERED = /^entered(?:\/|$)/;

/** What mailing tools add behind the fragment of a link: `entry-5?utm_source=x`. */
const PARAMETERS = /[?&].*/;

/** No address and no place is longer. What is pasted around an address may be. */
const MAX_LENGTH = 254;

/**
 * `ada@example.com` and `ada@example。com`, not `ada@example`. A typing error that it finds does not
 * reach the service, where it would count as an attempt. It is looser than the service's rule. Its
 * time grows with the square of the text's length, so it is only used where that is limited. The
 * dots are those of Chinese and Japanese keyboards too.
 */
const ADDRESS = /^[^\s@]+@[^\s@]+[.。．｡][^\s@]+$/;

/** Why a visitor was sent back here, by the query of the address. */
const REASONS: Readonly<Record<string, Sentence>> = {
  ended: 'sessionEnded',
  left: 'loggedOut',
  uncounted: 'notCounted',
};

/** Where the question of the timeline is. */
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
/** The owner's line for those who are not on the list. */
const contact = find('#contact', HTMLElement);
const onward = find('#onward', HTMLElement);
const link = find('#onward a', HTMLAnchorElement);
const another = find('#onward button', HTMLButtonElement);
/** The address in the link of an invitation. */
let invited = '';
/** The place in the timeline to which a link leads, as a fragment without its `#`. */
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
    // The greeting has hidden the field, which lost the focus.
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

/** A cookie for https alone is refused over http. */
function cookieRefused(): string {
  const needsHttps = sentence('needsHttps');
  if (location.protocol === 'http:' && needsHttps !== '') return needsHttps;
  return sentence('cookieNotKept');
}

/** The timeline in the layout that the link has named. @param fragment without its `#` */
const timelineAt = (fragment: string): string => `/timeline${layoutAnd(fragment)}`;

/** The end of an address: the query with the layout that the link has named, and a fragment. */
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

/** Opens the door, and greets by first name if there is one, in the place of the headline. */
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

/** Says what is wrong with the address, and selects it. */
function refuse(text: string, way?: 'contact'): void {
  field.setAttribute('aria-invalid', 'true');
  field.select();
  fail(text, way);
}

/** Says that an address is not on the list. The style sheet shows one line of a long one. */
function refuseAddress(email: string): void {
  const text = sentence('notInvited', { email });
  refuse(text, 'contact');
  const start = text.indexOf(email);
  if (start < 0) return;
  const address = document.createElement('bdi');
  address.textContent = email;
  message.replaceChildren(text.slice(0, start), address, text.slice(start + email.length));
}

// The message was about another address. An emptied message is announced when it is set again.
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
  // At a zoom of 400 % it is below the window.
  message.scrollIntoView({ block: 'nearest' });
}

/**
 * Greets a visitor who has a session, and offers the way on: nothing is recorded until it is taken.
 * `/timeline` answers others by a redirect, not an error.
 */
async function greetAgain(): Promise<void> {
  const timeline = await fetch('/timeline', { method: 'HEAD', redirect: 'manual' });
  if (!timeline.ok) return;
  const visitor = await currentVisitor();
  // The visitor may have sent an address in the meantime.
  if (visitor === undefined || waiting || form.hidden) return;
  const { email, firstName } = visitor;
  if (invited !== '' && urlOf(invited) !== urlOf(email)) return;
  greet('welcomeBack', firstName);
  another.textContent = sentence('notYou', { who: firstName ?? email });
  link.href = timelineAt(place);
  onward.hidden = false;
  link.focus();
}

/** As a URL, whose domain is in ASCII: a link may have the readable form. @throws {TypeError} */
const urlOf = (address: string): string => new URL(`http://${address}`).href;

// A failure is silent here: the form reports it when it is used.
const greetAgainIfConnected = () => greetAgain().catch(() => undefined);

/**
 * Fills in the address of an invitation or of an ended session: `/#ada@example.com`, which browsers
 * do not send. Any other fragment is a place in the timeline, and is kept.
 */
function readFragment(): void {
  const fragment = location.hash.slice(1);
  // Lower-casing "İ" leaves an "i" with a combining dot, which no address has.
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

/** Takes out of the address what was read. What leads on after the login stays, for a reload. */
function showPlace(): void {
  history.replaceState(null, '', location.pathname + layoutAnd(place));
}

/** Not on a phone, which would cover the page with its keyboard. */
function focusField(): void {
  if (matchMedia('(pointer: fine)').matches) field.focus();
}

/** Says why a visitor was sent here. */
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
