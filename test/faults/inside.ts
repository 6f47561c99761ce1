/**
 * Preloaded into a server. At each SIGUSR2 it prints a line of JSON: the most parts of files that it has read
 * since in one turn of its event loop, the syncs of the store, the most jobs that libuv's threads had when one
 * began, and the MB that it holds.
 */
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

const handle = await open(process.execPath);
const prototype: typeof handle = Object.getPrototypeOf(handle);
await handle.close();

let parts = 0;
let most = 0;
const { read } = prototype;
Object.assign(prototype, {
  async read(this: typeof handle, ...args: Parameters<typeof read>) {
    const result = await read.apply(this, args);
    parts += 1;
    most = Math.max(most, parts);
    // After all that a turn has read.
    setImmediate(() => {
      parts = 0;
    });
    return result;
  },
});

let syncs = 0;
let jobs = 0;
const { fdatasync } = fs;
Object.assign(fs, {
  fdatasync(...args: Parameters<typeof fdatasync>) {
    const busy = process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq'));
    syncs += 1;
    jobs = Math.max(jobs, busy.length);
    fdatasync(...args);
  },
});

process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const megabytes = (heapUsed + external) / 1e6;
  console.log(JSON.stringify({ parts: most, syncs, jobs, megabytes }));
  most = syncs = jobs = 0;
});
