/** Finds what was meant by a mistyped word. */

/** How many letters must be inserted, removed or replaced (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The candidate at the smallest distance, at most a third of its length, if there is one. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [found] = candidates
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .filter(({ candidate, far }) => far <= Math.max(1, candidate.length / 3))
    .sort((one, other) => one.far - other.far);
  return found?.candidate;
}
