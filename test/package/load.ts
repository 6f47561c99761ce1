/** Visitors of an installed site, all the while its package is changed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { login, sessionCookie, type Visitor, visitor } from '../proxies/client.ts';

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
  const headers = { cookie: sessionCookie(await (visitors[0] as Visitor).ask(login(email))) };
  const counts: Counts = { requests: 0, joined: 0, failed: [], slowest: 0 };
  let stopped = false;
  const work = async (one: Visitor) => {
    while (!stopped)
      for (const ask of [{ path: '/timeline' }, { path: '/api/project-join', json: {} }]) {
        const began = Date.now();
        const { status } = await one
          .ask({ ...ask, headers })
          .catch(({ code }) => ({ status: code }));
        counts.requests += 1;
        counts.slowest = Math.max(counts.slowest, Date.now() - began);
        if (status !== 200) counts.failed.push(String(status));
        else if (ask.json) counts.joined += 1;
        await sleep(20);
      }
    one.close();
  };
  const ended = Promise.all(visitors.map(work));
  return async () => {
    stopped = true;
    await ended;
    return counts;
  };
}
