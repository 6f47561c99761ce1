/**
 * Reads a pasted list of people to invite. Unlike `invite add --from`, which refuses a file with a
 * bad line, it names each bad line and reads the others. It has no access to the page.
 */

/** A person in the list, or a line that names nobody. */
export type Entry = {
  /** The number of its line, from 1. */
  readonly line: number;
  /** The line, or its part of a line that names several people. */
  readonly text: string;
  /** As the service stores it, or what stands in its place. */
  readonly email: string;
  readonly firstName: string;
  /** `new`, or why the line invites nobody, in the words of the service's error codes. */
  readonly what: string;
};

/** The longest list, in UTF-16 code units and in lines. */
export const MAX_LENGTH = 1_000_000;
export const MAX_LINES = 10_000;

/** Headings without other characters than letters, in order of preference. */
const EMAIL_HEADINGS =
  'email emailaddress emailadresse mail courriel correo epost address adresse'.split(' ');
const NAME_HEADINGS =
  'firstname givenname forename vorname first prénom nombre nome voornaam name'.split(' ');

type Found = Pick<Entry, 'text' | 'email' | 'firstName'>;

/**
 * Reads one address a line, columns separated by tabs, semicolons or commas, and
 * `Ada Lovelace <ada@example.com>`, also several on a line. A first line without an address and
 * with a known heading is the heading line. Empty lines are ignored.
 */
export function readList(text: string): readonly Entry[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, i) => ({ number: i + 1, line }))
    .filter(({ line }) => /[^\s,;"]/.test(line));
  const columns = readHeading(lines[0]?.line ?? '');
  const known = new Set<string>();
  return lines.flatMap(({ number, line }, i) => {
    const text = line.trim();
    if (columns && i === 0)
      return { text, line: number, email: '', firstName: '', what: 'heading' };
    return readLine(line, columns).map((each): Entry => {
      const email = normalize(each.email);
      const what = judge({ ...each, email }, known);
      known.add(email);
      return { ...each, line: number, email: email || each.email, what };
    });
  });
}

/** Joins lines to a list that can be read again; a heading line alone is none. */
export function writeList(entries: readonly Entry[]): string {
  const hasPeople = entries.some(({ what }) => what !== 'heading');
  return hasPeople ? entries.map(({ text }) => text).join('\n') : '';
}

function judge({ text, email, firstName }: Found, known: ReadonlySet<string>): string {
  if (text.includes('\uFFFD')) return 'lost_characters';
  if (email === '') return 'invalid_email';
  if (known.has(email)) return 'twice';
  const isName = firstName.length <= 100 && !/[\p{Cc}\p{Cs}]/u.test(firstName);
  return isName ? 'new' : 'invalid_first_name';
}

type Columns = { readonly delimiter: string; readonly email: number; readonly name: number };

function readHeading(line: string): Columns | undefined {
  if (line.includes('@')) return undefined;
  const delimiter = delimiterOf(line);
  const names = split(line, delimiter).map((cell) => cell.toLowerCase().replace(/[^\p{L}]/gu, ''));
  const column = (headings: readonly string[]) =>
    headings.map((heading) => names.indexOf(heading)).find((i) => i >= 0) ?? -1;
  const [email, name] = [column(EMAIL_HEADINGS), column(NAME_HEADINGS)];
  if (email < 0 && name < 0) return undefined;
  // If there are two columns, the other one has the first name, under any heading.
  return { delimiter, email, name: name < 0 && names.length === 2 ? 1 - email : name };
}

/** Without headings each cell with an `@` is a person; of one, the first word is the first name. */
function readLine(line: string, columns: Columns | undefined): readonly Found[] {
  const cells = split(line, columns?.delimiter ?? delimiterOf(line));
  const address = cells[columns?.email ?? -1] ?? cells.find((cell) => cell.includes('@')) ?? '';
  const people = (columns ? [address] : cells).flatMap(inCell);
  if (!columns && people.length > 1) return people;
  const { email = address, firstName = '' } = people[0] ?? {};
  const word = cells.find((cell) => /\p{L}/u.test(cell) && !cell.includes('@'));
  const name = columns ? cells[columns.name] : firstName || word;
  const isName = name !== undefined && !name.includes('@');
  return [{ text: line.trim(), email, firstName: isName ? name : firstName }];
}

/** `Ada Lovelace <ada@example.com>`, or several addresses between spaces. */
function inCell(cell: string): readonly Found[] {
  const words = cell.split(/[\s<>"]+/).filter(Boolean);
  const addresses = words.filter((word) => word.includes('@'));
  const name = addresses.length === 1 ? words.find((word) => !word.includes('@')) : '';
  return addresses.map((word) => {
    // Programs copy an address with invisible marks, or with quotes and a full stop around it.
    const plain = word.replace(/\p{Cf}/gu, '');
    const email = plain.replace(/^['(]*(mailto:)?|['.)]{1,3}$/gi, '');
    const text = addresses.length === 1 ? cell : word;
    return { text, email, firstName: name ?? '' };
  });
}

/** The separator of a line's cells, outside of quotes. */
function delimiterOf(line: string): string {
  const plain = line.replace(/"[^"]*"/g, '');
  return ['\t', ';'].find((each) => plain.includes(each)) ?? ',';
}

/** A cell that begins with a quote ends with one, and two quotes in it mean one. */
function split(line: string, delimiter: string): readonly string[] {
  const quoted = ` *"([^"]*(?:""[^"]*)*)" *(?=${delimiter}|$)`;
  const cells = new RegExp(`${delimiter}(?:${quoted}|([^${delimiter}]*))`, 'g');
  return [...(delimiter + line).matchAll(cells)].map(([, text, plain = '']) =>
    (text?.replaceAll('""', '"') ?? plain).trim(),
  );
}

/** The address as the service stores it; empty if it is none. */
export function normalize(typed: string): string {
  const text = typed.toLowerCase();
  const at = text.indexOf('@') + 1;
  const email = text.slice(0, at) + toAscii(text.slice(at));
  return email.length <= 254 && ADDRESS.test(email) ? email : '';
}

const ADDRESS = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u;

/** Browsers would take a path for none, and a number for an IPv4 address. */
function toAscii(domain: string): string {
  if (/^[\0-\x7f]*$/.test(domain)) return domain;
  const url = /[%/?#\\:@]/.test(domain) ? undefined : `http://${domain}`;
  const ascii = url && URL.canParse(url) ? new URL(url).hostname : '';
  return /^[\d.]+$/.test(ascii) ? '' : ascii;
}

/** The text of a file: UTF-8, UTF-16 with its mark or, as Excel writes CSV, Windows-1252. */
export function decodeFile(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
