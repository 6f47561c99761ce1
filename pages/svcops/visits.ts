/** What is new since the last visit. This browser alone remembers when that was. */

const KEY = 'guestlist.visit';

/** A return within this time, in ms, belongs to the same visit. */
const PAUSE = 30 * 60_000;

/** In epoch ms, the end of the last visit, and of the one before it. */
const { seen = 0, since: before = 0 } = recall();
const since = Date.now() - seen < PAUSE ? before : seen;

/** @param at epoch ms */
export const isNew = (at: number): boolean => since > 0 && at > since;

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden') return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ since, seen: Date.now() }));
  } catch {
    // The browser keeps nothing for this site.
  }
});

function recall(): { readonly seen?: number; readonly since?: number } {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '') ?? {};
  } catch {
    return {};
  }
}
