/** The owner's brand: `theme` in content.json, and the style sheet that is made of it. */
import { BLACK, contrast, luminance, nearest, WHITE } from './colours.ts';
import type { Files } from './files.ts';
import { alt, ContentError, fail, object, optional, type Reader } from './reader.ts';

type Theme = Partial<ReturnType<ReturnType<typeof theme>>>;

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** `#rrggbb`. A single colour is for the light scheme. */
type Colours = { readonly light?: string; readonly dark?: string };

/** The look of pages/everyone/. */
const SAMPLE = {
  background: { light: '#f8f4ec', dark: '#10151d' },
  accent: { light: '#96451a', dark: '#f3b562' },
  card: { url: '/card.png', width: 1200, height: 630 },
};

/** The font that is loaded, and the rules that it needs beside those of base.css. */
type Typeface = { readonly url?: string; readonly css: string };

const SERIF: Typeface = { url: '/fonts/newsreader.woff2', css: '' };
const SANS: Typeface = { css: ':root { --serif: var(--sans); }\n' };

/** The contrast that WCAG 2.2 AA demands of text. */
const READABLE = 4.5;

export const theme = (files: Files) => (value: unknown, at: string) => {
  const background = backgroundOf(value);
  const accent = (scheme: Scheme) => (background ? readable(scheme, background) : colour);
  const image = optional(object({ src: files.image('public'), alt }), undefined);
  return object({
    accent: optional(colours(accent('light'), accent('dark')), undefined),
    background: optional(colours(colour), undefined),
    typeface: optional(typeface(files), undefined),
    logo: image,
    picture: image,
    favicon: optional(files.keep('public', 'icon'), undefined),
    card: optional(object({ src: files.image('public', 'card'), alt }), undefined),
  })(value, at);
};

const colour: Reader<string> = (value, at) =>
  typeof value === 'string' && /^#([\da-f]{3}){1,2}$/i.test(value)
    ? value.toLowerCase().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
    : fail(at, 'not a colour such as "#00566b"');

const colours =
  (light: Reader<string>, dark = light): Reader<Colours> =>
  (value, at) =>
    typeof value === 'object' ? object({ light, dark })(value, at) : { light: light(value, at) };

/** `undefined` if there is a mistake in it, which the field's own reader names. */
function backgroundOf(theme: unknown): Colours | undefined {
  const { background }: { readonly background?: unknown } = Object(theme);
  try {
    return background === undefined ? {} : colours(colour)(background, '');
  } catch (error) {
    if (error instanceof ContentError) return undefined;
    throw error;
  }
}

const readable =
  (scheme: Scheme, background: Colours): Reader<string> =>
  (value, at) => {
    const own = colour(value, at);
    const { paper } = coloursIn(scheme, background);
    const ratio = contrast(own, paper);
    return ratio >= READABLE
      ? own
      : fail(
          at,
          `${own} is hard to read on the ${scheme} background ${paper}: the contrast is ` +
            `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1, and ${READABLE}:1 is needed; ` +
            `the nearest colour that has it is ${nearest(own, paper, READABLE)}`,
        );
  };

/** The background and the accent of a scheme. An accent that is left out is fitted to the rest. */
function coloursIn(scheme: Scheme, background: Colours = {}, accent: Colours = {}) {
  const paper = background[scheme] ?? SAMPLE.background[scheme];
  const other = accent.light ?? SAMPLE.accent[scheme];
  const end = contrast(BLACK, paper) > contrast(WHITE, paper) ? BLACK : WHITE;
  return { paper, accent: accent[scheme] ?? nearest(other, paper, 6, [end]) };
}

const typeface =
  (files: Files): Reader<Typeface> =>
  (value, at) => {
    if (value === 'serif') return SERIF;
    if (value === 'sans') return SANS;
    const { url, body } = files.keep('public', 'font')(value, at);
    if (body.toString('latin1', 0, 4) !== 'wOF2') fail(at, 'the file is not WOFF2');
    const source = `src: url("${url}") format("woff2"); font-weight: 100 900; font-display: optional;`;
    const family = 'Brand, system-ui, sans-serif';
    return {
      url,
      css: `@font-face { font-family: Brand; ${source} }
:root { --serif: ${family}; --sans: ${family}; }\n`,
    };
  };

/** The style sheet that overrides base.css. */
export function themeCss({ accent, background, typeface = SERIF }: Theme): string {
  const rules = SCHEMES.map((scheme) => {
    const { paper, accent: fitted } = coloursIn(scheme, background, accent);
    const properties = { ...surfaces(paper, fitted), ...(accent && accents(fitted)) };
    const text = Object.entries(properties).map(([name, value]) => `${name}: ${value};`);
    return `@media screen and (prefers-color-scheme: ${scheme}) { :root { ${text.join(' ')} } }\n`;
  });
  return [typeface.css, ...(accent || background ? rules : [])].join('');
}

/** Colours between the background and black or white, on the side of the accent. */
function surfaces(paper: string, accent: string) {
  const end = luminance(accent) > luminance(paper) ? WHITE : BLACK;
  const step = (ratio: number) => nearest(paper, paper, ratio, [end]);
  const raised = step(1.1);
  return {
    'color-scheme': end === WHITE ? 'dark' : 'light',
    '--paper': paper,
    // Text on a background of medium lightness leaves no room for a second one.
    '--raised': contrast(end, raised) < READABLE ? paper : raised,
    '--ink': step(16),
    '--quiet': step(6.5),
    '--line': step(1.4),
    '--edge': step(3.8),
    '--accent': accent,
    '--hover': 'var(--quiet)',
  };
}

const accents = (accent: string) => ({
  '--glow': nearest(accent, BLACK, 10, [WHITE]),
  '--dawn': nearest(accent, BLACK, 17, [WHITE]),
  '--button': accent,
  '--hover': 'var(--ink)',
});

/**
 * The brand, for the templates.
 *
 * @param door describes the picture of link previews that shows the door
 */
export function themeView(theme: Theme | undefined, door: string) {
  const { accent, background, typeface = SERIF, ...own } = theme ?? {};
  return {
    themed: theme !== undefined,
    lightBackground: coloursIn('light', background, accent).paper,
    darkBackground: coloursIn('dark', background, accent).paper,
    font: typeface.url,
    favicon: own.favicon?.url ?? '/favicon.svg',
    logo: imageView(own.logo),
    picture: imageView(own.picture),
    door: !own.picture,
    card: imageView(own.card ?? { src: SAMPLE.card, alt: door }),
  };
}

export const imageView = (image: Theme['logo']) => image && { ...image.src, alt: image.alt };
