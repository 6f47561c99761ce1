/** The entry page: an invited address lets its owner in, and who is already in is led on. */
import { explain, post } from './post.ts';

/** Time to read the greeting, in ms. */
const GREETING = 1800;

/** Why somebody is here again, by the query that they were sent with. */
const REASONS: Readonly<Record<string, string>> = {
  '?ended': 'Your session has ended. Please enter your address again.',
  '?left': 'You are logged out.',
};

const form = find('#enter', HTMLFormElement);
// Not of type email: of faß.example Chromium would make fass.example, another domain.
const field = find('#email', HTMLInputElement);
const message = find('#message', HTMLElement);
const onward = find('#onward', HTMLElement);
let waiting = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (waiting) return;
  const email = field.value.trim();
  // The server's own rule; a slip of the finger costs no attempt.
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    return refuse('That is not an email address. It looks like name@example.com.');
  waiting = true;
  say('Looking for you on the list…');
  await enter(email);
  waiting = false;
});

async function enter(email: string): Promise<void> {
  const response = await post('/auth/login', { email });
  if (response?.ok) return greet('Welcome', (await response.json()).firstName);
  if (response?.status === 400) return refuse('That is not an email address.');
  if (response?.status === 403)
    return refuse(`${email} is not on the list. Is it the address that was invited?`);
  say(explain(response));
}

/** Opens the door, greets by first name or without, and leads on. */
function greet(words: string, firstName: string | null): void {
  document.body.classList.add('let-in');
  form.hidden = true;
  onward.hidden = false;
  onward.querySelector('a')?.focus();
  say(firstName ? `${words}, ${firstName}.` : `${words}.`);
  setTimeout(() => location.replace('/timeline'), GREETING);
}

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
  if (!timeline.ok) return;
  const me = await fetch('/auth/me');
  if (me.ok) greet('Welcome back', (await me.json()).firstName);
}

say(REASONS[location.search] ?? '');
if (location.search) history.replaceState(null, '', '/');
// Without a connection there is nobody to greet, and the field says so when it is used.
greetAgain().catch(() => undefined);
