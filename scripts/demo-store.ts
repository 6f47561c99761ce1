/**
 * An invented year of a preview: 300 people, and what they do. The same for each end of the year.
 */
import type { Store } from '../lib/store/open.ts';
import type { Writer } from '../lib/store/tables.ts';

/** The first two people, to log in as. */
export const DEMO_VISITOR = 'ada@example.com';
export const DEMO_ADMINISTRATOR = 'grace@example.com';

const [PEOPLE, DAYS, HOUR, DAY] = [300, 365, 3_600_000, 86_400_000];
/** The days on which invitations go out, for most people. */
const WAVES = [0, 80, 190, 280, 345];

const FIRST_NAMES =
  `Amir Anna Ben Bruno Carla Chloé Clara Dana David Elif Emma Erik Fatima Finn Gita
  Hana Hugo Ida Ines Ivan Jana Jonas Kofi Lena Liam Lucía Mads Maya Milan Mina Nadia Nils Noor
  Olga Omar Paul Pia Rosa Sami Sara Tariq Theo Uma Vera Wanda Yara Yusuf Zoë`.split(/\s+/);
const LAST_NAMES = `abara bauer costa dahl ekman ferrari garcia haas ito jensen kaya lindt moreau
  novak okafor petrov quist rossi silva tanaka ulrich varga weber xu yilmaz zeman`.split(/\s+/);
/** One that is listed more often is used by more people. */
const DEVICES = `desktop/Windows/Chrome,desktop/Windows/Chrome,desktop/Windows/Edge,
  desktop/Mac OS/Safari,desktop/Mac OS/Safari,desktop/Mac OS/Chrome,desktop/Windows/Firefox,
  mobile/iOS/Mobile Safari,mobile/iOS/Mobile Safari,mobile/iOS/Mobile Safari,
  mobile/Android/Chrome,mobile/Android/Chrome,tablet/iOS/Mobile Safari`.split(/,\s*/);

/** @param now when the year ends, in epoch ms */
export function fillDemoStore(store: Store, now: number): void {
  const random = randomNumbers();
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  const jobs: { readonly at: number; readonly write: (writer: Writer) => void }[] = [];

  for (let i = 0; i < PEOPLE; i += 1) {
    const name = ['Ada', 'Grace'][i] ?? pick(FIRST_NAMES);
    const local = name
      .normalize('NFD')
      .replace(/\P{ASCII}/gu, '')
      .toLowerCase();
    const email = `${local}${i < 2 ? '' : `.${pick(LAST_NAMES)}${i}`}@example.com`;
    const wave = random() < 0.25 ? random() * (DAYS - 2) : Number(pick(WAVES.map(String)));
    const at = now - DAYS * DAY + Math.floor((i < 2 ? 0 : wave) * DAY + random() * 6 * HOUR);
    const by = i < 60 ? 'cli' : DEMO_ADMINISTRATOR;
    const firstName = i < 2 || random() < 0.8 ? name : null;
    const via = by === 'cli' ? 'cli' : 'page';
    jobs.push({
      at,
      write: ({ invites }) => {
        invites.add({ email, firstName, invitedBy: by, invitedAt: at }, { by, via, at });
        if (email === DEMO_ADMINISTRATOR) invites.setAdmin(email, true);
      },
    });
    // A quarter of the people never log in, and some of the others only do that.
    const interest = i < 2 ? 0.95 : random();
    if (interest < 0.25) continue;
    const devices = [pick(DEVICES), pick(DEVICES)];
    let login = at + random() ** 2 * 6 * DAY;
    for (let visits = 0; visits < 1 + interest * 9; visits += 1) {
      const waking = Math.floor(login / DAY) * DAY + (7 + (random() + random()) * 8) * HOUR;
      login = Math.floor(Math.max(waking, login));
      const views = interest < 0.33 ? 0 : 1 + Math.floor(random() * 4 * interest);
      const isJoin = interest > 0.66 && random() < 0.3 && email !== DEMO_VISITOR;
      const visit = { email, login, views, isJoin, device: devices[random() < 0.75 ? 0 : 1] ?? '' };
      if (login + HOUR < now) jobs.push({ at: login, write: (writer) => record(writer, visit) });
      login += (0.7 + (random() * 20) / interest) * DAY;
    }
  }

  jobs.sort((one, other) => one.at - other.at);
  store.transaction((writer) => {
    for (const { write } of jobs) write(writer);
    // As a running service would within a day, so that the tools always print the same numbers.
    writer.sessions.sweep(now + DAY, jobs.length);
  });
}

type Visit = Readonly<Record<'email' | 'device', string>> &
  Readonly<Record<'login' | 'views', number>> & { readonly isJoin: boolean };

/** A login, a view each four minutes, and perhaps a press of the join button. */
function record({ sessions, events, joins }: Writer, visit: Visit): void {
  const { email, login, views, isJoin } = visit;
  const [deviceType = '', os = '', browser = ''] = visit.device.split('/');
  const { id: session } = sessions.begin(email, login);
  const event = { session, deviceType, os, browser };
  events.record({ ...event, type: 'login', occurredAt: login, meta: null });
  const meta = { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false } as const;
  for (let n = 0; n < views; n += 1) {
    const occurredAt = login + (n * 4 + 1) * 60_000;
    events.record({ ...event, type: 'timeline_view', occurredAt, meta });
  }
  if (isJoin) joins.record({ session, clickedAt: login + views * 4 * 60_000 });
}

/** Repeatable numbers from 0 to 1: Lehmer's generator with the constants of MINSTD. */
function randomNumbers(): () => number {
  let state = 20_260_301;
  return () => {
    state = (state * 48_271) % (2 ** 31 - 1);
    return state / (2 ** 31 - 1);
  };
}
