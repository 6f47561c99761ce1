/** Decodes the file of a list. This file imports nothing, because the browser runs it too. */

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

/**
 * Decodes a file that Excel saved in a western European language. Any bytes are valid text in it.
 *
 * @returns `undefined` if it is no text
 */
export function decodeWindows1252(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('windows-1252').decode(bytes);
  return text.includes('\0') ? undefined : text;
}
