/** Finds pictures that stand on the background of the page, which is dark in the dark scheme. */
import fs from 'node:fs';
import { kindOf, partsOf, type Source, withFile } from './file-parts.ts';

/** Larger ones are not pictures, in bytes. */
const MOST = 20e6;

export function isTransparent(file: string): boolean {
  // An SVG that follows the scheme says so.
  if (/\.svg$/i.test(file))
    return !/prefers-color-scheme|var\(--/.test(fs.readFileSync(file, 'latin1').slice(0, MOST));
  return withFile(file, (source) => {
    const kind = kindOf(source);
    if (kind === 'png') return isTransparentPng(source);
    return kind === 'webp' && isTransparentWebp(source);
  });
}

function isTransparentPng(source: Source): boolean {
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
