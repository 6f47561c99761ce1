/**
 * An invented year of a preview: 300 people, and what they do. The random numbers repeat, so every
 * demo shows the same.
 */
import type { Store } from '../lib/store/open.ts';
import type { Writer } from '../lib/store/tables.ts';

/** The first two people, to log in as. */
export const DEMO_VISITOR = 'ada@example.com';
export const DEMO_ADMINISTRATOR = 'grace@example.com';

const PEOPLE = 300;
const DAYS = 365;

/** In ms. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The days on which most people are invited. */
const WAVES = [0, 80, 190, 280, 345];

const FIRST_NAMES =
  `Amir Anna Ben Bruno Carla Chloé Clara Dana David Elif Emma Erik Fatima Finn Gita
  Hana Hugo Ida Ines Ivan Jana Jonas Kofi Lena Liam Lucía Mads Maya Milan Mina Nadia Nils Noor
  Olga Omar Paul Pia Rosa Sami Sara Tariq Theo Uma Vera Wanda Yara Yusuf Zoë`.split(/\s+/);
const LAST_NAMES = `abara bauer costa dahl ekman ferrari garcia haas ito jensen kaya lindt moreau
  novak okafor petrov quist rossi silva tanaka ulrich varga weber xu yilmaz zeman`.split(/\s+/);
/** `type/system/browser`. A device that is listed more often is used by more people. */
const DEVICES = `desktop/Windows/Chrome,desktop/Windows/Chrome,desktop/Windows/Edge,
  desktop/Mac OS/Safari,desktop/Mac OS/Safari,desktop/Mac OS/Chrome,desktop/Windows/Firefox,
  mobile/iOS/Mobile Safari,mobile/iOS/Mobile Safari,mobile/iOS/Mobile Safari,
  mobile/Android/Chrome,mobile/Android/Chrome,tablet/iOS/Mobile Safari`.split(/,\s*/);

/** A row to write later, at a time in epoch ms. */
type Job = { readonly at: number; readonly write: (writer: Writer) => void };

/** A login, and what the person does after it. */
type Visit = {
  readonly email: string;
  /** Epoch ms. */
  readonly login: number;
  /** The number of timeline views. */
  readonly views: number;
  /** Whether the person presses the join button. */
  readonly isJoin: boolean;
  /** One of `DEVICES`. */
  readonly device: string;
};

/** @param now when the year ends, in epoch ms */
export function fillDemoStore(store: Store, now: number): void {
  const random = randomNumbers();
  const jobs: Job[] = [];

  function pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(random() * from.length)];
    if (picked === undefined) throw new Error('the list is empty');
    return picked;
  }

  /** Plans the invite of a person. @param index from 0; the first two are the named ones */
  function planInvite(index: number): { readonly email: string; readonly invitedAt: number } {
    const isNamed = index < 2;
    const name = ['Ada', 'Grace'][index] ?? pick(FIRST_NAMES);
    const surname = isNamed ? '' : `.${pick(LAST_NAMES)}${index}`;
    const email = `${withoutAccents(name).toLowerCase()}${surname}@example.com`;
    const wave = random() < 0.25 ? random() * (DAYS - 2) : pick(WAVES);
    const day = isNamed ? 0 : wave;
    const invitedAt = now - DAYS * DAY + Math.floor(day * DAY + random() * 6 * HOUR);
    const hasName = isNamed || random() < 0.8;
    const firstName = hasName ? name : null;
    const isByTool = index < 60;
    const by = isByTool ? 'cli' : DEMO_ADMINISTRATOR;
    const via = isByTool ? 'cli' : 'page';
    jobs.push({
      at: invitedAt,
      write: ({ invites }) => {
        const invite = { email, firstName, invitedBy: by, invitedAt };
        invites.add(invite, { by, via, at: invitedAt });
        if (email === DEMO_ADMINISTRATOR) invites.setAdmin(email, true);
      },
    });
    return { email, invitedAt };
  }

  /** Plans the visits of a person. @param interest from 0 to 1: how much and how often */
  function planVisits(email: string, invitedAt: number, interest: number): void {
    const devices = [pick(DEVICES), pick(DEVICES)] as const;
    let login = invitedAt + random() ** 2 * 6 * DAY;
    for (let visits = 0; visits < 1 + interest * 9; visits += 1) {
      const waking = Math.floor(login / DAY) * DAY + (7 + (random() + random()) * 8) * HOUR;
      login = Math.floor(Math.max(waking, login));
      const views = interest < 0.33 ? 0 : 1 + Math.floor(random() * 4 * interest);
      const isJoin = interest > 0.66 && random() < 0.3 && email !== DEMO_VISITOR;
      const device = random() < 0.75 ? devices[0] : devices[1];
      const visit: Visit = { email, login, views, isJoin, device };
      if (login + HOUR < now) jobs.push({ at: login, write: (writer) => record(writer, visit) });
      login += (0.7 + (random() * 20) / interest) * DAY;
    }
  }

  for (let index = 0; index < PEOPLE; index += 1) {
    const { email, invitedAt } = planInvite(index);
    const interest = index < 2 ? 0.95 : random();
    // A quarter of the people never log in. Some of the others log in, and do nothing more.
    if (interest >= 0.25) planVisits(email, invitedAt, interest);
  }

  jobs.sort((one, other) => one.at - other.at);
  store.transaction((writer) => {
    for (const { write } of jobs) write(writer);
    // A running service deletes old sessions within a day. Delete them here, so the numbers repeat.
    writer.sessions.sweep(now + DAY, jobs.length);
  });
}

const withoutAccents = (name: string): string => name.normalize('NFD').replace(/\P{ASCII}/gu, '');

/** A login, a view every four minutes, and perhaps a press of the join button. */
function record({ sessions, events, joins }: Writer, visit: Visit): void {
  const { email, login, views, isJoin } = visit;
  const [deviceType = '', os = '', browser = ''] = visit.device.split('/');
  const { id: session } = sessions.begin(email, login);
  const event = { session, deviceType, os, browser };
  events.record({ ...event, type: 'login', occurredAt: login, meta: null });
  const meta = { view: deviceType === 'mobile' ? 'mobile' : 'desktop', forced: false } as const;
  for (let n = 0; n < views; n += 1) {
    const occurredAt = login + (n * 4 + 1) * MINUTE;
    events.record({ ...event, type: 'timeline_view', occurredAt, meta });
  }
  if (isJoin) joins.record({ session, clickedAt: login + views * 4 * MINUTE });
}

/** Repeatable numbers from 0 to 1: Lehmer's generator with the constants of MINSTD. */
function randomNumbers(): () => number {
  let state = 20_260_301;
  return () => {
    state = (state * 48_271) % (2 ** 31 - 1);
    return state / (2 ** 31 - 1);
  };
}
