/** The owner's brand: `theme` in content.json, and the style sheet that is made of it. */
import { BLACK, contrast, luminance, nearest, textOn, WHITE } from './colours.ts';
import type { Files } from './files.ts';
import { imageView, picture, pictureCss } from './picture.ts';
import { alt, fail, gather, object, optional, type Reader } from './reader.ts';

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

/** A font family for CSS, and the file that is loaded for it. */
type Typeface = { readonly family: string; readonly url?: string; readonly face?: string };

const SERIF: Typeface = { family: 'var(--newsreader)', url: '/fonts/newsreader.woff2' };
const SANS: Typeface = { family: 'var(--system)' };

/** The contrast that WCAG 2.2 AA demands of text. */
const READABLE = 4.5;

export const theme = (files: Files) => {
  const fields = object({
    accent: optional(colours, undefined),
    background: optional(colours, undefined),
    typeface: optional(typefaces(files), undefined),
    logo: optional(object({ src: files.image('public'), alt }), undefined),
    picture: optional(picture(files, 'public'), undefined),
    favicon: optional(files.keep('public', 'icon'), undefined),
    card: optional(object({ src: files.image('public', 'card'), alt }), undefined),
  });
  return (value: unknown, at: string) => {
    const theme = fields(value, at);
    gather(SCHEMES, (scheme) => checkAccent(scheme, theme, `${at}.accent`));
    return theme;
  };
};

const colour: Reader<string> = (value, at) =>
  typeof value === 'string' && /^#([\da-f]{3}){1,2}$/i.test(value)
    ? value.toLowerCase().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
    : fail(at, 'not a colour such as "#00566b"');

const colours: Reader<Colours> = (value, at) =>
  typeof value === 'object'
    ? object({ light: colour, dark: colour })(value, at)
    : { light: colour(value, at) };

function checkAccent(scheme: Scheme, { accent, background }: Theme, at: string): void {
  const own = accent?.[scheme];
  const { paper } = coloursIn(scheme, background);
  const ratio = contrast(own ?? BLACK, paper);
  if (own === undefined || ratio >= READABLE) return;
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  const better = nearest(own, paper, READABLE, textOn(paper));
  const place = `on the ${scheme} background ${paper}`;
  const need = `the contrast is ${shown}:1, and ${READABLE}:1 is needed`;
  fail(at, `${own} is hard to read ${place}: ${need}; the nearest colour that has it is ${better}`);
}

/** The background and the accent of a scheme. An accent that is left out is fitted to the rest. */
function coloursIn(scheme: Scheme, background: Colours = {}, accent: Colours = {}) {
  const paper = background[scheme] ?? SAMPLE.background[scheme];
  const other = accent.light ?? SAMPLE.accent[scheme];
  return { paper, accent: accent[scheme] ?? nearest(other, paper, 6, textOn(paper)) };
}

/** One typeface for all, or one for headlines and one for text. */
const typefaces = (files: Files) => (value: unknown, at: string) => {
  const one = typeface(files);
  return typeof value === 'object'
    ? object({ headlines: one, text: one })(value, at)
    : { headlines: one(value, at), text: one(value, at) };
};

const typeface =
  (files: Files): Reader<Typeface> =>
  (value, at) => {
    if (value === 'serif') return SERIF;
    if (value === 'sans') return SANS;
    const { url, body } = files.keep('public', 'font')(value, at);
    if (body.toString('latin1', 0, 4) !== 'wOF2') fail(at, 'the file is not WOFF2');
    const source = `src: url("${url}") format("woff2"); font-weight: 100 900; font-display: optional;`;
    const face = `@font-face { font-family: "${url}"; ${source} }\n`;
    return { family: `"${url}", system-ui, sans-serif`, url, face };
  };

/** The style sheet that overrides base.css. */
export function themeCss({ accent, background, typeface, picture }: Theme): string {
  const rules = SCHEMES.map((scheme) => {
    const { paper, accent: fitted } = coloursIn(scheme, background, accent);
    const properties = { ...surfaces(paper, fitted), ...(accent && accents(fitted)) };
    const text = Object.entries(properties).map(([name, value]) => `${name}: ${value};`);
    return `@media screen and (prefers-color-scheme: ${scheme}) { :root { ${text.join(' ')} } }\n`;
  });
  return [
    typefaceCss(typeface),
    ...(accent || background ? rules : []),
    pictureCss([picture]),
  ].join('');
}

function typefaceCss(typefaces: Theme['typeface']): string {
  if (!typefaces) return '';
  const { headlines, text } = typefaces;
  const faces = new Set([headlines.face, text.face]);
  // Labels and buttons have the system's typeface beside the sample's.
  const sans = (text === SERIF ? SANS : text).family;
  const families = `--headline: ${headlines.family}; --serif: ${text.family}; --sans: ${sans};`;
  return `${[...faces].join('')}:root { ${families} }\n`;
}

/** Colours between the background and black or white, on the side of the accent. */
function surfaces(paper: string, accent: string) {
  const end = luminance(accent) > luminance(paper) ? WHITE : BLACK;
  const step = (ratio: number) => nearest(paper, paper, ratio, end);
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
  '--glow': nearest(accent, BLACK, 10, WHITE),
  '--dawn': nearest(accent, BLACK, 17, WHITE),
  '--button': accent,
  '--hover': 'var(--ink)',
});

/** The brand, for the templates. @param door describes the sample's picture of link previews */
export function themeView(theme: Theme | undefined, door: string) {
  const { accent, background, typeface, ...own } = theme ?? {};
  const { headlines = SERIF, text = SERIF } = typeface ?? {};
  const fonts = new Set([headlines.url, text.url]);
  return {
    themed: theme !== undefined,
    lightBackground: coloursIn('light', background, accent).paper,
    darkBackground: coloursIn('dark', background, accent).paper,
    fonts: [...fonts].flatMap((font) => (font ? [{ font }] : [])),
    favicon: own.favicon?.url ?? '/favicon.svg',
    logo: imageView(own.logo),
    picture: imageView(own.picture),
    door: !own.picture,
    card: imageView(own.card ?? { src: SAMPLE.card, alt: door }),
  };
}
