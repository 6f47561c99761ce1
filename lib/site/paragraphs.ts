/** Texts of several paragraphs, with links: `[words](https://…)`, `mailto:…` or `tel:…`. */
import { failAt, readLine, readText, type SiteFiles, warnOfMarkup } from './field-readers.ts';

/** A paragraph of a text. */
export type Paragraph = { readonly parts: readonly Part[] };

/** A plain text, and the link that follows it. */
export type Part = {
  readonly plain: string;
  readonly link: { readonly words: string; readonly href: string } | undefined;
};

/**
 * `[our house](https://example.com/a_(b))`, not `[1]`. The address may contain pairs of parentheses.
 * The last one may be missing, which is a mistake.
 */
const LINK = /\[([^[\]]*)\]\(((?:[^()\s]|\([^()\s]*\))*)(\)?)/;

/** `https://example.com`, `mailto:ada@example.com` and `tel:+49-30-1234`, not `http://example.com`. */
const SAFE = /^(https:\/\/[^/?#]|mailto:[^@\s]+@[^@\s]|tel:\+?[\d.-]+$)/i;

/** A domain that belongs to no one (RFC 2606). */
const EXAMPLE = /(?<=[@./])example\.(com|net|org)\b/i;

/** A text with blank lines between paragraphs. */
export const readParagraphs = (
  value: unknown,
  at: string,
  files: SiteFiles,
): readonly Paragraph[] => {
  const text = readText(value, at);
  warnOfMarkup(text, at, files);
  return text
    .replace(TELEPHONE, withoutSpaces)
    .split(/\n\s*\n/)
    .map((paragraph) => ({ parts: partsOf(paragraph.trim(), at, files) }));
};

/** The address in `[call](tel:+49 30 1234)`, not in `tel: 1234`. */
const TELEPHONE = /\]\(tel:[^()\n]*\)/gi;

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');

function partsOf(paragraph: string, at: string, files: SiteFiles): readonly Part[] {
  const parts: Part[] = [];
  // In turn: plain text, a link's words, address and closing parenthesis.
  const pieces = paragraph.split(LINK);
  for (let i = 0; i < pieces.length; i += 4) {
    const [plain = '', words, written = '', end] = pieces.slice(i, i + 4);
    if (words === undefined) {
      parts.push({ plain, link: undefined });
      continue;
    }
    const isWhole = words.trim() !== '' && end === ')';
    const href = isWhole ? safeAddress(written, at, files) : undefined;
    if (href === undefined) {
      const link = `[${words}](${written}${end}`;
      const isSpaced = end === '' && /^\s[^()]*\)/.test(pieces[i + 4] ?? '');
      if (isSpaced) failAt(at, `no link: ${link}: ${SPACED}`);
      failAt(at, `no link: ${link}; write [words](https://…), (mailto:…) or (tel:…)`);
    } else {
      parts.push({ plain, link: { words, href } });
    }
  }
  return parts;
}

const SPACED =
  'its address has spaces; take them out, or write %20; write [words](https://…), (mailto:…) or (tel:…)';

export function readLinkAddress(value: unknown, at: string, files: SiteFiles): string {
  const line = readLine(value, at);
  const written = /^tel:/i.test(line) ? withoutSpaces(line) : line;
  const href = safeAddress(written, at, files);
  if (href !== undefined && !/\s/.test(written)) return href;
  const fault = 'not an address such as https://…, mailto:… or tel:…';
  const isSpaced = /\s/.test(written);
  return failAt(at, isSpaced ? 'the address has spaces; take them out, or write %20' : fault);
}

function safeAddress(written: string, at: string, { warnings }: SiteFiles): string | undefined {
  if (!SAFE.test(written) || !URL.canParse(written)) return undefined;
  const [example] = EXAMPLE.exec(written) ?? [];
  const remedy = 'is a placeholder; write an address of your own';
  if (example) warnings.add(`content.json: ${at}: ${example} ${remedy}`);
  return new URL(written).href;
}
