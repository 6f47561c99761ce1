/** The administrator who reads the page, the first names of all administrators, and the logout. */
import { post } from '../everyone/post.ts';
import { Failure } from './api.ts';
import { find } from './elements.ts';
import { report } from './live.ts';

const you = find('#you', HTMLElement);

/** First names by address. */
const names: Readonly<Record<string, string>> = JSON.parse(you.dataset.names ?? '{}');

export const isYou = (email: string): boolean => email === you.dataset.email;

/**
 * The name of an administrator in the lists.
 *
 * @returns `You` or a first name; `undefined` without a name, or if the person is no administrator
 */
export const nameOfAdministrator = (email: string): string | undefined =>
  isYou(email) ? 'You' : names[email];

find('#logout', HTMLButtonElement).addEventListener('click', async () => {
  const reply = await post('/auth/logout');
  if (reply?.ok) location.assign('/?left');
  else report(new Failure(reply ? 'unavailable' : 'offline'));
});
