/** The input of a contender: its store, the visitors, and the replies of Guestlist to send. */
import fs from 'node:fs';

/** A reply of Guestlist, without the headers that node:http adds. */
export type Sample = {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
};

export const SAMPLES = ['entry', 'desktop', 'mobile', 'me', 'join'] as const;

export type Setup = {
  /** The contender's own SQLite file. */
  readonly store: string;
  readonly sessions: readonly {
    readonly token: string;
    readonly email: string;
    readonly firstName: string;
  }[];
  readonly samples: Readonly<Record<(typeof SAMPLES)[number], Sample>>;
};

/** Reads the file that the bench named on the command line. */
export const readSetup = (): Setup => JSON.parse(fs.readFileSync(process.argv[2] ?? '', 'utf8'));

/** Prints the line by which the bench knows that the server listens. */
export const announce = (port: number): void =>
  console.log(`listening on http://127.0.0.1:${port}`);
