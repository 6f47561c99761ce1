/** What both layouts of the timeline do: say who is here, record a press to join, and log out. */
import { explain, post } from './post.ts';

const name = document.querySelector('#name');
const notice = document.querySelector('#notice');
const message = document.querySelector('#message');
let recorded = 0;

onSubmit('#join', async () => {
  say(message, 'Recording…');
  const response = await post('/api/project-join');
  if (response?.status === 401) return leave('?ended');
  if (!response?.ok) return say(message, `${failure(response)} ${explain(response)}`);
  recorded += 1;
  say(message, confirmation(recorded));
});

onSubmit('#logout', async () => {
  say(notice, 'Logging out…');
  const response = await post('/auth/logout');
  if (response?.ok) return leave('?left');
  say(notice, `You are still logged in. ${explain(response)}`);
});

/** Does it here instead of sending the button's form, which is there for browsers without scripts. */
function onSubmit(button: string, act: () => Promise<void>): void {
  const form = document.querySelector<HTMLButtonElement>(button)?.form;
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });
}

/** What happened, different after each press so that it is announced each time. */
function confirmation(presses: number): string {
  if (presses === 1) return 'Recorded. Thank you: we know that you want to join.';
  const times = presses === 2 ? 'twice' : `${presses} times`;
  return `Recorded again: ${times} since you opened this page.`;
}

/** Where no answer came, nobody here knows whether the press arrived. */
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

/** Shows the first name; who is logged out by now must not go on reading. */
async function showName(): Promise<void> {
  const me = await fetch('/auth/me');
  if (me.status === 401) return leave('?ended');
  if (me.ok) say(name, (await me.json()).firstName ?? '');
}

const showNameIfConnected = () => showName().catch(() => undefined);
showNameIfConnected();
// A page that comes back from the browser's memory was not asked for again.
addEventListener('pageshow', (event) => event.persisted && showNameIfConnected());
