/** The owner's brand: the fields of content.json, and the style sheet that is made of them. */
import { type Fields, has, note, readLine, readObject, readOptional } from './fields.ts';
import { type Picture, readFile, readPicture, type SiteFiles } from './site-files.ts';

export type Theme = {
  readonly accent: Colours | undefined;
  readonly background: Colours | undefined;
  readonly logo: Picture | undefined;
  /** The URL of the icon in the tab. */
  readonly favicon: string | undefined;
  /** The URL of the picture of link previews. */
  readonly card: string | undefined;
};

/** `#rrggbb` for each scheme. */
type Colours = { readonly light: string; readonly dark: string };

export function readTheme(fields: Fields, files: SiteFiles): Theme {
  const file = (name: string, kinds: readonly string[]) =>
    has(fields, name) ? readFile(fields, name, 'public', kinds, files) : undefined;
  return {
    accent: readColours(fields, 'accent'),
    background: readColours(fields, 'background'),
    logo: readOptional(fields, 'logo', (logo) => readPicture(logo, 'public', files)),
    favicon: file('favicon', ['svg', 'png', 'ico']),
    card: file('card', ['png', 'jpg', 'jpeg']),
  };
}

/** Reads one colour for both schemes, or `{ light, dark }`. */
function readColours(fields: Fields, name: string): Colours | undefined {
  if (!has(fields, name)) return undefined;
  if (typeof fields.values[name] === 'object') {
    return readObject(fields, name, (pair) => ({
      light: readColour(pair, 'light'),
      dark: readColour(pair, 'dark'),
    }));
  }
  const colour = readColour(fields, name);
  return { light: colour, dark: colour };
}

function readColour(fields: Fields, name: string): string {
  const colour = readLine(fields, name);
  if (!/^#[\da-f]{6}$/i.test(colour))
    note(fields, name, `"${colour}" is no colour; write one such as #00566b`);
  return colour;
}

/** The style sheet that overrides base.css; empty without colours. */
export function themeCss({ accent, background }: Theme): string {
  if (accent === undefined && background === undefined) return '';
  return (['light', 'dark'] as const)
    .map((scheme) => {
      const properties = paperCss(background?.[scheme]) + accentCss(accent?.[scheme]);
      return `@media screen and (prefers-color-scheme: ${scheme}) {\n:root { ${properties}}\n}\n`;
    })
    .join('');
}

/** What is between the background and its text, as the browser mixes it. */
const MIXED = `
  --raised: color-mix(in srgb, var(--ink) 7%, var(--paper));
  --line: color-mix(in srgb, var(--ink) 17%, var(--paper));
  --edge: color-mix(in srgb, var(--ink) 50%, var(--paper));
  --quiet: color-mix(in srgb, var(--ink) 74%, var(--paper));
  --accent: color-mix(in srgb, #d9802e 75%, var(--ink));
  --bad: color-mix(in srgb, #e5332a 70%, var(--ink));`;

function paperCss(paper: string | undefined): string {
  if (paper === undefined) return '';
  const text = textOn(paper);
  const scheme = text === WHITE ? 'dark' : 'light';
  const ink = `color-mix(in srgb, ${text} 92%, ${paper})`;
  return `color-scheme: ${scheme}; --paper: ${paper}; --ink: ${ink};${MIXED}\n`;
}

function accentCss(accent: string | undefined): string {
  if (accent === undefined) return '';
  return `--accent: ${accent}; --button: ${accent}; --on-button: ${textOn(accent)};\n`;
}

const BLACK = '#000000';
const WHITE = '#ffffff';

/** Black or white, whichever has more contrast with a colour (relative luminance, WCAG 2.2). */
function textOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? BLACK : WHITE;
}
