/** An in-memory fixed-window rate limiter. */

export type LimiterOptions = {
  /** Attempts allowed in a window. */
  readonly limit: number;
  /** Length of a window, in ms, from a client's first attempt on. */
  readonly window: number;
  /** Clients remembered: at least this many, at most twice as many; then the oldest are forgotten. */
  readonly maxClients?: number;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
};

/** Counts an attempt. @returns 0 if it is allowed, else the ms until the client's window ends */
export type Limiter = (client: string) => number;

type Window = { attempts: number; readonly end: number };

/** Makes a limiter. Its memory is bounded by `maxClients`. */
export function limiter({
  limit,
  window,
  maxClients = 50_000,
  now = () => performance.now(),
}: LimiterOptions): Limiter {
  // Two generations: when the younger is full it becomes the older, and the older is forgotten.
  let younger = new Map<string, Window>();
  let older = new Map<string, Window>();

  return (client) => {
    const time = now();
    const known = younger.get(client) ?? older.get(client);
    const current = known && known.end > time ? known : { attempts: 0, end: time + window };
    if (younger.size >= maxClients && !younger.has(client)) [older, younger] = [younger, new Map()];
    younger.set(client, current);
    current.attempts += 1;
    return current.attempts <= limit ? 0 : current.end - time;
  };
}
