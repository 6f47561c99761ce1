/** The style sheet that is made of the owner's colours. Pages load it after ours. */
import type { Theme } from './content.ts';

export function themeCss(theme: Theme | undefined): string {
  const background = theme?.background;
  const accent = theme?.accent;
  return `${schemeCss('light', background?.light, accent?.light)}
${schemeCss('dark', background?.dark, accent?.dark)}
`;
}

function schemeCss(scheme: string, paper: string | undefined, accent: string | undefined): string {
  const properties = paperCss(paper) + accentCss(accent);
  return `@media screen and (prefers-color-scheme: ${scheme}) { :root {${properties} } }`;
}

/** Text is black or white. Shades are mixed here, because Safari before 16.2 has no `color-mix`. */
function paperCss(paper: string | undefined): string {
  if (paper === undefined) return '';
  const text = textOn(paper);
  return `
  color-scheme: ${text === WHITE ? 'dark' : 'light'};
  --paper: ${paper};
  --ink: ${mix(text, 0.92, paper)};
  --raised: ${mix(text, 0.07, paper)};
  --line: ${mix(text, 0.17, paper)};
  --edge: ${mix(text, 0.5, paper)};
  --quiet: ${mix(text, 0.72, paper)};
  --accent: ${mix('#d9802e', 0.75, text)};
  --bad: ${mix('#e5332a', 0.7, text)};`;
}

/** @param share of the first colour, from 0 to 1 */
function mix(first: string, share: number, second: string): string {
  const channels = [1, 3, 5].map((at) =>
    Math.round(channel(first, at) * share + channel(second, at) * (1 - share)),
  );
  return `rgb(${channels.join(', ')})`;
}

function accentCss(accent: string | undefined): string {
  if (accent === undefined) return '';
  return `\n  --accent: ${accent}; --button: ${accent}; --on-button: ${textOn(accent)};`;
}

const BLACK = '#000000';
const WHITE = '#ffffff';

/** Black or white, whichever contrasts more with a colour, by its luminance (about WCAG 2.2). */
function textOn(colour: string): string {
  const luminance =
    0.2126 * light(colour, 1) + 0.7152 * light(colour, 3) + 0.0722 * light(colour, 5);
  return luminance > 0.179 ? BLACK : WHITE;
}

/** How much light a channel gives, from 0 to 1. */
function light(colour: string, at: number): number {
  return (channel(colour, at) / 255) ** 2.2;
}

/** A channel of `#rrggbb`, from 0 to 255. @param at where its digits are */
function channel(colour: string, at: number): number {
  return Number.parseInt(colour.slice(at, at + 2), 16);
}
