/** Finds pictures that stand on the background of the page, which is dark in the dark scheme. */
import fs from 'node:fs';
import { kindOf, partsOf, type Source, withFile } from './file-parts.ts';
import { isSvg } from './svg.ts';

/** How an SVG follows the scheme: `@media (prefers-color-scheme: dark)`, `fill: var(--ink)`. */
const FOLLOWS_SCHEME = /prefers-color-scheme|var\(--/;

/**
 * Whether what is behind the picture can be seen. It is true of each SVG that keeps its colours.
 */
export function isTransparent(file: string): boolean {
  if (isSvg(file)) return !FOLLOWS_SCHEME.test(fs.readFileSync(file, 'latin1'));
  return withFile(file, (source) => {
    const kind = kindOf(source);
    if (kind === 'png') return isTransparentPng(source);
    return kind === 'webp' && isTransparentWebp(source);
  });
}

function isTransparentPng(source: Source): boolean {
  // Types 4 and 6 have an alpha channel; the others may have a transparent colour, `tRNS`.
  const colourType = source.read(25, 1)[0];
  if (colourType === 4 || colourType === 6) return true;
  for (const { name } of partsOf(source, 'png')) {
    if (name === 'tRNS') return true;
    if (name === 'IDAT') return false;
  }
  return false;
}

function isTransparentWebp(source: Source): boolean {
  const head = source.read(12, 13);
  const name = head.toString('latin1', 0, 4);
  if (name === 'VP8X') return ((head[8] ?? 0) & 0x10) !== 0;
  // The bit after twice 14 bits of size.
  return name === 'VP8L' && ((head[12] ?? 0) & 0x10) !== 0;
}
