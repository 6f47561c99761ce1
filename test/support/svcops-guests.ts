/** Five invited people for the lists of the administrator. Three have logged in, one has joined. */
import type { Writer } from '../../lib/store/open.ts';

const PEOPLE = ['ada', 'bo', 'cleo', 'dora'] as const;

/** The time of the first invite, in epoch ms: 1 March 2026, noon UTC. */
export const TIME = Date.UTC(2026, 2, 1, 12);

export function inviteGuests({ invites, events, joins }: Writer): void {
  const at = (minutes: number) => TIME + minutes * 60_000;
  PEOPLE.forEach((name, i) => {
    const invite = { email: `${name}@example.com`, invitedBy: 'cli', invitedAt: at(i) };
    invites.add({ ...invite, firstName: name === 'bo' ? '=Bo, "B"' : null });
  });
  invites.add({
    email: 'root@example.com',
    firstName: 'Root',
    invitedBy: 'cli',
    invitedAt: at(9),
  });
  invites.setAdmin('root@example.com', true);
  const device = { session: 's1', deviceType: 'mobile', os: 'iOS', browser: 'Mobile Safari' };
  const meta = { view: 'mobile', forced: true } as const;
  for (const [i, name] of ['bo', 'cleo', 'dora'].entries()) {
    const email = `${name}@example.com`;
    events.record({
      type: 'login',
      email,
      occurredAt: at(20 + i),
      ...device,
      meta: null,
    });
    for (let n = 0; n < i * 3; n++)
      events.record({
        type: 'timeline_view',
        email,
        occurredAt: at(30),
        ...device,
        meta,
      });
  }
  for (const minutes of [40, 41])
    joins.record({ email: 'dora@example.com', session: 's1', clickedAt: at(minutes) });
}
