/** Visitors of an installed site, all the while its package is changed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, visitor } from '../proxies/behind.ts';
import { sessionCookie } from '../support/client.ts';

export type Counts = {
  requests: number;
  /** Join clicks that were answered with 200. */
  joined: number;
  /** The status of each other answer, or the code of its error. */
  failed: string[];
  /** In ms. */
  slowest: number;
};

/** Views and joins with one session over eight connections. @returns what stops it */
export async function startLoad(
  certificate: string,
  email: string,
): Promise<() => Promise<Counts>> {
  const visitors = Array.from({ length: 8 }, () => visitor({ https: 443, certificate }));
  const [first] = visitors as [Ask];
  const cookie = sessionCookie(await first('POST /auth/login', { json: { email } }));
  const counts: Counts = { requests: 0, joined: 0, failed: [], slowest: 0 };
  let stopped = false;
  const work = async (ask: Ask) => {
    while (!stopped)
      for (const line of ['GET /timeline', 'POST /api/project-join']) {
        const began = Date.now();
        const { status } = await ask(line, { cookie }).catch(({ code }) => ({ status: code }));
        counts.requests += 1;
        counts.slowest = Math.max(counts.slowest, Date.now() - began);
        if (status !== 200) counts.failed.push(String(status));
        else if (line.startsWith('POST')) counts.joined += 1;
        await sleep(20);
      }
  };
  const ended = Promise.all(visitors.map(work));
  return async () => {
    stopped = true;
    await ended;
    return counts;
  };
}
