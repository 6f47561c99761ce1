/**
 * Preloaded into a server. At each SIGUSR2 it prints a line: the most parts of files that it has read since
 * in one turn of its event loop, and the MB that it holds.
 */
import fs from 'node:fs/promises';
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

const handle = await fs.open(process.execPath);
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

process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  console.log(`${most} parts, ${((heapUsed + external) / 1e6).toFixed(1)} MB`);
  most = 0;
});
