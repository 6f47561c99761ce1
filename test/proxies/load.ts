/** Visitors of a site, all the while its service is restarted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionCookie } from '../support/client.ts';
import type { Ask } from './behind.ts';

/**
 * Views and joins with one session.
 *
 * @param asks the visitors
 * @param pause of the nth one after each request, in ms
 */
export async function startLoad(
  asks: readonly Ask[],
  email: string,
  pause: (n: number) => number = () => 20,
) {
  const login = await asks[0]?.('POST /auth/login', { json: { email } });
  const cookie = login && sessionCookie(login);
  const counts = {
    requests: 0,
    /** Views and clicks that were answered with 200. */
    viewed: 0,
    joined: 0,
    /** The status of each other answer, or the code of its error. */
    failed: [] as string[],
    /** In ms. */
    slowest: 0,
  };
  let stopped = false;
  const work = async (ask: Ask, n: number) => {
    while (!stopped)
      for (const [line, what] of [
        ['GET /timeline', 'viewed'],
        ['POST /api/project-join', 'joined'],
      ] as const) {
        const began = Date.now();
        const { status } = await ask(line, { cookie }).catch(({ code }) => ({ status: code }));
        counts.requests += 1;
        counts.slowest = Math.max(counts.slowest, Date.now() - began);
        if (status === 200) counts[what] += 1;
        else counts.failed.push(String(status));
        await sleep(pause(n));
      }
  };
  const ended = Promise.all(asks.map(work));
  const stop = async () => {
    stopped = true;
    await ended;
    return counts;
  };
  return { counts, stop };
}
