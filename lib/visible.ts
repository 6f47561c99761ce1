/** Text that others wrote, for a terminal or a log. JSON, CSV and letters have it as it is. */

/**
 * Control characters, and those that turn text round: U+001B and U+202E, not U+200F, which names in
 * Hebrew and Arabic may have.
 */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text in one line, with `\u001b` in the place of an escape character, and so on. */
export const visible = (text: string): string => text.replace(INVISIBLE, toEscape);

const toEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
