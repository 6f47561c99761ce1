/** What is new since the last visit. This browser alone remembers when that was. */
import { answeredAt } from './api.ts';

const KEY = 'guestlist.visit';

/** A return within this time, in ms, belongs to the same visit. */
const PAUSE = 30 * 60_000;

/** The end of the last visit and of the one before it, in epoch ms by the service's clock. */
const { seen = 0, since: before = 0 } = recall();
const since = Date.now() - seen < PAUSE ? before : seen;

export const isNew = (at: number): boolean => since > 0 && at > since;

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden' || Number.isNaN(answeredAt)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ since, seen: answeredAt }));
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
