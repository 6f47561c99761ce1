/** Writes the year of `demo-data.ts` into a store, in the form that the service writes. */
import type { Store, Writer } from '../lib/store/open.ts';
import { DEMO_ADMINISTRATOR, type DemoVisit, inventPreview } from './demo-data.ts';

const DAY = 86_400_000;

/** @param now when the year ends, in epoch ms */
export function fillDemoStore(store: Store, now: number): void {
  const { people, visits } = inventPreview(now);
  store.transaction((writer) => {
    for (const person of people.toSorted((one, other) => one.invitedAt - other.invitedAt)) {
      const { invitedBy: by, invitedAt: at } = person;
      writer.invites.add(person, by === 'cli' ? { at } : { by, via: 'page', at });
    }
    writer.invites.setAdmin(DEMO_ADMINISTRATOR, true);
    for (const visit of visits) record(writer, visit);
    // As a running service would within a day, so that the tools always print the same numbers.
    writer.sessions.sweep(now + DAY, visits.length);
  });
}

function record(writer: Writer, { email, login, views, joins, device }: DemoVisit): void {
  const [deviceType = '', os = '', browser = ''] = device.split('/');
  const { id: session } = writer.sessions.begin(email, login);
  const who = { session, deviceType, os, browser };
  writer.events.record({ ...who, type: 'login', occurredAt: login, meta: null });
  for (const occurredAt of views) {
    const view = deviceType === 'mobile' ? 'mobile' : 'desktop';
    writer.events.record({
      ...who,
      type: 'timeline_view',
      occurredAt,
      meta: { view, forced: false },
    });
  }
  for (const clickedAt of joins) writer.joins.record({ session, clickedAt });
}
