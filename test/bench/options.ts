/** The bench's command line. */
import { parseArgs } from 'node:util';

export const PARTS = [
  'timeline',
  'visitors',
  'join',
  'me',
  'entry',
  'alone',
  'start',
  'administrator',
  'slow-disk',
  'stop',
  'soak',
] as const;

export type Part = (typeof PARTS)[number];

/** The parts that `--quick` leaves out. */
const LONG: readonly Part[] = ['slow-disk', 'stop'];

export type Options = {
  readonly parts: readonly Part[];
  readonly connections: readonly number[];
  /** Connections with which only the floor and Guestlist send the timeline. */
  readonly crowd: readonly number[];
  readonly rounds: number;
  /** Length of a round, in s. */
  readonly seconds: number;
  readonly contenders: readonly string[] | undefined;
  /** Other checkouts of Guestlist, built, to compare this one with. */
  readonly against: readonly string[];
  /** Shows where the time of a view goes, and measures nothing else. */
  readonly profile: boolean;
  /** Whether nothing was left out, so that the result may go into the documentation. */
  readonly complete: boolean;
};

export const HELP = `npm run bench -- [options]

  --quick               three minutes: the main table at 64 connections, and every aim
  --profile             where the microseconds of a view go, by part of the house
  --only PART           ${PARTS.join(', ')};
                        may be repeated
  --connections N,N     1,64,512 where left out
  --rounds N            3 where left out
  --seconds N           length of a round; 2 where left out, 1 with --quick
  --contenders NAME,…   floor, guestlist, fastify, express, hono; all where left out
  --against FOLDER      another checkout of Guestlist, built, as one more contender; may be repeated
  --soak                adds 5 million requests to Guestlist, to see that its memory stays flat

A run that leaves something out prints its figures. A whole run takes twelve minutes; it also writes
its parts of docs/performance.md and README.md. The bench sends requests to this machine only, and
removes what it made, also if it is interrupted.
`;

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

/** @throws {UsageError} if an option is invalid */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const { quick, profile, only, against, connections, rounds, seconds, contenders } = values;
  const left = quick ? [...LONG, 'soak'] : ['soak'];
  const parts = only?.map(readPart) ?? PARTS.filter((part) => !left.includes(part));
  const shortened = [only, connections, rounds, seconds, contenders].some((value) => value);
  return {
    parts: values.soak ? [...new Set([...parts, 'soak' as const])] : parts,
    connections: connections?.split(',').map(readNumber) ?? (quick ? [64] : [1, 64, 512]),
    crowd: quick && connections === undefined ? [512] : [],
    rounds: readNumber(rounds ?? '3'),
    seconds: readNumber(seconds ?? (quick ? '1' : '2')),
    contenders: contenders?.split(','),
    against,
    profile,
    complete: !quick && !profile && !shortened && against.length === 0,
  };
}

function readPart(text: string): Part {
  const part = PARTS.find((each) => each === text);
  if (part) return part;
  throw new UsageError(`--only ${text}: there is no such part; there are ${PARTS.join(', ')}`);
}

function readNumber(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new UsageError(`${text}: a whole number above 0 is wanted`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        soak: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        against: { type: 'string', multiple: true, default: [] },
        connections: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        contenders: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
  }
}
