/** Renders the pages from their templates and the content. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import type { Content, TimelineEntry } from './content.ts';
import { SCRIPT_WORDS } from './default-words.ts';
import { withoutSoftHyphens } from './field-readers.ts';
import { type Direction, dateWriter, otherDirection } from './language.ts';
import type { LetterTexts } from './letter-texts.ts';
import type { Paragraph } from './paragraphs.ts';
import type { Image } from './site-files.ts';
import { fillTemplate, type View } from './template.ts';
import { themeView } from './theme.ts';

/** The pages in UTF-8. */
export type Pages = {
  readonly entry: Buffer;
  readonly desktop: Buffer;
  readonly mobile: Buffer;
  /** Rendered for each request, because its header names the administrator. */
  readonly svcops: (reader: SvcopsReader) => Buffer;
};

/** The administrator who reads the page. */
export type SvcopsReader = {
  readonly email: string;
  /** The name in the header: the first name, or the address without one. */
  readonly name: string;
  /** The first names of all administrators by address, as JSON. */
  readonly names: string;
};

/** Renders all pages. */
export function renderPages(content: Content, letters: LetterTexts): Pages {
  const { publicOrigin } = letters;
  const html = (name: string, view: View) => Buffer.from(fillTemplate(withParts(name), view));
  const { language, words, links, theme } = content;
  const cardAlt = withoutSoftHyphens(words.cardDescription ?? '');
  const shared = { ...language, ...words, ...themeView(theme, cardAlt), links };
  const isSecure = publicOrigin.startsWith('https:');
  /** The words of a page's scripts. Only a page with an https address can ask for https. */
  const scriptWords = (page: keyof typeof SCRIPT_WORDS) => {
    const keys = Object.keys(SCRIPT_WORDS[page]);
    return JSON.stringify(words, isSecure ? keys : keys.filter((key) => key !== 'needsHttps'));
  };
  const entry = {
    ...shared,
    ...entryView(content),
    scriptWords: scriptWords('entry'),
    longestMessage: longestMessage(words),
    publicOrigin,
  };
  const timeline = { ...shared, ...timelineView(content), scriptWords: scriptWords('timeline') };
  const svcops = withParts('svcops/page.html');
  return {
    entry: html('everyone/entry.html', entry),
    desktop: html('invitees/timeline-desktop.html', timeline),
    mobile: html('invitees/timeline-mobile.html', timeline),
    svcops: (reader) => Buffer.from(fillTemplate(svcops, { ...letters, ...reader })),
  };
}

/** The longest message of the entry page about a login. The page reserves its space. */
function longestMessage(words: Content['words']): string {
  let longest = '';
  for (const key of ['notInvited', 'tooManyAttempts', 'cookieNotKept', 'offline']) {
    const message = words[key]?.replace('{email}', 'firstname.lastname@example.com') ?? '';
    if (message.length > longest.length) longest = message;
  }
  return longest;
}

/** A template with its parts. `{{>name}}` includes `name.html` from its folder or a subfolder. */
function withParts(name: string): string {
  const part = (_: string, part: string) => withParts(`${path.dirname(name)}/${part}.html`);
  const template = fs.readFileSync(path.join(root, 'pages', name), 'utf8');
  return template.replace(/\{\{>([\w/-]+)\}\}\n?/g, part);
}

function entryView({ language, entry }: Content): View {
  const { dir } = language;
  const contact = entry.contact && paragraphsView(entry.contact, dir);
  return { ...entry, sentenceDir: otherDirection(entry.sentence, dir), contact };
}

/** Paragraphs, with their direction if it differs from that of the page. */
const paragraphsView = (paragraphs: readonly Paragraph[], page: Direction): readonly View[] =>
  paragraphs.map(({ parts }) => {
    let text = '';
    for (const { plain, link } of parts) text += plain + (link?.words ?? '');
    return { parts, textDir: otherDirection(text, page) };
  });

function timelineView({ language, title, tagline, opening, timeline, join }: Content): View {
  const writeDate = dateWriter(language.lang);
  const { dir } = language;
  const entries = timeline.map((each, i) => ({
    ...timelineEntryView(each, i),
    headlineDir: otherDirection(each.headline, dir),
    text: paragraphsView(each.text, dir),
    ...writeDate(each.date),
  }));
  const years = [...new Set(entries.map(({ year }) => year))];
  return {
    title,
    titleDir: otherDirection(title, dir),
    tagline,
    taglineDir: otherDirection(tagline, dir),
    tabTitle: withoutSoftHyphens(title),
    description: withoutSoftHyphens(tagline),
    opening: opening?.image,
    several: entries.length > 1,
    years: years.map((year) => ({ year, entries: entries.filter((each) => each.year === year) })),
    joinHeadline: join.headline,
    joinHeadlineDir: otherDirection(join.headline, dir),
    text: paragraphsView(join.text, dir),
    joinButton: join.button,
    thanks: join.thanks && { text: paragraphsView(join.thanks, dir) },
  };
}

function timelineEntryView(entry: TimelineEntry, index: number) {
  const { image, images, video } = entry;
  const shown = images ?? (image && [image]);
  // The first picture is near the viewport.
  const loading = index === 0 ? 'eager' : 'lazy';
  return {
    ...entry,
    id: `entry-${index + 1}`,
    pictures: shown && {
      kind: kindOfScene(shown),
      images: shown.map((each) => ({ position: '', ...each, loading })),
    },
    video: video && {
      ...video.poster,
      src: video.src.url,
      poster: video.poster.url,
      description: video.description,
      kind: video.loop ? 'loop' : 'film',
      // Without a language of their own, captions have that of the page.
      captions: video.captions && { src: video.captions.src.url, ...video.captions.language },
    },
  };
}

/** A class of timeline.css, for the pictures of an entry. */
function kindOfScene(images: readonly Image[]): 'several' | 'portrait' | 'one' {
  if (images.length > 1) return 'several';
  return images.every(isPortrait) ? 'portrait' : 'one';
}

const isPortrait = ({ width, height }: Image): boolean => width < height;

/** timeline.css limits the height of a picture to 90svh. This width belongs to that height. */
const portraitCss = ({ url, width, height }: Image): string =>
  `[src="${url}"] { max-width: ${((90 * width) / height).toFixed(2)}svh; }\n`;

/**
 * The style sheet of a layout. It depends on the content, and the policy forbids inline styles.
 */
export function timelineCss(content: Content, layout: 'desktop' | 'mobile'): string {
  const built = path.join(root, `pages/built/invitees/timeline-${layout}.css`);
  let css = fs.readFileSync(built, 'utf8');
  css += `:root { --title: ${widthOfTitle(content.title)}; }\n`;
  for (const { image } of content.timeline) {
    if (image && isPortrait(image)) css += portraitCss(image);
  }
  return css;
}

/** The approximate width of the longest part of a title that cannot be divided, in em. */
function widthOfTitle(title: string): number {
  let most = 0;
  for (const word of title.split(/[\s\u00ad-]+/)) most = Math.max(most, [...word].length);
  // Capitals are about 0.75 em wide, other letters less.
  return 0.75 * most;
}
