/** Tries cuts of a recording, none of which may lose anything. */
import assert from 'node:assert/strict';
import type { Recording } from './recording.ts';
import { type Options, tryCuts } from './try-cuts.ts';

/** @throws an assertion that names the seed, and of each phase the first losses */
export async function assertNothingLost(recording: Recording, options: Options): Promise<void> {
  const lost: string[] = [];
  for await (const { phase, cuts, losses } of tryCuts(recording, options)) {
    console.log(`seed ${options.seed}: ${phase}: ${cuts} cuts, ${losses.length} with losses`);
    lost.push(...losses.slice(0, 3).map((loss) => `${phase}: ${loss}`));
  }
  assert.deepEqual(lost, [], `seed ${options.seed}`);
}
