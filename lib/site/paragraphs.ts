/** Texts of several paragraphs, with links such as `[our house](https://example.com)`. */
import { type Fields, note, readLine, readText } from './fields.ts';
import type { View } from './template.ts';

/** `[our house](https://example.com/a)`, not `[1]` and not `[our house] (near the lake)`. */
const LINK = /\[([^[\]]+)\]\(([^()\s]+)\)/;

/** `https://example.com`, not `http://example.com` and not `/timeline`. */
const ADDRESS = /^(https:\/\/|mailto:|tel:)./;

/** Reads a text. A blank line begins a new paragraph, which has parts: plain text, and a link. */
export function readParagraphs(fields: Fields, name: string): readonly View[] {
  const paragraphs = readText(fields, name).split(/\n\s*\n/);
  return paragraphs.map((paragraph) => {
    const parts: View[] = [];
    // In turn a plain text, and the words and the address of a link.
    const pieces = paragraph.split(LINK);
    for (let i = 0; i < pieces.length; i += 3) {
      const [plain = '', words, href = ''] = pieces.slice(i, i + 3);
      if (words !== undefined) checkAddress(fields, name, href);
      parts.push({ plain, link: words === undefined ? undefined : { words, href } });
    }
    return { parts };
  });
}

/** Reads the address of a link. */
export function readAddress(fields: Fields, name: string): string {
  const href = readLine(fields, name);
  if (href !== '') checkAddress(fields, name, href);
  return href;
}

/** A link may also lead to a file of the site: `/media/extract.pdf#page=2`. */
function checkAddress(fields: Fields, name: string, href: string): void {
  const [url = ''] = href.split('#');
  if (ADDRESS.test(href) || fields.files.public.has(url) || fields.files.gated.has(url)) return;
  const forms = 'https://…, mailto:…, tel:… or a file of yours, such as /media/a.pdf';
  note(fields, name, `${href} is no address; write ${forms}`);
}
