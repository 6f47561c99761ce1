/** What a contender is given: where its store goes, who is logged in, and the replies to send, byte for byte as Guestlist's. */
import fs from 'node:fs';

/** A reply of Guestlist's, without what node:http adds to every reply. */
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

/** Tells the bench, in Guestlist's words, that requests may come. */
export const announce = (port: number): void =>
  console.log(`listening on http://127.0.0.1:${port}`);
