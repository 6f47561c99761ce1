/** The administrators' page: starts its parts, and reads what they show. */
import type { Invite } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { clearTrouble, type InvitesReply, read, report, send } from './api.ts';
import { showGuests } from './guests.ts';
import { startInvite } from './invite.ts';
import { refreshLogs } from './logs.ts';
import { startMany } from './many.ts';
import { refreshPeriod } from './period.ts';
import { showPerson, startPerson } from './person.ts';

const main = find('main', HTMLElement);

async function readAccount(): Promise<void> {
  const { email, firstName } = await read<Pick<Invite, 'email' | 'firstName'>>('/auth/me');
  const me = find('#me', HTMLElement);
  me.textContent = firstName ?? email;
  me.title = email;
}

async function readInvites(): Promise<void> {
  const { invites } = await read<InvitesReply>('/api/svcops/invites');
  showGuests(invites);
  showPerson();
}

/** Reads everything. The page is shown when it is complete, so nothing jumps. */
async function refresh(): Promise<void> {
  try {
    await Promise.all([readAccount(), readInvites(), refreshPeriod(), refreshLogs()]);
    clearTrouble();
    open();
  } catch (error) {
    report(error);
  }
  find('#loading', HTMLElement).hidden = true;
}

function open(): void {
  if (!main.hidden) return;
  main.hidden = false;
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** After an invitation or a correction, which the numbers of the period do not show. */
async function readAgain(): Promise<void> {
  await Promise.all([readInvites(), refreshLogs()]).then(clearTrouble, report);
}

find('#logout', HTMLButtonElement).addEventListener('click', () => {
  send('/auth/logout').then(() => location.assign('/'), report);
});
find('#refresh', HTMLButtonElement).addEventListener('click', refresh);
find('#trouble button', HTMLButtonElement).addEventListener('click', refresh);
startInvite(readAgain);
startMany(readAgain);
startPerson(refreshLogs, readAgain);
refresh();
