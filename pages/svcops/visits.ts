/** What is new since the last visit. This browser alone remembers when that was. */

const KEY = 'guestlist.visit';

/** A return within this time, in ms, belongs to the same visit. */
const PAUSE = 30 * 60_000;

const { since: before, seen } = recall();
/** The end of the last visit, in epoch ms; `null` at the first visit. */
const since = Date.now() - (seen ?? 0) < PAUSE ? before : seen;

/** @param at epoch ms */
export const isNew = (at: number): boolean => since !== null && at > since;

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden') return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ since, seen: Date.now() }));
  } catch {
    // The browser keeps nothing for this site.
  }
});

function recall(): Readonly<Record<'since' | 'seen', number | null>> {
  try {
    const { since, seen } = JSON.parse(localStorage.getItem(KEY) ?? '');
    if (typeof seen === 'number') return { since: Number.isFinite(since) ? since : null, seen };
  } catch {
    // There was no visit, or the browser keeps nothing.
  }
  return { since: null, seen: null };
}
