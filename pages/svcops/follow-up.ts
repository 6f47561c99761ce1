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

export function wireFollowUp(): void {
  const wire = (selector: string, write: (person: Invited) => string, separator: string) =>
    find(selector, HTMLButtonElement).addEventListener('click', () =>
      attempt(async () => {
        copied.textContent = 'Nothing is copied yet.';
        await copyTo(copied, readAddresses(write, separator), 'The export has the addresses.');
      }),
    );
  wire('#people-copy', ({ email }) => email, '\n');
  wire('#people-copy-names', mailbox, ',\n');
}

async function readAddresses(write: (person: Invited) => string, separator: string) {
  const { rows, next } = await lists.invites(MOST, invites.query());
  const count = `${formatCount(rows.length)} ${rows.length === 1 ? 'address' : 'addresses'}`;
  const more = next === null ? '' : ' The filters show more: please narrow them.';
  return { text: rows.map(write).join(separator), done: `${count} copied.${more}` };
}
