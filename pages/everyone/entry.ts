/**
 * The entry page: logs in with an invited address, and greets who is logged in. Everybody can load
 * the files of `everyone/`, so they must not reveal the preview.
 */
import { decodePercent, readEmail, unwrapAddress } from '../../lib/addresses.ts';
import { find, firstName, ownEmail, post, type Sentence, type Values, write } from './shared.ts';

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

/** After these a guest may have to ask the owner. */
const NEEDS_CONTACT: readonly Sentence[] = ['notInvited', 'tooManyAttempts'];

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
  await enter(email, readEmail(field.value) ?? email);
  isWaiting = false;
});

/** @param written the address with what was cut from it, which may belong to it after all */
async function enter(email: string, written: string): Promise<void> {
  const response = await post('/auth/login', { email });
  if (response === undefined) return fail('offline');
  if (response.status === 400) return refuse('notAnAddress');
  if (response.status === 403 && written !== email) return enter(written, written);
  if (response.status === 403) return refuse('notInvited', { email });
  if (response.status === 429) return fail('tooManyAttempts', { inMinutes: timeToWait(response) });
  if (!response.ok) return fail('unavailable');
  const guest = await response.json().catch(() => ({}));
  greet('welcome', guest.firstName ?? undefined);
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
function greet(words: 'welcome' | 'welcomeBack', name: string | undefined): void {
  document.body.classList.add('let-in');
  form.hidden = true;
  if (name === undefined) say(`${words}Nameless`);
  else say(words, { firstName: name });
  headline.replaceChildren(...message.cloneNode(true).childNodes);
}

function closeDoor(): void {
  document.body.classList.remove('let-in');
  form.hidden = false;
  onward.hidden = true;
  headline.textContent = ownHeadline;
}

function say(word: Sentence, values?: Values): void {
  clear();
  write(message, word, values);
  contact.hidden = !NEEDS_CONTACT.includes(word);
}

function clear(): void {
  message.replaceChildren();
  message.classList.remove('failed');
  field.removeAttribute('aria-invalid');
  contact.hidden = true;
}

function fail(word: Sentence, values?: Values): void {
  closeDoor();
  say(word, values);
  message.classList.add('failed');
  // In a page enlarged to 400 % it is below the window.
  message.scrollIntoView({ block: 'nearest' });
}

/** Says what is wrong with the address, and selects it for correction. */
function refuse(word: Sentence, values?: Values): void {
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

/** `ada@example.com`, without what clings to links: `?utm_source=x`, `&x=1`, `/`, `.`, `)`, `>`. */
const LINKED = /^[^@]+@[^@?&/)>]*[^@?&/)>.]/;

/** The address in an invitation's link, `/#ada@example.com`. Browsers do not send it. */
function invitedAddress(): string | undefined {
  const [address = ''] = LINKED.exec(decodePercent(location.hash.slice(1))) ?? [];
  return readEmail(address);
}

/** Fills in the address of the link, which stays there, so that a reload fills it in again. */
function arrive(): void {
  const invited = invitedAddress();
  if (invited !== undefined) {
    closeDoor();
    field.value = invited;
  }
  // On a phone the keyboard would cover the page.
  if (matchMedia('(pointer: fine)').matches) field.focus();
  if (ownEmail === undefined || isWaiting) return;
  if (invited !== undefined && invited !== ownEmail) return;
  greet('welcomeBack', firstName);
  write(another, 'notYou', { who: firstName ?? ownEmail });
  link.href = timeline();
  onward.hidden = false;
  link.focus();
}

/** Whether a login led to the timeline, which led back, because it got no cookie. */
function lacksCookie(): boolean {
  const [from] = document.referrer.split('?');
  const [navigation] = performance.getEntriesByType('navigation');
  // A reload and a step back have the same referrer, and the session may have ended since.
  const isFirst =
    navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  return ownEmail === undefined && isFirst && from === `${location.origin}/`;
}

if (lacksCookie()) fail('cookieNotKept');
if (query.has('left')) say('loggedOut');
if (query.has('uncounted')) say(ownEmail === undefined ? 'notCounted' : 'someoneElse');
button.disabled = false;
addEventListener('hashchange', arrive);
arrive();
