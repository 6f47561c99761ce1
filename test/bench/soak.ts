/** Memory over five million requests. */
import { startGuestlist } from './contenders.ts';
import { residentMemory } from './machine.ts';
import { heading, number, type Report, table } from './report.ts';
import { oneRound } from './rounds.ts';

const REQUESTS = 5_000_000;

/** Connections, and the length of a slice after which memory is looked at, in s. */
const CONNECTIONS = 64;
const SLICE = 10;

/** Memory is shown this often. */
const STEP = 500_000;

export async function soak(folder: string): Promise<Report> {
  const guestlist = await startGuestlist('guestlist');
  try {
    const lines = [['0', `${residentMemory(guestlist.pid).toFixed(0)} MB`]];
    const task = { target: 'GET /timeline', connections: CONNECTIONS, seconds: SLICE, folder };
    for (let done = 0; done < REQUESTS; ) {
      const { count, memory } = await oneRound(guestlist, task);
      const passed = Math.floor((done + count) / STEP) > Math.floor(done / STEP);
      done += count;
      if (passed) lines.push([number(done), `${memory.toFixed(0)} MB`]);
      console.log(`${number(done)} requests: ${memory.toFixed(0)} MB`);
    }
    const text = heading('Memory over five million views') + table(['requests', 'memory'], lines);
    return { text, figures: {} };
  } finally {
    await guestlist.stop();
  }
}
