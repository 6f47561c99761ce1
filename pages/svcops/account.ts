/** The administrator who reads the page, the first names of all administrators, and the way out. */
import { post } from '../everyone/post.ts';
import { Failure } from './api.ts';
import { find } from './elements.ts';
import { report } from './live.ts';

const you = find('#you', HTMLElement);

/** First names by address. */
const names: Readonly<Record<string, string>> = JSON.parse(you.dataset.names ?? '{}');

export const isYou = (email: string): boolean => email === you.dataset.email;

/**
 * An administrator as the lists name them.
 *
 * @returns `You`, a first name, or `undefined` for a person without one, or who is no administrator
 */
export const nameOfAdministrator = (email: string): string | undefined =>
  isYou(email) ? 'You' : names[email];

find('#logout', HTMLButtonElement).addEventListener('click', async () => {
  const reply = await post('/auth/logout');
  if (reply?.ok) location.assign('/?left');
  else report(new Failure(reply ? 'unavailable' : 'offline'));
});
