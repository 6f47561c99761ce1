/** Text of other people for a terminal or a log. JSON, CSV and letters contain it unchanged. */

/**
 * Control characters, such as U+001B, and characters that reverse the text after them, such as U+202E.
 * U+200F is not among them, because names in Hebrew and Arabic may contain it.
 */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text in one line. An escape character, for example, is printed as `\u001b`. */
export const visible = (text: string): string => text.replace(INVISIBLE, toEscape);

const toEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
