/** Texts of several paragraphs, with links: `[words](https://…)`, `mailto:…` or `tel:…`. */
import { failAt, readLine, readText } from './field-readers.ts';

/** The address may contain pairs of parentheses. An unclosed link is a mistake. */
const LINK = /\[([^[\]]*)\]\(((?:[^()\s]|\([^()\s]*\))*)(\)?)/;

const SAFE = /^(https:\/\/[^/?#]|mailto:[^@\s]+@[^@\s]|tel:\+?[\d.-]+$)/i;

/** A text with blank lines between paragraphs. */
export const readParagraphs = (value: unknown, at: string) =>
  readText(value, at)
    .split(/\n\s*\n/)
    .map((paragraph) => ({ parts: partsOf(paragraph.trim(), at) }));

/** Plain texts, each with the link that follows it. */
function partsOf(paragraph: string, at: string) {
  // In turn: plain text, a link's words, address and closing parenthesis.
  const pieces = paragraph.split(LINK);
  return Array.from({ length: Math.ceil(pieces.length / 4) }, (_, i) => {
    const [plain = '', words, written = '', end] = pieces.slice(4 * i, 4 * i + 4);
    if (words === undefined) return { plain, link: undefined };
    const href = words.trim() !== '' && end === ')' && safeAddress(written);
    if (href) return { plain, link: { words, href } };
    const link = `[${words}](${written}${end}`;
    return failAt(at, `no link: ${link}; write [words](https://…), (mailto:…) or (tel:…)`);
  });
}

export const readLinkAddress = (value: unknown, at: string): string =>
  safeAddress(readLine(value, at)) ??
  failAt(at, 'not an address such as https://…, mailto:… or tel:…');

const safeAddress = (href: string): string | undefined =>
  SAFE.test(href) && URL.canParse(href) ? new URL(href).href : undefined;
