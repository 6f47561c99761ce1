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

/** Text is black or white. The browser mixes the shades between it and the background. */
function paperCss(paper: string | undefined): string {
  if (paper === undefined) return '';
  const text = textOn(paper);
  return `
  color-scheme: ${text === WHITE ? 'dark' : 'light'};
  --paper: ${paper};
  --ink: color-mix(in srgb, ${text} 92%, ${paper});
  --raised: color-mix(in srgb, ${text} 7%, ${paper});
  --line: color-mix(in srgb, ${text} 17%, ${paper});
  --edge: color-mix(in srgb, ${text} 50%, ${paper});
  --quiet: color-mix(in srgb, ${text} 72%, ${paper});
  --accent: color-mix(in srgb, #d9802e 75%, ${text});
  --bad: color-mix(in srgb, #e5332a 70%, ${text});`;
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

/** How much light a channel of `#rrggbb` gives, from 0 to 1. @param at where its digits are */
function light(colour: string, at: number): number {
  return (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2;
}
