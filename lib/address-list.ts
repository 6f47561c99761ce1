/** Reads a list of people to invite, for the page and the tool. No first name is guessed. */
import { normalizeFirstName, trimInvisible } from './address.ts';
import type { InviteLine, InviteManyReply } from './replies.ts';
import { foldText, normalizeInvitedEmail } from './store/normalize.ts';

/** A person in the list, or a row with a mistake. */
export type ListEntry = Pick<InviteLine, 'line' | 'text' | 'email' | 'firstName'> & {
  /** `twice`, or one of `LINE_MISTAKES`. */
  readonly reason: string | null;
};

export type AddressList = Pick<InviteManyReply, 'ignored' | 'warning'> & {
  readonly entries: readonly ListEntry[];
};

/** Headings, reduced to letters without accents. */
const ADDRESS =
  /^(?:e?mail(?:address|adresse|value)?|address|adresse(?:e?mail)?|courriel|correo(?:electronico)?)$/;
const FIRST_NAME = /^(?:firstname|givenname|vorname|prenom|nombre|nome)$/;
const FULL_NAME = /^(?:full)?name$/;

/** Words that are no first name, without accents: titles, groups, and degrees after a comma. */
const NO_NAMES = new Set(
  `mr mrs ms miss mx dr prof sir dame lady lord herr herrn frau fraulein monsieur madame mme mlle
  senor senora sr sra signor signora sig dott the team family familie famille familia famiglia
  firma jr phd md mba`.split(/\s+/),
);

const DELIMITERS = ['\t', ';', ','];

/** A line, or several if a quoted cell goes on (RFC 4180). */
const ROW = /(?:(?<![^\t;,\n])"[^"]*(?:""[^"]*)*"(?=[\t;,\n]|$)|[^"\n]+|")*(?:\n|$)/g;

type Row = Pick<ListEntry, 'line' | 'text'>;

/** A person as typed. Of several possible names, none is taken. */
type Found = Row & {
  readonly address: string;
  readonly names: readonly string[];
  readonly mistake?: string | undefined;
};

/**
 * Reads rows of cells between tabs, semicolons or commas, and `Ada Lovelace <ada@example.com>`, also
 * several in a row. A header row is one of the first five; above it, rows without an `@` are titles.
 */
export function readAddressList(text: string): AddressList {
  const rows = readRows(text);
  const at = rows.findIndex((row, i) => i < 5 && headerDelimiter(row.text));
  const above = rows.slice(0, Math.max(at, 0)).filter((row) => row.text.includes('@'));
  const below = rows.slice(at + 1);
  const columns = readColumns(rows[at]?.text ?? '', below);
  const found = [
    ...above.flatMap(readCells),
    ...(columns ? below.map((row) => readBelow(columns, row)) : below.flatMap(readCells)),
  ];
  const known = new Set<string>();
  const entries = found.map((person): ListEntry => {
    const entry = check(person);
    if (entry.reason === null && known.has(entry.email)) return { ...entry, reason: 'twice' };
    if (entry.reason === null) known.add(entry.email);
    return entry;
  });
  const { ignored = [], fullName } = columns ?? {};
  const isUnclear = found.some(({ names }) => names.length > 1);
  return { entries, ignored, warning: findDoubt(entries, isUnclear, fullName) };
}

function check({ line, text, address, names, mistake }: Found): ListEntry {
  const email = normalizeInvitedEmail(address) ?? '';
  const [name = '', another] = names;
  const firstName = another === undefined ? normalizeFirstName(name) : null;
  const entry = { line, text, email, firstName: firstName === undefined ? name : firstName };
  if (mistake) return { ...entry, reason: mistake };
  if ((address + name).includes('\uFFFD')) return { ...entry, reason: 'lost_characters' };
  if (email === '') return { ...entry, reason: 'invalid_email' };
  return { ...entry, reason: firstName === undefined ? 'invalid_first_name' : null };
}

/** A sentence about first names that may be wrong or missing. */
function findDoubt(
  entries: readonly ListEntry[],
  isUnclear: boolean,
  fullName: string | undefined,
): string | null {
  const people = entries.filter(({ reason }) => reason === null);
  const counts = new Map<string, number>();
  for (const { firstName } of people)
    if (firstName) counts.set(firstName, (counts.get(firstName) ?? 0) + 1);
  for (const [name, count] of counts)
    if (count > Math.max(1, people.length / 4))
      return `“${name}” is the first name of ${count} people out of ${people.length}.`;
  if (isUnclear) return 'Add a header row to use names.';
  if (fullName === undefined || counts.size === 0) return null;
  return `First names are the first words of “${fullName}”. Check them before you send invitations.`;
}

function readRows(text: string): readonly Row[] {
  let next = 1;
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return [...plain.matchAll(ROW)]
    .map(([row]) => {
      const line = next;
      next += row.split('\n').length - 1;
      return { line, text: row.replace(/\n$/, '') };
    })
    .filter((row) => /[^\s\p{Cf},;"]/u.test(row.text));
}

const keysOf = (headings: readonly string[]) =>
  headings.map((heading) => foldText(heading).replace(/\P{L}/gu, ''));

/** The delimiter of a header row; `undefined` if this is none. */
const headerDelimiter = (text: string): string | undefined =>
  DELIMITERS.find(
    (each) => !text.includes('@') && keysOf(split(text, each)).some((key) => ADDRESS.test(key)),
  );

type Columns = NonNullable<ReturnType<typeof readColumns>>;

/** The columns of a header row; `undefined` without one. Under a single heading, cells are free. */
function readColumns(header: string, rows: readonly Row[]) {
  const delimiter = headerDelimiter(header);
  if (delimiter === undefined || !header.includes(delimiter)) return undefined;
  const headings = split(header, delimiter);
  const keys = keysOf(headings);
  const cells = rows.map((row) => split(row.text, delimiter));
  const addresses = (i: number) => cells.filter((row) => row[i]?.includes('@')).length;
  const email = keys
    .flatMap((key, i) => (ADDRESS.test(key) ? i : []))
    .reduce((best, i) => (addresses(i) > addresses(best) ? i : best));
  const firstName = keys.findIndex((key) => FIRST_NAME.test(key));
  const name = firstName < 0 ? keys.findIndex((key) => FULL_NAME.test(key)) : firstName;
  return {
    ...{ delimiter, email, name, count: headings.length },
    /** The heading of first and last names, of which the first word is taken. */
    fullName: firstName < 0 ? headings[name] : undefined,
    ignored: headings.filter((heading, i) => heading !== '' && i !== email && i !== name),
  };
}

function readBelow({ delimiter, email, name, count, fullName }: Columns, row: Row): Found {
  const cells = split(row.text, delimiter);
  const typed = cells[name] ?? '';
  const { address, names } = readAddress(cells[email] ?? '');
  const isWhole = fullName === undefined && /^[^@]*\p{L}[^@]*$/u.test(typed);
  const found = isWhole ? typed : firstWord(typed);
  const mistake = cells.slice(count).some(Boolean) ? 'extra_cells' : undefined;
  return { ...row, address, names: found ? [found] : names, mistake };
}

/** Without a header row: the cell with the `@`, and a name if exactly one other cell is filled. */
function readCells(row: Row): readonly Found[] {
  const plain = row.text.replace(/"[^"]*"/g, '');
  const delimiter = DELIMITERS.find((each) => plain.includes(each)) ?? ',';
  const cells = split(row.text, delimiter).filter(Boolean);
  const [first, ...more] = cells.filter((cell) => cell.includes('@'));
  const others = cells.filter((cell) => !cell.includes('@'));
  if (more.length > 0 && others.length > 0)
    return [{ ...row, address: '', names: [], mistake: 'several_addresses' }];
  if (more.length > 0) return cells.map((text) => ({ ...row, text, ...readAddress(text) }));
  const { address, names } = readAddress(first ?? '');
  return [{ ...row, address, names: names.length > 0 ? names : others.map(firstWord) }];
}

/** `Ada Lovelace <ada@example.com>`, or an address alone, which mail programs may quote. */
function readAddress(cell: string): Pick<Found, 'address' | 'names'> {
  const [, name = '', typed = cell] = /^([^<>]*)<([^<>]*)>$/.exec(cell) ?? [];
  const address = typed.replace(/^["'‚„\p{Pi}\p{Pf}](.*)["'\p{Pi}\p{Pf}]$/u, '$1');
  return { address, names: [firstWord(name)].filter(Boolean) };
}

/** The first word of a name, or the first after its comma; empty if it is an initial or a title. */
function firstWord(name: string): string {
  const [word = ''] = name
    .slice(name.indexOf(',') + 1)
    .replace(/^[\s"'\p{Pi}\p{Pf}‚„]+|[\s"'\p{Pi}\p{Pf}]+$/gu, '')
    .split(/[\s,]/);
  const isWord = /^[\p{L}\uFFFD][\p{L}\p{M}\p{Join_Control}\uFFFD'’-]+$/u.test(word);
  return isWord && !NO_NAMES.has(foldText(word)) ? word : '';
}

/** Splits a row into cells, which may be quoted as in CSV, or begin with a quoted name. */
function split(row: string, delimiter: string): readonly string[] {
  const quoted = `"([^"]*(?:""[^"]*)*)" *(?=${delimiter}|$)`;
  const other = `(?:"[^"]*" *<)?[^${delimiter}]*`;
  const cells = new RegExp(`${delimiter} *(?:${quoted}|(${other}))`, 'g');
  return [...(delimiter + row).matchAll(cells)].map(([, text, plain = '']) =>
    trimInvisible(text?.replaceAll('""', '"') ?? plain),
  );
}
