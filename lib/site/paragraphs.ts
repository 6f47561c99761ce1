/** Texts of several paragraphs, with links: `[words](https://…)`, `mailto:…` or `tel:…`. */
import { fail, line, list, type Reader, text } from './reader.ts';

/** Plain text, and the link that follows it. */
type Part = { readonly plain: string; readonly link: Link | undefined };
type Link = { readonly words: string; readonly href: string };
type Paragraph = { readonly parts: readonly Part[] };

/** The address may have parentheses in pairs. A link without its end is a mistake, not text. */
const LINK = /\[([^[\]]*)\]\(((?:[^()\s]|\([^()\s]*\))*)(\)?)/;

const SAFE = /^(https:\/\/[^/?#]|mailto:[^@\s]+@[^@\s]|tel:\+?[\d.-]+$)/i;

/** A text that blank lines divide, or a list of such texts. */
export const paragraphs: Reader<readonly Paragraph[]> = (value, at) =>
  Array.isArray(value) ? list(divided)(value, at).flat() : divided(value, at);

const divided: Reader<readonly Paragraph[]> = (value, at) =>
  text(value, at)
    .split(/\n\s*\n/)
    .map((paragraph) => ({ parts: partsOf(paragraph.trim(), at) }));

function partsOf(paragraph: string, at: string): readonly Part[] {
  // Plain text, then a link's words, address and end, in turn.
  const pieces = paragraph.split(LINK);
  return Array.from({ length: Math.ceil(pieces.length / 4) }, (_, i) => {
    const [plain = '', words, href = '', end] = pieces.slice(4 * i, 4 * i + 4);
    return { plain, link: words === undefined ? undefined : readLink(words, href, end, at) };
  });
}

function readLink(words: string, href: string, end: string | undefined, at: string): Link {
  if (words.trim() === '' || end !== ')' || !isSafe(href))
    fail(at, `no link: [${words}](${href}${end}; write [words](https://…), (mailto:…) or (tel:…)`);
  return { words, href: new URL(href).href };
}

const isSafe = (href: string): boolean => SAFE.test(href) && URL.canParse(href);

/** The address of a link. */
export const address: Reader<string> = (value, at) => {
  const href = line(value, at);
  return isSafe(href)
    ? new URL(href).href
    : fail(at, 'not an address such as https://…, mailto:… or tel:…');
};
