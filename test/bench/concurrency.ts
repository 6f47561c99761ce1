/** The effect of an administrator on visitors: the time of views during other requests. */
import fs from 'node:fs';
import { logIn } from '../support/client.ts';
import type { Installation } from '../support/installation.ts';

/** How long the views are watched beside each route, in ms. */
const WATCH = 1500;

const EXPORTS = [
  'invites?format=csv',
  'joins?format=csv&of=summary',
  'joins?format=csv&of=clicks',
  'events?format=csv',
];

type Row = readonly string[];

/** The time of views during requests to each route, and before without other requests. */
export async function measureTimeline(
  site: Installation,
  administrator: string,
  routes: readonly string[],
): Promise<Row[]> {
  const { origin } = await site.start();
  const headers = { Cookie: await logIn(origin, administrator) };
  const rows = [row('nothing else is asked', await watch(origin, headers, pause(WATCH * 2)))];
  for (const route of routes) {
    const asking = askFor(WATCH, `${origin}/api/svcops/${route}`, headers);
    rows.push(row(`\`${route}\``, await watch(origin, headers, asking)));
  }
  await site.remove();
  return rows;
}

/** Size and time of each export, growth of the server in memory, and the longest view meanwhile. */
export async function measureExports(site: Installation, administrator: string): Promise<Row[]> {
  const server = await site.start();
  const headers = { Cookie: await logIn(server.origin, administrator) };
  const idle = await watch(server.origin, headers, pause(2 * WATCH));
  const rows: Row[] = [['none', '', '', '', '', Math.max(...idle).toFixed(1)]];
  for (const each of EXPORTS) {
    const before = residentMemory(server.process.pid);
    let largest = before;
    let [bytes, lines] = [0, -1];
    const start = performance.now();
    const download = async () => {
      const { body } = await fetch(`${server.origin}/api/svcops/${each}`, { headers });
      for await (const chunk of body ?? []) {
        bytes += chunk.length;
        for (const byte of chunk) if (byte === 10) lines += 1;
        largest = Math.max(largest, residentMemory(server.process.pid));
      }
    };
    const views = await watch(server.origin, headers, download());
    rows.push([
      `\`${each}\``,
      String(lines),
      ((performance.now() - start) / 1000).toFixed(1),
      (bytes / 1e6).toFixed(0),
      ((largest - before) / 1e6).toFixed(0),
      Math.max(...views).toFixed(1),
    ]);
  }
  await site.remove();
  return rows;
}

/** The times of views, in ms, one after the other until something is done. */
async function watch(
  origin: string,
  headers: Record<string, string>,
  until: Promise<unknown>,
): Promise<number[]> {
  let over = false;
  const end = until.finally(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) {
    const start = performance.now();
    const response = await fetch(`${origin}/timeline`, { headers });
    await response.arrayBuffer();
    times.push(performance.now() - start);
  }
  await end;
  return times;
}

async function askFor(time: number, url: string, headers: Record<string, string>): Promise<void> {
  const end = performance.now() + time;
  while (performance.now() < end) {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
  }
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

function row(what: string, times: readonly number[]): Row {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return [what, String(times.length), at(0.5), at(0.99), at(1)];
}

/** Bytes; 0 if unknown. */
function residentMemory(pid: number | undefined): number {
  const file = `/proc/${pid}/statm`;
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split(' ')[1]) * 4096 : 0;
}
