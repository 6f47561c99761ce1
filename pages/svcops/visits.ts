/** Groups the activity of a person by visit. It has no access to the page. */

/** An event or a join click. */
export type ActivityEntry = {
  readonly kind: 'login' | 'timeline_view' | 'join';
  readonly key: string;
  /** Epoch ms. */
  readonly at: number;
  readonly what: string;
  readonly session: string;
  /** Empty for a join click. */
  readonly device: string;
};

/** Entries of one session, newest first. */
export type Visit = { readonly entries: readonly ActivityEntry[]; readonly device: string };

/** After half an hour without an entry, in ms, the next one belongs to another visit. */
const PAUSE = 1_800_000;

/** @param entries newest first */
export function groupVisits(entries: readonly ActivityEntry[]): readonly Visit[] {
  const visits: ActivityEntry[][] = [];
  for (const entry of entries) {
    const visit = visits.findLast(([first]) => first?.session === entry.session);
    const next = visit?.at(-1);
    if (visit && next && next.at - entry.at <= PAUSE) visit.push(entry);
    else visits.push([entry]);
  }
  return visits.map((entries) => ({
    entries,
    device: entries.find(({ device }) => device !== '')?.device ?? '',
  }));
}
