/**
 * Texts of several paragraphs, with links: `[words](https://…)`, `mailto:…`, `tel:…`, `/media/…`.
 */
import { parseUrl } from '../url.ts';
import {
  failAt,
  type Reader,
  readLine,
  readText,
  type SiteFiles,
  warnOfMarkup,
} from './field-readers.ts';
import { readLinkedFile } from './site-files.ts';

/** A paragraph of a text. */
export type Paragraph = { readonly parts: readonly Part[] };

/** A plain text, and the link that follows it. */
export type Part = {
  readonly plain: string;
  readonly link: { readonly words: string; readonly href: string } | undefined;
};

/**
 * `[our house](https://example.com/a_(b))`, not `[1]`. The address may contain pairs of
 * parentheses. If the last one is missing, this still matches, and it is a mistake.
 */
const LINK = /\[([^[\]]*)\]\(((?:[^()\s]|\([^()\s]*\))*)(\)?)/;

/**
 * `https://example.com`, `mailto:ada@example.com` and `tel:+49-30-1234`, not `http://example.com`.
 */
const SAFE = /^(https:\/\/[^/?#]|mailto:[^@\s]+@[^@\s]|tel:\+?[\d.-]+$)/i;

/** A domain for examples, which belongs to nobody (RFC 2606). */
const EXAMPLE = /(?<=[@./])example\.(com|net|org)\b/i;

/** A file for guests: `/media/extract.pdf#page=2`, not `/public/a.pdf`. */
const GATED = /^(\/(?:media|images)\/[^?#]+)(#.*)?$/;

/** Which addresses the links of a text may have. */
type Links = {
  /** @returns the address for the page; `undefined` if it is not allowed */
  readonly read: (written: string, at: string, files: SiteFiles) => string | undefined;
  /** The allowed addresses, for messages. */
  readonly forms: string;
};

const PUBLIC_LINKS: Links = {
  read: safeAddress,
  forms: 'write [words](https://…), (mailto:…) or (tel:…)',
};

const GUESTS_LINKS: Links = {
  read(written, at, files) {
    const [, address, fragment = ''] = GATED.exec(written) ?? [];
    if (address === undefined) return safeAddress(written, at, files);
    return readLinkedFile(address, at, files) + fragment;
  },
  forms: 'write [words](https://…), (mailto:…), (tel:…) or (/media/…)',
};

/** Makes a reader for a text with blank lines between paragraphs. */
const paragraphsWith =
  (links: Links): Reader<readonly Paragraph[]> =>
  (value, at, files) => {
    const text = readText(value, at);
    warnOfMarkup(text, at, files);
    return text
      .replace(TELEPHONE, withoutSpaces)
      .split(/\n\s*\n/)
      .map((paragraph) => ({ parts: partsOf(paragraph.trim(), at, files, links) }));
  };

/** A text for guests. It may link to files for guests. */
export const readParagraphs = paragraphsWith(GUESTS_LINKS);

/** A text for everybody. */
export const readPublicParagraphs = paragraphsWith(PUBLIC_LINKS);

/** The address in `[call](tel:+49 30 1234)`, not in `tel: 1234`. */
const TELEPHONE = /\]\(tel:[^()\n]*\)/gi;

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');

const SPACED = 'the address has spaces; take them out, or write %20';

function partsOf(
  paragraph: string,
  at: string,
  files: SiteFiles,
  { read, forms }: Links,
): readonly Part[] {
  const parts: Part[] = [];
  // The parts in turn: plain text, then the words, the address and the last parenthesis of a link.
  const pieces = paragraph.split(LINK);
  for (let i = 0; i < pieces.length; i += 4) {
    const [plain = '', words, written = '', end] = pieces.slice(i, i + 4);
    if (words === undefined) {
      parts.push({ plain, link: undefined });
      continue;
    }
    const isWhole = words.trim() !== '' && end === ')';
    const href = isWhole ? read(written, at, files) : undefined;
    if (href === undefined) {
      const link = `[${words}](${written}${end}`;
      const isSpaced = end === '' && /^\s[^()]*\)/.test(pieces[i + 4] ?? '');
      failAt(
        at,
        isSpaced ? `not a link: ${link}: ${SPACED}; ${forms}` : `not a link: ${link}; ${forms}`,
      );
    }
    parts.push({ plain, link: { words, href } });
  }
  return parts;
}

export function readLinkAddress(value: unknown, at: string, files: SiteFiles): string {
  const line = readLine(value, at);
  const written = /^tel:/i.test(line) ? withoutSpaces(line) : line;
  const href = safeAddress(written, at, files);
  if (href !== undefined && !/\s/.test(written)) return href;
  const fault = 'not an address such as https://…, mailto:… or tel:…';
  const isSpaced = /\s/.test(written);
  return failAt(at, isSpaced ? SPACED : fault);
}

function safeAddress(written: string, at: string, { warnings }: SiteFiles): string | undefined {
  const url = SAFE.test(written) ? parseUrl(written) : undefined;
  if (url === undefined) return undefined;
  const [example] = EXAMPLE.exec(written) ?? [];
  const remedy = 'is a placeholder; write an address of your own';
  if (example) warnings.add(`content.json: ${at}: ${example} ${remedy}`);
  return url.href;
}
