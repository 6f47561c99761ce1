/** What is new since the last visit. This browser alone remembers when that was. */
import { answeredAt } from './api.ts';

const KEY = 'guestlist.visit';

/** A return within this time, in ms, belongs to the same visit. */
const PAUSE = 30 * 60_000;

type Visit = {
  /** The end of the visit before, in epoch ms; `null` at the first visit. */
  readonly since: number | null;
  /** The last answer, by the service's clock: that of the browser may be wrong. */
  readonly seen: number;
};

const former = recall();
const since = former && Date.now() - former.seen < PAUSE ? former.since : (former?.seen ?? null);

/** @param at epoch ms */
export const isNew = (at: number | null): boolean => since !== null && at !== null && at > since;

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden' || Number.isNaN(answeredAt)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ since, seen: answeredAt } satisfies Visit));
  } catch {
    // The browser keeps nothing for this site.
  }
});

function recall(): Visit | undefined {
  try {
    const visit = JSON.parse(localStorage.getItem(KEY) ?? '');
    return typeof visit?.seen === 'number' ? visit : undefined;
  } catch {
    return undefined;
  }
}
