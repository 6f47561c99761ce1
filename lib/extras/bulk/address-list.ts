/** Reads a list of people to invite, for the page and the tool. No first name is guessed. */

import { normalizeFirstName, trimInvisible, withoutBidiControls } from '../../addresses/address.ts';
import { foldText, normalizeInvitedEmail } from '../../addresses/normalize.ts';
import type { InviteLine } from './reply.ts';

/** A person in the list, or a row with a mistake: `twice`, or one of `LINE_MISTAKES`. */
export type ListEntry = Omit<InviteLine, 'status' | 'suggestion'>;

/** Headings, reduced to letters without accents. */
const ADDRESS =
  /^(?:e?mail(?:address|adresse|value)?|address|adresse(?:e?mail)?|courriel|correo(?:electronico)?)$/;
const FIRST_NAME = /^(?:firstname|givenname|vorname|prenom|nombre|nome)$/;
const FULL_NAME = /^(?:full)?name$/;

/** Words beside which there is no first name, without accents: titles, degrees, groups. */
const NO_NAMES = new Set(
  `mr mrs ms miss mx dr prof sir dame lady lord herr herrn frau fraulein monsieur madame mme mlle
  senor senora sr sra signor signora sig dott jr phd md mba the team family familie famille familia
  famiglia firma ltd inc gmbh office press sales marketing and und et`.split(/\s+/),
);

/** How many doubtful names are shown. */
const SHOWN = 12;

const DELIMITERS = ['\t', ';', ','];

/** A line, or several if a quoted cell goes on (RFC 4180). */
const ROW = /(?:(?<![^\t;,\n])"[^"]*(?:""[^"]*)*"(?=[\t;,\n]|$)|[^"\n]+|")*(?:\n|$)/g;

/** A word with a capital first, or of a script without capitals that puts first names first. */
const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}'’-]*[\p{Ll}\p{M}]`;
const UNICASE = String.raw`(?!\p{scx=Han}|\p{scx=Hang})\p{Lo}[\p{L}\p{M}]+`;
const WORD = `(?:${CAPITALIZED}|${UNICASE})`;

/** A first name, and names of one person, the last one first before a comma, that are in no doubt. */
const ONE_NAME = new RegExp(`^${WORD}(?: ${WORD})?$`, 'u');
const FULL_NAMES = new RegExp(`^(?:[^,.;\\d]+, *${WORD}|${WORD} [^,;\\d]+)$`, 'u');

type Row = Pick<ListEntry, 'line' | 'text'>;

/** A person as typed. Of several possible names, none is taken. */
type Found = {
  readonly row: Row;
  readonly address: string;
  readonly names: readonly string[];
  readonly isDoubtful?: boolean;
  readonly mistake?: string | undefined;
};

/**
 * Reads rows of cells between tabs, semicolons or commas, and `Ada Lovelace <ada@example.com>`,
 * also several in a row. A header row is one of the first five; titles may stand above it.
 *
 * @returns entries; `ignored`, the headings of columns that are not read; and `warning`, a sentence
 * about first names that may be wrong or missing, or `null`
 */
export function readAddressList(text: string) {
  const rows = readRows(text);
  const headers = rows.slice(0, 5).map(readHeader);
  const at = headers.findIndex(Boolean);
  const { read, ignored, fullName } = readerUnder(headers[at], rows.slice(at + 1));
  const above = rows.slice(0, Math.max(at, 0)).filter((row) => row.text.includes('@'));
  const found = [...above.flatMap(readCells), ...rows.slice(at + 1).flatMap(read)];
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const doubtful: string[] = [];
  const entries = found.map((person): ListEntry => {
    const { row, address, names, isDoubtful, mistake } = person;
    const [name = ''] = names.length > 1 ? [] : names;
    const email = normalizeInvitedEmail(address) ?? '';
    const firstName = normalizeFirstName(name);
    const wrong = mistake ?? findMistake(address + name, email, firstName);
    const reason = wrong ?? (known.has(email) ? 'twice' : null);
    if (reason === null) known.add(email);
    if (reason === null && firstName) {
      counts.set(firstName, (counts.get(firstName) ?? 0) + 1);
      if (isDoubtful) doubtful.push(`“${firstName}”`);
    }
    return {
      ...row,
      email,
      firstName: firstName === undefined ? withoutBidiControls(name) : firstName,
      reason,
    };
  });

  function findWarning(): string | null {
    for (const [name, count] of counts)
      if (count > Math.max(1, known.size / 4))
        return `“${name}” is the first name of ${count} people out of ${known.size}.`;
    if (found.some(({ names }) => names.length > 1)) return 'Add a header row to use names.';
    const source = fullName && `First names are the first words of “${fullName}”.`;
    const more = doubtful.length > SHOWN ? ` and ${doubtful.length - SHOWN} more` : '';
    const which = `these: ${doubtful.slice(0, SHOWN).join(', ')}${more}`;
    if (doubtful.length > 0)
      return `${source ?? 'First names may be wrong.'} Before you send invitations, check ${which}.`;
    return source && counts.size > 0 ? `${source} Check them before you send invitations.` : null;
  }

  return { entries, ignored, warning: findWarning() };
}

function findMistake(typed: string, email: string, firstName: string | null | undefined) {
  if (typed.includes('\uFFFD')) return 'lost_characters';
  if (email === '') return 'invalid_email';
  return firstName === undefined ? 'invalid_first_name' : undefined;
}

function readRows(text: string): readonly Row[] {
  let next = 1;
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const rows = (plain.match(ROW) ?? []).map((row): Row => {
    const line = next;
    next += row.split('\n').length - 1;
    return { line, text: row.replace(/\n$/, '') };
  });
  return rows.filter((row) => /[^\s\p{Cf},;"]/u.test(row.text));
}

const keyOf = (heading: string): string => foldText(heading).replace(/\P{L}/gu, '');

/** The delimiter and headings of a header row; `undefined` if it is none. */
function readHeader({ text }: Row) {
  if (text.includes('@')) return undefined;
  const ways = DELIMITERS.map((delimiter) => ({ delimiter, headings: split(text, delimiter) }));
  return ways.find(({ headings }) => headings.some((heading) => ADDRESS.test(keyOf(heading))));
}

/** How to read the rows below a header row, if any. Under a single heading, cells are free. */
function readerUnder(header: ReturnType<typeof readHeader>, below: readonly Row[]) {
  const { delimiter = '', headings = [] } = header ?? {};
  if (headings.length < 2) return { read: readCells, ignored: [], fullName: undefined };
  const keys = headings.map(keyOf);
  const sample = below.slice(0, 100).map((row) => split(row.text, delimiter));
  const addresses = (i: number) => sample.filter((cells) => cells[i]?.includes('@')).length;
  const email = keys
    .flatMap((key, i) => (ADDRESS.test(key) ? i : []))
    .reduce((best, i) => (addresses(i) > addresses(best) ? i : best));
  const firstName = keys.findIndex((key) => FIRST_NAME.test(key));
  const name = firstName < 0 ? keys.findIndex((key) => FULL_NAME.test(key)) : firstName;
  /** The heading of first and last names, of which the first word is taken. */
  const fullName = firstName < 0 ? headings[name] : undefined;
  const read = (row: Row): readonly Found[] => {
    const cells = split(row.text, delimiter);
    const typed = withoutBidiControls(cells[name] ?? '');
    const { address, names } = readAddress(cells[email] ?? '');
    const isName = !typed.includes('@') && /\p{L}/u.test(typed);
    const isWhole = fullName === undefined && isName;
    const found = isWhole ? typed : firstWord(typed);
    const isDoubtful = hasOthers(typed) || !(isWhole ? ONE_NAME : FULL_NAMES).test(typed);
    const mistake = cells.slice(headings.length).some(Boolean) ? 'extra_cells' : undefined;
    return [{ row, address, names: found ? [found] : names, isDoubtful, mistake }];
  };
  const ignored = headings.filter((heading, i) => heading !== '' && i !== email && i !== name);
  return { read, ignored, fullName };
}

/** Without a header row: the cell with the `@`, and a name if exactly one other cell is filled. */
function readCells(row: Row): readonly Found[] {
  const plain = row.text.replace(/"[^"]*"/g, '');
  const delimiter = DELIMITERS.find((each) => plain.includes(each)) ?? ',';
  const cells = split(row.text, delimiter).filter(Boolean);
  const others = cells.filter((cell) => !cell.includes('@'));
  if (cells.length < others.length + 2) {
    const { address, names } = readAddress(cells.find((cell) => cell.includes('@')) ?? '');
    return [{ row, address, names: names.length > 0 ? names : others.map(firstWord) }];
  }
  if (others.length > 0) return [{ row, address: '', names: [], mistake: 'several_addresses' }];
  return cells.map((text) => ({ row: { line: row.line, text }, ...readAddress(text) }));
}

/** `Ada Lovelace <ada@example.com>`, or an address alone, which mail programs may quote. */
function readAddress(cell: string): Pick<Found, 'address' | 'names'> {
  const [, name = '', typed = cell] = /^([^<>]*)<([^<>]*)>$/.exec(cell) ?? [];
  const address = typed.replace(/^["'‚„\p{Pi}\p{Pf}](.*)["'\p{Pi}\p{Pf}]$/u, '$1');
  return { address, names: [firstWord(name)].filter(Boolean) };
}

/** Whether there are several people, a group or a title beside or in place of a name. */
const hasOthers = (name: string): boolean =>
  /[&+/]/.test(name) ||
  foldText(name)
    .split(/[^\p{L}\p{M}]+/u)
    .some((word) => NO_NAMES.has(word));

/** The first word of a name, or the first after its comma; empty if it may be no first name. */
function firstWord(name: string): string {
  if (hasOthers(name)) return '';
  const plain = withoutBidiControls(name);
  const unquoted = /[^\s"'\p{Pi}\p{Pf}‚„](?:.*[^\s"'\p{Pi}\p{Pf}‚„])?/su;
  const [words = ''] = unquoted.exec(plain.slice(plain.indexOf(',') + 1)) ?? [];
  const [word = ''] = words.split(/[\s,]/, 1);
  const isWord = /^[\p{L}\uFFFD][\p{L}\p{M}\p{Join_Control}\uFFFD'’-]+$/u.test(word);
  return isWord ? word : '';
}

/** Splits a row into cells, which may be quoted as in CSV, or begin with a quoted name. */
function split(row: string, delimiter: string): readonly string[] {
  if (!row.includes('"')) return row.split(delimiter).map(trimInvisible);
  const quoted = `"([^"]*(?:""[^"]*)*)" *(?=${delimiter}|$)`;
  const other = `(?:"[^"]*" *<)?[^${delimiter}]*`;
  const cells = new RegExp(`${delimiter} *(?:${quoted}|(${other}))`, 'g');
  return [...(delimiter + row).matchAll(cells)].map(([, text, plain = '']) =>
    trimInvisible(text?.replaceAll('""', '"') ?? plain),
  );
}
