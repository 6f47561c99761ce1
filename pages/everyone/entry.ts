/** The entry page: an invited address lets its owner in, and who is already in is led on. */
import { currentVisitor, explain, post, REPLY_TIMEOUT, type Visitor } from './post.ts';

/** Time to read the greeting, in ms. */
const GREETING = 1800;

/** Why somebody is here again, by the query that they were sent with. */
const REASONS: Readonly<Record<string, string>> = {
  '?ended': 'Your session has ended. Please enter your address again.',
  '?left': 'You are logged out.',
};

const NO_COOKIE =
  'You are on the list, but your browser did not keep this site’s cookie, which remembers you. ' +
  'Please allow cookies for this site, then try again.';

const form = find('#enter', HTMLFormElement);
const button = find('#enter button', HTMLButtonElement);
// Not of type email: of faß.example Chromium would make fass.example, another domain.
const field = find('#email', HTMLInputElement);
const message = find('#message', HTMLElement);
const onward = find('#onward', HTMLElement);
const link = find('#onward a', HTMLAnchorElement);
let waiting = false;
let leaving = false;
/** Leads on when the greeting has been read. */
let timer: number | undefined;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (waiting) return;
  const email = field.value.trim();
  // The server's own rule; a slip of the finger costs no attempt.
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    return refuse('That is not an email address. It looks like name@example.com.');
  waiting = true;
  field.removeAttribute('aria-invalid');
  say('Looking for you on the list…');
  await enter(email).catch(() => say(explain(undefined)));
  waiting = false;
});

async function enter(email: string): Promise<void> {
  const response = await post('/auth/login', { email });
  if (response?.status === 400) return refuse('That is not an email address.');
  // A proxy in front may refuse for its own reasons.
  if (response?.status === 403 && (await response.text()).includes('not_invited'))
    return refuse(`${email} is not on the list. Is it the address that was invited?`);
  if (!response?.ok) return say(explain(response));
  const visitor = await currentVisitor();
  if (visitor) greet('Welcome', visitor);
  else say(NO_COOKIE);
}

/** Opens the door, greets by first name or without, and leads on. */
function greet(words: string, { firstName }: Visitor): void {
  setDoor('open');
  link.focus();
  say(firstName ? `${words}, ${firstName}.` : `${words}.`);
  timer = setTimeout(leadOn, GREETING);
}

function setDoor(state: 'open' | 'closed'): void {
  const open = state === 'open';
  document.body.classList.toggle('let-in', open);
  form.hidden = open;
  onward.hidden = !open;
}

/** Requests the timeline once, because each request is recorded as a view. */
function leadOn(): void {
  clearTimeout(timer);
  if (leaving) return;
  leaving = true;
  setTimeout(() => {
    leaving = false;
  }, REPLY_TIMEOUT);
  location.replace('/timeline');
}

link.addEventListener('click', (event) => {
  event.preventDefault();
  leadOn();
});

/** Says what is wrong with the address, and leads back to it. */
function refuse(text: string): void {
  say(text);
  field.setAttribute('aria-invalid', 'true');
  field.select();
}

// What was said is about an address that is no longer there; saying it again is announced again.
field.addEventListener('input', () => {
  field.removeAttribute('aria-invalid');
  say('');
});

function say(text: string): void {
  message.textContent = text;
}

function find<T extends Element>(selector: string, type: new () => T): T {
  const element = document.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${selector}`);
}

/** Who is logged in already is greeted. Asked of the timeline, because there a "no" is a redirect and not an error. */
async function greetAgain(): Promise<void> {
  const timeline = await fetch('/timeline', { method: 'HEAD', redirect: 'manual' });
  const visitor = timeline.ok && (await currentVisitor());
  // Somebody may have entered an address meanwhile.
  if (visitor && !waiting && !form.hidden) greet('Welcome back', visitor);
}

// Without a connection nobody is greeted, and the field says so when it is used.
const greetAgainIfConnected = () => greetAgain().catch(() => undefined);

// The browser may keep this page in memory and show it again after a logout.
addEventListener('pagehide', () => {
  clearTimeout(timer);
  leaving = false;
  setDoor('closed');
  say('');
});
addEventListener('pageshow', (event) => event.persisted && greetAgainIfConnected());

say(REASONS[location.search] ?? '');
if (location.search) history.replaceState(null, '', '/');
button.disabled = false;
greetAgainIfConnected();
