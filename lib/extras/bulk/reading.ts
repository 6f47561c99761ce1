/**
 * Says how a list was read, for the page and the tool. The browser runs it, so it imports nothing.
 */

/** The headings whose columns were read; `null` without one. */
export type ReadColumns = {
  readonly address: string | null;
  readonly firstName: string | null;
};

/** Mistakes in a row of a list, or in one of several people in it. */
export const LINE_MISTAKES: Readonly<Record<string, string>> = {
  invalid_email: 'invalid address',
  mixed_alphabets: 'letters of two alphabets',
  invalid_first_name: 'first name over 100 characters, or with unreadable characters',
  lost_characters: 'has lost characters (\uFFFD)',
  several_addresses: 'more than one address',
  extra_cells: 'more cells than the header row',
  above_headings: 'above the headings',
};

type Reading = {
  readonly read: ReadColumns;
  readonly withoutAddress: number;
};

/** `Read addresses from “E-Mail”, first names from “Vorname”. 819 rows have no address.` */
export function describeReading({ read, withoutAddress }: Reading): string {
  const parts: string[] = [];
  if (read.address !== null) parts.push(`addresses from “${read.address}”`);
  if (read.firstName !== null) parts.push(`first names from “${read.firstName}”`);
  const sentences: string[] = [];
  if (parts.length > 0) sentences.push(`Read ${parts.join(', ')}.`);
  if (withoutAddress === 1) sentences.push('1 row has no address.');
  if (withoutAddress > 1)
    sentences.push(`${withoutAddress.toLocaleString('en')} rows have no address.`);
  return sentences.join(' ');
}
