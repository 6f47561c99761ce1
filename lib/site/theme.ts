/** The owner's brand: reads `theme` of content.json, and makes its style sheet. */
import { BLACK, contrast, luminance, mixColours, nearestColour, WHITE } from './colours.ts';
import {
  failAt,
  objectOf,
  optional,
  type Reader,
  readEach,
  type SiteFiles,
} from './field-readers.ts';
import * as siteFiles from './site-files.ts';

/** The owner's brand. What the owner leaves out is taken from the sample. */
export type Theme = {
  readonly accent?: Colours | undefined;
  readonly background?: Colours | undefined;
  readonly typeface?: Typefaces | undefined;
  readonly logo?: siteFiles.Image | undefined;
  /** This picture replaces the door. */
  readonly picture?: siteFiles.Picture | undefined;
  readonly favicon?: siteFiles.NamedFile | undefined;
  /** The picture of link previews. */
  readonly card?: siteFiles.Image | undefined;
};

/** `#rrggbb` for each scheme. A single colour is for the light scheme. */
type Colours = { readonly light?: string; readonly dark?: string };

type Typefaces = { readonly headlines: Typeface; readonly text: Typeface };

type Typeface = {
  /** A font family for CSS. */
  readonly family: string;
  /** The font file to preload; empty without one. */
  readonly url: string;
  /** The `@font-face` rule of the file; empty without one. */
  readonly face: string;
};

const SCHEMES = ['light', 'dark'] as const;

/** The defaults, as in pages/everyone/. */
const DEFAULTS = {
  background: { light: '#f8f4ec', dark: '#10151d' },
  accent: { light: '#96451a', dark: '#f3b562' },
  card: { url: '/card.png', width: 1200, height: 630 },
};

const SERIF: Typeface = { family: 'var(--newsreader)', url: '/fonts/newsreader.woff2', face: '' };
const SANS: Typeface = { family: 'var(--system)', url: '', face: '' };

const WARM_WHITE = '#fff3da';

/** The light behind the door, as in base.css. An accent changes it a little, so it stays warm. */
const GLOW = '#f0ad4e';

/** The share of the owner's accent in that light, from 0 to 1. */
const TINT = 0.15;

/** The contrast that WCAG 2.2 AA demands of text. */
const READABLE = 4.5;

/** `#05b` and `#00566b`, not `#00566` and not `teal`. */
const COLOUR = /^#([\da-f]{3}){1,2}$/i;

/** `#05b`, not `#00566b`. Each digit counts twice. */
const SHORT_COLOUR = /^#(.)(.)(.)$/;

function readColour(value: unknown, at: string): string {
  const isColour = typeof value === 'string' && COLOUR.test(value);
  if (!isColour) return failAt(at, 'not a colour such as "#00566b"');
  return value.toLowerCase().replace(SHORT_COLOUR, '#$1$1$2$2$3$3');
}

const bothColours = objectOf({ light: readColour, dark: readColour });

const readColours: Reader<Colours> = (value, at, files) =>
  typeof value === 'object' ? bothColours(value, at, files) : { light: readColour(value, at) };

function checkAccent(scheme: keyof Colours, theme: Theme, at: string): void {
  const { paper, accent } = coloursIn(scheme, theme);
  const ratio = contrast(accent, paper);
  if (ratio >= READABLE) return;
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  const better = nearestColour(accent, paper, READABLE);
  const fault = `${accent} is hard to read on the ${scheme} background ${paper}`;
  const need = `the contrast is ${shown}:1, and ${READABLE}:1 is needed`;
  failAt(at, `${fault}: ${need}; the nearest colour that has it is ${better}`);
}

/**
 * The background and the accent of a scheme. A missing accent is computed so that it can be read.
 */
function coloursIn(scheme: keyof Colours, { background = {}, accent = {} }: Theme) {
  const paper = background[scheme] ?? DEFAULTS.background[scheme];
  const other = accent.light ?? DEFAULTS.accent[scheme];
  return { paper, accent: accent[scheme] ?? nearestColour(other, paper, 6) };
}

function readTypeface(value: unknown, at: string, files: SiteFiles): Typeface {
  if (value === 'serif') return SERIF;
  if (value === 'sans') return SANS;
  const { url } = siteFiles.readFont(value, at, files);
  const source = `src: url("${url}") format("woff2"); font-weight: 100 900; font-display: optional;`;
  const face = `@font-face { font-family: "${url}"; ${source} }\n`;
  return { family: `"${url}", system-ui, sans-serif`, url, face };
}

const bothTypefaces = objectOf({ headlines: readTypeface, text: readTypeface });

/** One typeface for all, or one for headlines and one for text. */
function readTypefaces(value: unknown, at: string, files: SiteFiles): Typefaces {
  if (typeof value === 'object') return bothTypefaces(value, at, files);
  const typeface = readTypeface(value, at, files);
  return { headlines: typeface, text: typeface };
}

const readFields: Reader<Theme> = objectOf({
  accent: optional(readColours, undefined),
  background: optional(readColours, undefined),
  typeface: optional(readTypefaces, undefined),
  logo: optional(siteFiles.readLogo, undefined),
  picture: optional(siteFiles.readPublicPicture, undefined),
  favicon: optional(siteFiles.readIcon, undefined),
  card: optional(siteFiles.readCard, undefined),
});

export function readTheme(value: unknown, at: string, files: SiteFiles): Theme {
  const theme = readFields(value, at, files);
  readEach(SCHEMES, (scheme) => checkAccent(scheme, theme, `${at}.accent`));
  return theme;
}

/** The style sheet that overrides base.css. */
export function themeCss(theme: Theme): string {
  const { accent, background, typeface } = theme;
  const colours = accent || background ? SCHEMES.map((scheme) => schemeCss(scheme, theme)) : [];
  if (!typeface) return colours.join('');
  const { headlines, text } = typeface;
  const faces = new Set([headlines.face, text.face]);
  // With the sample's typeface, labels and buttons have the system's.
  const sans = (text === SERIF ? SANS : text).family;
  const families = `--headline: ${headlines.family}; --serif: ${text.family}; --sans: ${sans};`;
  return [...faces, `:root { ${families} }\n`, ...colours].join('');
}

/**
 * The colours between the background and white or black: white if the accent is lighter than the
 * background. Their contrasts are near those of the defaults in base.css.
 */
function schemeCss(scheme: keyof Colours, theme: Theme): string {
  const { paper, accent } = coloursIn(scheme, theme);
  const end = luminance(accent) > luminance(paper) ? WHITE : BLACK;
  const glow = nearestColour(mixColours(GLOW, accent, TINT), BLACK, 10.5, WARM_WHITE);
  const step = (ratio: number) => nearestColour(paper, paper, ratio, end);
  const raised = step(1.1);
  const properties = {
    'color-scheme': end === WHITE ? 'dark' : 'light',
    '--paper': paper,
    // On a medium background, text would be unreadable on a raised surface.
    '--raised': contrast(end, raised) < READABLE ? paper : raised,
    '--ink': step(16),
    '--quiet': step(6.5),
    '--line': step(1.4),
    '--edge': step(3.8),
    '--accent': accent,
    '--bad': nearestColour('#a81e14', paper, 6),
    '--hover': 'var(--quiet)',
    ...(theme.accent && {
      '--glow': glow,
      '--dawn': nearestColour(glow, BLACK, 17, WARM_WHITE),
      '--button': accent,
      '--hover': 'var(--ink)',
    }),
  };
  const text = Object.entries(properties).map(([name, value]) => `${name}: ${value};`);
  return `@media screen and (prefers-color-scheme: ${scheme}) { :root { ${text.join(' ')} } }\n`;
}

/** The icons that browsers request at the root of a site, whatever its pages name. */
const ROOT_ICONS = ['favicon.ico', 'apple-touch-icon.png'];

/** The owner's icons by URL: a file with that name in `public/`, or else the icon of the theme. */
export function iconsOf(files: SiteFiles, theme: Theme = {}): ReadonlyMap<string, string> {
  const icons = new Map<string, string>();
  for (const name of ROOT_ICONS) {
    const file = files.public.get(`/public/${name}`) ?? theme.favicon?.path;
    if (file !== undefined) icons.set(`/${name}`, file);
  }
  return icons;
}

/** The brand for the templates. @param cardAlt describes the default card for link previews */
export function themeView(theme: Theme = {}, cardAlt = '') {
  const { headlines = SERIF, text = SERIF } = theme.typeface ?? {};
  const fonts = new Set([headlines.url, text.url]);
  // The system's typeface has no file.
  fonts.delete('');
  return {
    themed: themeCss(theme) !== '',
    lightBackground: coloursIn('light', theme).paper,
    darkBackground: coloursIn('dark', theme).paper,
    fonts: Array.from(fonts, (font) => ({ font })),
    ownIcon: theme.favicon,
    icon: !theme.favicon,
    logo: theme.logo,
    picture: theme.picture,
    door: !theme.picture,
    card: theme.card ?? { ...DEFAULTS.card, alt: cardAlt },
  };
}
