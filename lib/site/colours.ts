/** Contrast by WCAG 2.2. Colours are `#rrggbb`. */

export const BLACK = '#000000';
export const WHITE = '#ffffff';

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** @param share of `to`, from 0 to 1 */
export function mixColours(from: string, to: string, share: number): string {
  const ends = channels(to);
  const mixed = channels(from).map((each, i) => each + ((ends[i] ?? 0) - each) * share);
  return `#${mixed.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, from 0 (black) to 1 (white). */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((each) =>
    each <= 10 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const oneLuminance = luminance(one);
  const otherLuminance = luminance(other);
  const lighter = Math.max(oneLuminance, otherLuminance);
  const darker = Math.min(oneLuminance, otherLuminance);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * The colour nearest to `colour` that has this contrast. It is mixed more and more with `end`, by
 * default black or white. If no mixture has the contrast, the result is `end`.
 */
export function nearestColour(colour: string, paper: string, ratio: number, end?: string): string {
  // Black or white has a contrast of at least 4.58.
  const text = contrast(BLACK, paper) > contrast(WHITE, paper) ? BLACK : WHITE;
  const goal = end ?? text;
  for (let step = 0; step < 255; step += 1) {
    const mixed = mixColours(colour, goal, step / 255);
    if (contrast(mixed, paper) >= ratio) return mixed;
  }
  return goal;
}
