/** The aims of the bench, and what a run has reached of them. */
import { table } from './report.ts';

/** What the parts of a run have measured. */
export type Figures = {
  /** Throughput at 64 connections, as a share of the floor's. */
  readonly timeline: number;
  readonly visitors: number;
  readonly me: number;
  readonly join: number;
  readonly entry: number;
  /** `GET /auth/me`, as a share of Fastify's. */
  readonly meOfFastify: number;
  /** 99th percentile at 64 connections, in ms. */
  readonly timelineP99: number;
  readonly visitorsP99: number;
  /** Throughput at 512 connections, as a share of the floor's there. */
  readonly timeline512: number;
  readonly visitors512: number;
  /** Resident memory after views from 512 connections, in MB. */
  readonly timelineMemory: number;
  readonly visitorsMemory: number;
  /** The time of a view alone, divided by that of a sync and a bare request. */
  readonly alone: number;
  /** How much the 99th percentile of visitors rises, in ms. */
  readonly refresh: number;
  readonly exports: number;
  /** From the command to `listening`, in s. */
  readonly start: number;
  readonly npmStart: number;
  /** Resident memory without a request, in MB. */
  readonly idle: number;
};

type Aim = {
  readonly figure: keyof Figures;
  readonly what: string;
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
  readonly unit: '' | ' ms' | ' s' | ' MB';
};

const ONE = '`GET /timeline`, one visitor';
const MANY = '`GET /timeline`, 200 visitors';

/** Which figure, its bound, its limit and unit, and its description. */
const AIMS: readonly Aim[] = (
  [
    ['timeline', 'at least', 0.55, '', `${ONE}, 64 connections, of the floor`],
    ['timelineP99', 'at most', 8, ' ms', `${ONE}, 64 connections, 99 %`],
    ['visitors', 'at least', 0.42, '', `${MANY}, 64 connections, of the floor`],
    ['visitorsP99', 'at most', 8, ' ms', `${MANY}, 64 connections, 99 %`],
    // 0.9 of the aims at 64 connections.
    ['timeline512', 'at least', 0.495, '', `${ONE}, 512 connections, of the floor`],
    ['timelineMemory', 'at most', 120, ' MB', `${ONE}, 512 connections, memory`],
    ['visitors512', 'at least', 0.378, '', `${MANY}, 512 connections, of the floor`],
    ['visitorsMemory', 'at most', 120, ' MB', `${MANY}, 512 connections, memory`],
    ['me', 'at least', 0.65, '', '`GET /auth/me`, 64 connections, of the floor'],
    ['meOfFastify', 'at least', 1, '', '`GET /auth/me`, 64 connections, of Fastify'],
    ['join', 'at least', 0.55, '', '`POST /api/project-join`, 64 connections, of the floor'],
    ['entry', 'at least', 1, '', '`GET /`, 64 connections, of the floor'],
    ['alone', 'at most', 1.15, '', 'A view alone, of one sync and a bare request'],
    ['refresh', 'at most', 10, ' ms', 'Refreshes beside full load: rise of the visitors’ 99 %'],
    ['exports', 'at most', 10, ' ms', 'Three exports beside full load: rise of the visitors’ 99 %'],
    ['start', 'at most', 0.15, ' s', '`node server.js` to `listening`, existing store'],
    ['npmStart', 'at most', 0.15, ' s', '`npm start` to `listening`, existing store'],
    ['idle', 'at most', 62, ' MB', 'Memory without a request'],
  ] as const
).map(([figure, bound, limit, unit, what]) => ({ figure, bound, limit, unit, what }));

/** Digits after the point. */
const DIGITS = { '': 2, ' ms': 1, ' s': 2, ' MB': 0 } as const;

/** A table of the aims whose figures were measured; a missed aim says so. */
export function aimsTable(figures: Partial<Figures>): string {
  const lines = AIMS.flatMap(({ figure, what, bound, limit, unit }) => {
    const value = figures[figure];
    if (value === undefined) return [];
    // Compared as shown.
    const shown = value.toFixed(DIGITS[unit]);
    const holds = bound === 'at least' ? Number(shown) >= limit : Number(shown) <= limit;
    return [[what, `${bound} ${limit}${unit}`, `${holds ? '' : '**missed**: '}${shown}${unit}`]];
  });
  return lines.length === 0 ? '' : table(['', 'aim', 'reached'], lines);
}
