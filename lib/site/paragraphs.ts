/** Texts of several paragraphs, with links: `[words](https://…)`, `mailto:…` or `tel:…`. */
import { failAt, readLine, readText, type SiteFiles } from './field-readers.ts';

/** The address may contain pairs of parentheses. An unclosed link is a mistake. */
const LINK = /\[([^[\]]*)\]\(((?:[^()\s]|\([^()\s]*\))*)(\)?)/;

const SAFE = /^(https:\/\/[^/?#]|mailto:[^@\s]+@[^@\s]|tel:\+?[\d.-]+$)/i;

/** A domain that belongs to no one (RFC 2606). */
const EXAMPLE = /(?<=[@./])example\.(com|net|org)\b/i;

/** A text with blank lines between paragraphs. */
export const readParagraphs = (value: unknown, at: string, files: SiteFiles) =>
  readText(value, at)
    .split(/\n\s*\n/)
    .map((paragraph) => ({ parts: partsOf(paragraph.trim(), at, files) }));

/** Plain texts, each with the link that follows it. */
function partsOf(paragraph: string, at: string, files: SiteFiles) {
  // In turn: plain text, a link's words, address and closing parenthesis.
  const pieces = paragraph.split(LINK);
  return Array.from({ length: Math.ceil(pieces.length / 4) }, (_, i) => {
    const [plain = '', words, written = '', end] = pieces.slice(4 * i, 4 * i + 4);
    if (words === undefined) return { plain, link: undefined };
    const href = words.trim() !== '' && end === ')' && safeAddress(written, at, files);
    if (href) return { plain, link: { words, href } };
    const link = `[${words}](${written}${end}`;
    return failAt(at, `no link: ${link}; write [words](https://…), (mailto:…) or (tel:…)`);
  });
}

export const readLinkAddress = (value: unknown, at: string, files: SiteFiles): string =>
  safeAddress(readLine(value, at), at, files) ??
  failAt(at, 'not an address such as https://…, mailto:… or tel:…');

function safeAddress(written: string, at: string, { warnings }: SiteFiles): string | undefined {
  if (!SAFE.test(written) || !URL.canParse(written)) return undefined;
  const [example] = EXAMPLE.exec(written) ?? [];
  const remedy = 'is a placeholder; write an address of your own';
  if (example) warnings.add(`content.json: ${at}: ${example} ${remedy}`);
  return new URL(written).href;
}
