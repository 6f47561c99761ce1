/**
 * Which people a text means. Where few match they are found by an index of letters and then sorted; where many match, the
 * list is walked in its order and fills a page soon.
 */
import type { Database } from 'better-sqlite3';

export type TextFilter = {
  /** Whether `found` has few rows, so that fetching and sorting them is the quicker way. */
  readonly few: boolean;
  /** A select of the ids that match. */
  readonly found: string;
  /** Conditions that rows of `people` must meet; none where there is no text. */
  readonly where: readonly string[];
  readonly parameters: Readonly<Record<string, string | number>>;
};

/** So many people are fetched and sorted in some 2 ms. */
const FEW = 2000;

/** The index of letters knows three in a row. */
const LETTERS = 3;

const NO_FILTER: TextFilter = { few: false, found: '', where: [], parameters: {} };

const ANYWHERE = {
  found: 'select rowid from people_text where people_text match @phrase',
  where: ["(email like @pattern escape '\\' or first_name like @pattern escape '\\')"],
} as const;

const AT_THE_BEGINNING = {
  found: `select id from people where email >= @from and email < @to
    union all
    select id from people where status in (0, 1, 2, 3) and first_name >= @from and first_name < @to`,
  where: ['((email >= @from and email < @to) or (first_name >= @from and first_name < @to))'],
} as const;

/** Makes the function that decides how a text is looked for. */
export function textFilters(db: Database): (text: string | undefined) => TextFilter {
  const count = (found: string) =>
    db
      .prepare<[TextFilter['parameters']], number>(
        `select count(*) from (${found} limit ${FEW + 1})`,
      )
      .pluck();
  const countAnywhere = count(ANYWHERE.found);
  const countAtTheBeginning = count(AT_THE_BEGINNING.found);

  return (text = '') => {
    const sought = text.trim().toLowerCase();
    if (sought === '') return NO_FILTER;
    // Counted as SQLite counts: a character beyond the first 65,536 is one, not two.
    if ([...sought].length < LETTERS) {
      const parameters = { from: sought, to: `${sought}\u{10ffff}` };
      const few = (countAtTheBeginning.get(parameters) ?? 0) <= FEW;
      return { ...AT_THE_BEGINNING, few, parameters };
    }
    const phrase = { phrase: `"${sought.replaceAll('"', '""')}"` };
    if ((countAnywhere.get(phrase) ?? 0) <= FEW)
      return { ...ANYWHERE, few: true, parameters: phrase };
    const pattern = `%${sought.replace(/[\\%_]/g, '\\$&')}%`;
    return { ...ANYWHERE, few: false, parameters: { pattern } };
  };
}
