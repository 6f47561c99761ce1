/** Random numbers that can be had again: the seed is printed, and `SEED` sets it. */

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 32);

/** @returns a function like `Math.random` (mulberry32) */
export function createRandom(): () => number {
  console.log(`SEED=${seed}`);
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
