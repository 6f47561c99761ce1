/** An invented year of a preview: invitations, logins, views and joins. Always the same. */
import type { NewInvite } from '../lib/records.ts';

export type DemoVisit = {
  readonly email: string;
  /** Epoch ms of the login, of each view, and of each press of the join button. */
  readonly login: number;
  readonly views: readonly number[];
  readonly joins: readonly number[];
  /** Such as `desktop/Windows/Chrome`. */
  readonly device: string;
};

/** The first two people, to log in as. */
export const DEMO_VISITOR = 'ada@example.com';
export const DEMO_ADMINISTRATOR = 'grace@example.com';

const PEOPLE = 300;
const DAYS = 365;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const FIRST_NAMES =
  `Amir Anna Ben Bruno Carla Chloé Clara Dana David Elif Emma Erik Fatima Finn Gita
  Hana Hugo Ida Ines Ivan Jana Jonas Kofi Lena Liam Lucía Mads Maya Milan Mina Nadia Nils Noor
  Olga Omar Paul Pia Rosa Sami Sara Søren Tariq Theo Uma Vera Wanda Yara Yusuf Zoë`.split(/\s+/);
const LAST_NAMES = `abara bauer costa dahl ekman ferrari garcia haas ito jensen kaya lindt moreau
  novak okafor petrov quist rossi silva tanaka ulrich varga weber xu yilmaz zeman`.split(/\s+/);

/** Type, system and browser. One that is listed more often is used by more people. */
const DEVICES = `desktop/Windows/Chrome  desktop/Windows/Chrome  desktop/Windows/Edge
  desktop/Mac OS/Safari  desktop/Mac OS/Safari  desktop/Mac OS/Chrome
  mobile/iOS/Mobile Safari  mobile/iOS/Mobile Safari  mobile/iOS/Mobile Safari
  mobile/Android/Chrome  mobile/Android/Chrome  tablet/iOS/Mobile Safari
  desktop/Linux/Firefox  desktop/Windows/Firefox`.split(/\s{2,}/);

/**
 * Invents the people and their visits, in the order of time.
 *
 * @param now when the year ends, in epoch ms
 */
export function inventPreview(now: number): {
  people: readonly NewInvite[];
  visits: readonly DemoVisit[];
} {
  const random = randomNumbers(20_260_301);
  const people = Array.from({ length: PEOPLE }, (_, i) => inventPerson(i, now, random));
  const visits = people.flatMap((person, i) => inventVisits(person, i, now, random));
  return { people, visits: visits.sort((a, b) => a.login - b.login) };
}

function inventPerson(i: number, now: number, random: () => number): NewInvite {
  const start = now - DAYS * DAY;
  if (i < 2) {
    const [email, firstName] = i === 0 ? [DEMO_VISITOR, 'Ada'] : [DEMO_ADMINISTRATOR, 'Grace'];
    return { email, firstName, invitedBy: 'cli', invitedAt: start + i * HOUR };
  }
  const firstName = pick(FIRST_NAMES, random);
  const local = firstName
    .normalize('NFD')
    .replace(/\P{ASCII}/gu, '')
    .toLowerCase();
  // Invitations go out in five waves, and a few in between.
  const waves = [0, 80, 190, 280, 345];
  const wave = random() < 0.25 ? random() * (DAYS - 2) : pick(waves, random);
  return {
    email: `${local}.${pick(LAST_NAMES, random)}${i}@example.com`,
    firstName: random() < 0.8 ? firstName : null,
    invitedBy: i < 60 ? 'cli' : DEMO_ADMINISTRATOR,
    invitedAt: Math.floor(start + wave * DAY + random() * 6 * HOUR) + 2 * HOUR,
  };
}

function inventVisits(
  person: NewInvite,
  i: number,
  now: number,
  random: () => number,
): DemoVisit[] {
  const interest = i < 2 ? 0.95 : random();
  // A quarter of the people never log in.
  if (interest < 0.25) return [];
  const { email, invitedAt } = person;
  const devices = [pick(DEVICES, random), pick(DEVICES, random)];
  const visits: DemoVisit[] = [];
  let day = invitedAt + random() ** 2 * 6 * DAY;
  while (day < now && visits.length < 1 + interest * 9) {
    // On the day of the invitation, a waking hour may be before it.
    const login = Math.max(atWaking(day, random), invitedAt + Math.floor(random() * 3 * HOUR));
    if (login >= now) break;
    const device = devices[random() < 0.75 ? 0 : 1] ?? '';
    const looks = interest < 0.33 ? 0 : 1 + Math.floor(random() * 4 * interest);
    const views = Array.from({ length: looks }, (_, n) => login + (n * 4 + 1) * 60_000);
    const joining = interest > 0.66 && random() < 0.3 ? 1 + Math.floor(random() * 1.4) : 0;
    const pressed = Array.from({ length: joining }, (_, n) => login + (looks * 4 + n) * 60_000);
    // The first visitor is still asked the question.
    const joins = i === 0 ? [] : pressed;
    const past = (time: number) => time < now;
    visits.push({ email, login, views: views.filter(past), joins: joins.filter(past), device });
    day = login + (0.7 + (random() * 20) / interest) * DAY;
  }
  return visits;
}

/** A time of that day between 7:00 and 23:00, mostly around noon and in the evening. */
function atWaking(day: number, random: () => number): number {
  const midnight = Math.floor(day / DAY) * DAY;
  return Math.floor(midnight + (7 + (random() + random()) * 8) * HOUR);
}

function pick<T>(from: readonly T[], random: () => number): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('there is nothing to pick from');
  return picked;
}

/** Repeatable numbers from 0 to 1: a linear congruential generator with Knuth's MMIX constants. */
function randomNumbers(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 11n) / 2 ** 53;
  };
}
