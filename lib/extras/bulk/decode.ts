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
 * The characters of the bytes from 0x80 to 0x9F in Windows-1252. Node 20, and some versions of 22
 * and 24, decode these bytes as control characters.
 */
const ABOVE_ASCII = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes a file that Excel saved in a western European language. Any bytes are valid text in it.
 *
 * @returns `undefined` if it is no text
 */
export function decodeWindows1252(bytes: Uint8Array): string | undefined {
  const decoded = new TextDecoder('windows-1252').decode(bytes);
  const text = decoded.replace(/[\x80-\x9f]/g, (letter) =>
    ABOVE_ASCII.charAt(letter.charCodeAt(0) - 0x80),
  );
  return text.includes('\0') ? undefined : text;
}
