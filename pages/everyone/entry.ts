/**
 * The entry page: logs in with an invited address, and greets who is logged in. Everybody can load
 * the files of `everyone/`, so they must not reveal the preview.
 */
import { readEmail, unwrapAddress } from '../../lib/addresses.ts';
import type words from '../../lib/site/words/en.json';
import { askForVisitor, find, post, request, type Visitor, write } from './shared.ts';

type Sentence = keyof typeof words.entry;

/** How long the welcome is shown, in ms. */
const WELCOME = 700;

const headline = find('h1', HTMLElement);
const ownHeadline = headline.textContent;
const form = find('#enter', HTMLFormElement);
const field = find('#email', HTMLInputElement);
const button = find('#enter button', HTMLButtonElement);
const message = find('#message', HTMLElement);
const contact = find('#contact', HTMLElement);
const onward = find('#onward', HTMLElement);
const link = find('#onward a', HTMLAnchorElement);
const another = find('#onward button', HTMLButtonElement);

const query = new URLSearchParams(location.search);
/** Whether a login is under way. */
let isWaiting = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (isWaiting) return;
  const email = readEmail(unwrapAddress(field.value));
  if (email === undefined) return refuse('notAnAddress');
  isWaiting = true;
  say('checking');
  await enter(email);
  isWaiting = false;
});

async function enter(email: string): Promise<void> {
  const response = await post('/auth/login', { email });
  if (response === undefined) return fail('offline');
  if (response.status === 400) return refuse('notAnAddress');
  if (response.status === 403) {
    refuse('notInvited', { email });
    contact.hidden = false;
    return undefined;
  }
  if (response.status === 429) {
    fail('tooManyAttempts', { inMinutes: timeToWait(response) });
    contact.hidden = false;
    return undefined;
  }
  if (!response.ok) return fail('unavailable');
  const visitor = await askForVisitor();
  if (visitor === null) return fail('cookieNotKept');
  if (visitor === undefined) return fail('offline');
  greet('welcome', visitor.firstName);
  const shown = new Promise((resolve) => setTimeout(resolve, WELCOME));
  await shown;
  location.replace(timeline());
}

/** "in 12 minutes", in the language of the page. */
function timeToWait({ headers }: Response): string {
  const minutes = Math.ceil(Number(headers.get('Retry-After')) / 60) || 1;
  return new Intl.RelativeTimeFormat(document.documentElement.lang).format(minutes, 'minute');
}

/** The timeline; for a guest whose press was not counted, the question in it. */
function timeline(): string {
  return query.has('uncounted') ? '/timeline#end' : '/timeline';
}

/** Opens the door. A greeting replaces the headline. */
function greet(words: 'welcome' | 'welcomeBack', firstName: string | null): void {
  document.body.classList.add('let-in');
  form.hidden = true;
  say(firstName === null ? `${words}Nameless` : words, { firstName: firstName ?? '' });
  headline.replaceChildren(...message.cloneNode(true).childNodes);
}

function closeDoor(): void {
  document.body.classList.remove('let-in');
  form.hidden = false;
  onward.hidden = true;
  headline.textContent = ownHeadline;
}

function say(word: Sentence, values: Readonly<Record<string, string>> = {}): void {
  clear();
  write(message, word, values);
}

function clear(): void {
  message.replaceChildren();
  message.classList.remove('failed');
  field.removeAttribute('aria-invalid');
  contact.hidden = true;
}

function fail(word: Sentence, values: Readonly<Record<string, string>> = {}): void {
  closeDoor();
  say(word, values);
  message.classList.add('failed');
}

/** Says what is wrong with the address, and selects it for correction. */
function refuse(word: Sentence, values: Readonly<Record<string, string>> = {}): void {
  fail(word, values);
  field.setAttribute('aria-invalid', 'true');
  field.select();
}

// The message was about another address.
field.addEventListener('input', clear);

another.addEventListener('click', () => {
  closeDoor();
  clear();
  field.focus();
});

/** The address in an invitation's link, `/#ada@example.com`. Browsers do not send it. */
function invitedAddress(): string | undefined {
  try {
    return readEmail(decodeURIComponent(location.hash.slice(1)));
  } catch {
    // Such as `#100%`.
    return undefined;
  }
}

/** Fills in the address of the link, which stays there, so that a reload fills it in again. */
async function arrive(): Promise<void> {
  const invited = invitedAddress();
  if (invited !== undefined) {
    closeDoor();
    field.value = invited;
  }
  // On a phone the keyboard would cover the page.
  if (matchMedia('(pointer: fine)').matches) field.focus();
  const visitor = await visitorWithSession();
  if (!visitor || isWaiting || form.hidden) return;
  if (invited !== undefined && invited !== visitor.email) return;
  greet('welcomeBack', visitor.firstName);
  write(another, 'notYou', { who: visitor.firstName ?? visitor.email });
  link.href = timeline();
  onward.hidden = false;
  link.focus();
}

/** Asks for the timeline first: unlike a 401, a redirect leaves no error in the console. */
async function visitorWithSession(): Promise<Visitor | null | undefined> {
  const reply = await request('/timeline', { method: 'HEAD', redirect: 'manual' });
  return reply?.ok ? askForVisitor() : null;
}

if (query.has('left')) say('loggedOut');
if (query.has('uncounted')) say('notCounted');
button.disabled = false;
addEventListener('hashchange', arrive);
arrive();
