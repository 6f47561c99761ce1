/** Texts of several paragraphs, with links such as `[our house](https://example.com)`. */
import { type Fields, note, readLine, readText } from './fields.ts';

export type Paragraph = { readonly parts: readonly Part[] };

/** A plain text, and the link that follows it. */
export type Part = {
  readonly plain: string;
  readonly link: { readonly words: string; readonly href: string } | undefined;
};

/** `[our house](https://example.com/a)`, not `[1]` and not `[our house] (near the lake)`. */
const LINK = /\[([^[\]]+)\]\(([^()\s]+)\)/;

/** `https://example.com`, not `http://example.com` and not `/timeline`. */
const ADDRESS = /^(https:\/\/|mailto:|tel:)./;

/** Reads the address of a link to elsewhere. */
export function readAddress(fields: Fields, name: string): string {
  const href = readLine(fields, name);
  if (href !== '' && !ADDRESS.test(href))
    note(fields, name, `${href} is no address; write https://…, mailto:… or tel:…`);
  return href;
}

/**
 * Reads a text. A blank line begins a new paragraph.
 *
 * @param files to which links may lead, by URL: `/media/extract.pdf#page=2`
 */
export function readParagraphs(
  fields: Fields,
  name: string,
  files: ReadonlyMap<string, string>,
): readonly Paragraph[] {
  const paragraphs = readText(fields, name)
    .split(/\n\s*\n/)
    .map(toParagraph);
  for (const { link } of paragraphs.flatMap(({ parts }) => parts)) {
    const [url = ''] = link?.href.split('#') ?? [];
    if (link === undefined || ADDRESS.test(link.href) || files.has(url)) continue;
    const forms = 'https://…, mailto:…, tel:… or, for guests, a file such as /media/a.pdf';
    note(fields, name, `${link.href} is no address; write ${forms}`);
  }
  return paragraphs;
}

function toParagraph(text: string): Paragraph {
  const parts: Part[] = [];
  // In turn a plain text, and the words and the address of a link.
  const pieces = text.split(LINK);
  for (let i = 0; i < pieces.length; i += 3) {
    const [plain = '', words, href = ''] = pieces.slice(i, i + 3);
    parts.push({ plain, link: words === undefined ? undefined : { words, href } });
  }
  return { parts };
}
