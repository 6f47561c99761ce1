/** An in-memory fixed-window rate limiter. */

export type LimiterOptions = {
  /** Attempts allowed in a window. */
  readonly limit: number;
  /** Length of a window, in ms, from a client's first attempt on. */
  readonly window: number;
  /** Clients remembered at once, at least; twice as many at most. Beyond that those not seen longest are forgotten. */
  readonly maxClients?: number;
  /** A clock in ms that never goes back. */
  readonly now?: () => number;
};

/**
 * Counts an attempt.
 *
 * @returns 0 where it is allowed, else the ms until the client's window ends
 */
export type Limiter = (client: string) => number;

/** Makes a limiter. Memory is bounded: some 200 bytes for each of `2 * maxClients`. */
export function limiter({
  limit,
  window,
  maxClients = 50_000,
  now = () => performance.now(),
}: LimiterOptions): Limiter {
  // Two generations: when the younger is full it becomes the older, and the older is forgotten at once.
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

type Window = { attempts: number; readonly end: number };
