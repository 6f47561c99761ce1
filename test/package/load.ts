/** Visitors of an installed site, all the while its package is changed. */
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { DOMAIN } from '../proxies/proxy.ts';
import { send, sessionCookie } from '../support/client.ts';

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
export async function startLoad(ca: string, email: string): Promise<() => Promise<Counts>> {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8, ca });
  const headers = { Host: DOMAIN };
  const ask = (line: string, options: object) =>
    send('https://127.0.0.1', line, { ...options, headers }, agent);
  const login = await ask('POST /auth/login', { json: { email } });
  const cookie = sessionCookie(login);
  const counts: Counts = { requests: 0, joined: 0, failed: [], slowest: 0 };
  let stopped = false;
  const work = async () => {
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
  const ended = Promise.all(Array.from({ length: 8 }, work));
  return async () => {
    stopped = true;
    await ended;
    agent.destroy();
    return counts;
  };
}
