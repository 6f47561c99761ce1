/** An in-memory fixed-window rate limiter. */

type Window = { attempts: number; readonly end: number };

/**
 * Makes a function that counts an attempt of a client. It returns 0 if the attempt is allowed, else
 * the ms until the client's window ends.
 *
 * @param limit attempts allowed in a window
 * @param window ms from a client's first attempt to the end of its window
 * @param maxClients clients remembered at least; at most twice as many are
 * @param now a monotonic clock, in ms
 */
export function rateLimiter(
  { limit, window }: { readonly limit: number; readonly window: number },
  maxClients = 50_000,
  now = () => performance.now(),
): (client: string) => number {
  // Two generations: when the younger is full, it replaces the older.
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
