/** Copies the addresses of the people that the filters of the invite list show. */
import { lists } from './api.ts';
import { find } from './elements.ts';
import { copyTo, type Invited, mailbox } from './letters.ts';
import { attempt } from './live.ts';
import { formatCount } from './parts.ts';
import { invites } from './tables.ts';

/** Addresses that are copied at most. */
const MOST = 5_000;

const copied = find('#people-copied', HTMLElement);

for (const [selector, write, separator] of [
  ['#people-copy', ({ email }: Invited) => email, '\n'],
  ['#people-copy-names', mailbox, ',\n'],
] as const)
  find(selector, HTMLButtonElement).addEventListener('click', () => {
    copied.textContent = 'Nothing is copied yet.';
    attempt(() => copyTo(copied, addresses(write, separator), 'The export has the addresses.'));
  });

async function addresses(write: (person: Invited) => string, separator: string) {
  const { rows, next } = await lists.invites(MOST, invites.query());
  const count = `${formatCount(rows.length)} ${rows.length === 1 ? 'address' : 'addresses'}`;
  const more = next === null ? '' : ' The filters show more: please narrow them.';
  return { text: rows.map(write).join(separator), done: `${count} copied.${more}` };
}
