/** The bench's command line. */
import { parseArgs } from 'node:util';

export const PARTS = [
  'timeline',
  'visitors',
  'join',
  'me',
  'entry',
  'slow-disk',
  'start-stop',
  'soak',
] as const;

export type Part = (typeof PARTS)[number];

export type Options = {
  readonly parts: readonly Part[];
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Length of a round, in s. */
  readonly seconds: number;
  readonly contenders: readonly string[] | undefined;
  /** Other checkouts of Guestlist, built, to compare this one with. */
  readonly against: readonly string[];
  /** Whether nothing was left out, so that the result may go into the documentation. */
  readonly complete: boolean;
};

export const HELP = `npm run bench -- [options]

  --quick               one short round at 64 connections
  --only PART           ${PARTS.join(', ')}; may be repeated
  --connections N,N     1,64,512 where left out
  --rounds N            3 where left out
  --seconds N           length of a round; 2 where left out
  --contenders NAME,…   floor, guestlist, fastify, express, hono; all where left out
  --against FOLDER      another checkout of Guestlist, built, as one more contender; may be repeated
  --soak                adds 5 million requests to Guestlist, to see that its memory stays flat

A run that leaves something out prints its figures; a whole run writes docs/performance.md too.
`;

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

/** @throws {UsageError} if an option is invalid */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const { quick, only, against, connections, rounds, seconds, contenders } = values;
  const parts = only?.map(readPart) ?? PARTS.filter((part) => part !== 'soak');
  const shortened = [only, connections, rounds, seconds, contenders].some((value) => value);
  return {
    parts: values.soak ? [...new Set([...parts, 'soak' as const])] : parts,
    connections: connections?.split(',').map(readNumber) ?? (quick ? [64] : [1, 64, 512]),
    rounds: readNumber(rounds ?? (quick ? '1' : '3')),
    seconds: readNumber(seconds ?? (quick ? '1' : '4')),
    contenders: contenders?.split(','),
    against,
    complete: !quick && !shortened && against.length === 0,
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
