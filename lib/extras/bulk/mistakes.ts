/**
 * What may be wrong with a list of people: its encoding, or a line of it. This file imports nothing,
 * because the browser runs it too.
 */

/** Mistakes in a line of a list, or in one of several people on it. */
export const LINE_MISTAKES: Readonly<Record<string, string>> = {
  invalid_email: 'invalid address',
  invalid_first_name: 'first name over 100 characters, or with unreadable characters',
  lost_characters: 'has lost characters (\uFFFD)',
  several_addresses: 'more than one address',
  extra_cells: 'more cells than the header row',
};

/**
 * Decodes a file of a list, in UTF-8, or in UTF-16 with a byte order mark.
 *
 * @returns `undefined` if it is in another encoding, or no text
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const mark = bytes.subarray(0, 2).join();
  const encoding = { '255,254': 'utf-16le', '254,255': 'utf-16be' }[mark] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
