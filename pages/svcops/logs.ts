/** Who joined, and the logs of joins and events, of everyone or of one person. */
import type { Event, JoinClick, JoinSummary } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { type EventsReply, type JoinsReply, read, report } from './api.ts';
import { nameDevice, personLink, timeElement } from './elements.ts';
import { nameCell } from './guests.ts';
import { type Column, countColumn, createList, timeColumn } from './list.ts';
import { shownPerson } from './person.ts';

const type = find('#events-type', HTMLSelectElement);

/** The first column. The page of one person leaves it out. */
const EMAIL: Column<{ readonly email: string }> = {
  heading: 'Email',
  cell: ({ email }) => personLink(email),
  value: ({ email }) => email,
};

const showJoined = createList<JoinSummary>({
  section: '#joins',
  sortedBy: 'First',
  none: 'Nobody has joined yet.',
  columns: [
    EMAIL,
    { heading: 'First name', cell: nameCell, value: ({ firstName }) => firstName },
    countColumn('Joins', ({ clicks }) => clicks),
    timeColumn('First', ({ firstAt }) => firstAt),
    timeColumn('Last', ({ clicks, lastAt }) => (clicks > 1 ? lastAt : null)),
  ],
});

const readJoins = createLog<JoinClick>({
  section: '#clicks',
  none: 'No joins yet.',
  columns: [EMAIL, { heading: 'Time', cell: ({ clickedAt }) => timeElement(clickedAt) }],
  readPart: async (before) => {
    const query = { email: shownPerson(), before };
    const { clicks, older, summary } = await read<JoinsReply>('/api/svcops/joins', query);
    if (summary) showJoined(summary);
    return { rows: clicks, older };
  },
});

const readEvents = createLog<Event>({
  section: '#events',
  none: 'No events yet.',
  columns: [
    EMAIL,
    { heading: 'Time', cell: ({ occurredAt }) => timeElement(occurredAt) },
    { heading: 'Event', cell: nameEvent },
    { heading: 'Device', cell: deviceCell },
    { heading: 'Browser', cell: ({ browser }) => nameDevice(browser), kind: 'wide' },
  ],
  readPart: async (before) => {
    const query = { email: shownPerson(), type: type.value, before };
    const { events, older } = await read<EventsReply>('/api/svcops/events', query);
    return { rows: events, older };
  },
});

function nameEvent({ meta }: Event): string {
  if (meta === null) return 'Login';
  const layout = meta.view === 'mobile' ? 'phone' : 'desktop';
  return `View · ${layout} layout${meta.forced ? ', chosen by link' : ''}`;
}

function deviceCell({ deviceType, os }: Event): string {
  const device = nameDevice(deviceType);
  return os === '' ? device : `${device}, ${nameDevice(os)}`;
}

type Part<Row> = { readonly rows: readonly Row[]; readonly older: number | null };

type LogOptions<Row> = {
  readonly section: string;
  readonly none: string;
  readonly columns: readonly Column<Row>[];
  /** @param before empty for the newest part */
  readonly readPart: (before: string) => Promise<Part<Row>>;
};

/** A log, which the service sends in parts. @returns a function that shows its newest part */
function createLog<Row>({ readPart, ...options }: LogOptions<Row>): () => Promise<void> {
  const show = createList({ ...options, loadOlder: () => load(older).catch(report) });
  let rows: readonly Row[] = [];
  let older = '';
  let asked = 0;

  async function load(before: string): Promise<void> {
    asked += 1;
    const own = asked;
    const part = await readPart(before);
    // Another filter, or a second press, may have asked since.
    if (own !== asked) return;
    rows = before === '' ? part.rows : [...rows, ...part.rows];
    older = String(part.older ?? '');
    show(rows, older !== '');
  }

  return () => load('');
}

/** @throws {Failure} if the service does not answer */
export async function refreshLogs(): Promise<void> {
  await Promise.all([readJoins(), readEvents()]);
}

type.addEventListener('change', () => readEvents().catch(report));
