/** Copies the addresses of the people that the filters of the invite list show. */
import { lists } from './api.ts';
import { find } from './elements.ts';
import { attempt } from './live.ts';
import { copyText, formatCount, type Invited, mailbox, NO_COPY } from './parts.ts';
import { invites } from './tables.ts';

/** Addresses that are copied at most. */
const MOST = 5_000;

const copied = find('#people-copied', HTMLElement);

export function wireFollowUp(): void {
  const wire = (selector: string, write: (person: Invited) => string, separator: string) =>
    find(selector, HTMLButtonElement).addEventListener('click', () =>
      attempt(() => copy(write, separator)),
    );
  wire('#people-copy', ({ email }) => email, '\n');
  wire('#people-copy-names', mailbox, ',\n');
}

async function copy(write: (person: Invited) => string, separator: string): Promise<void> {
  copied.textContent = 'Reading…';
  try {
    const reading = lists.invites(MOST, invites.query());
    const done = await copyText(reading.then(({ rows }) => rows.map(write).join(separator)));
    const { rows, next } = await reading;
    const count = `${formatCount(rows.length)} ${rows.length === 1 ? 'address' : 'addresses'}`;
    const more = next === null ? '' : ' The filters show more: please narrow them.';
    copied.textContent = done
      ? `${count} copied.${more}`
      : `${NO_COPY} The export has the addresses.`;
  } catch (error) {
    copied.textContent = 'Nothing is copied.';
    throw error;
  }
}
