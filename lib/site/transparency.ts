/** Finds transparent pictures. In the dark scheme, the page behind them is dark. */
import fs from 'node:fs';
import { kindOf, partsOf, type Source, withFile } from './file-parts.ts';
import { isSvg } from './svg.ts';

/** Signs that an SVG follows the scheme: `@media (prefers-color-scheme: dark)`, `var(--ink)`. */
const FOLLOWS_SCHEME = /prefers-color-scheme|var\(--/;

/**
 * Whether the page behind the picture is visible. True for each SVG that does not follow the
 * scheme.
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
  // Types 4 and 6 have an alpha channel. The others may have a transparent colour, `tRNS`.
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
  // This bit follows two sizes of 14 bits.
  return name === 'VP8L' && ((head[12] ?? 0) & 0x10) !== 0;
}
