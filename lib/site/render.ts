/** Renders the pages from their templates and the content. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import type { Content, TimelineEntry } from './content.ts';
import type { Picture } from './site-files.ts';
import { fillTemplate, type View } from './template.ts';

/** Whole pages. */
export type Pages = {
  readonly entry: string;
  readonly desktop: string;
  readonly mobile: string;
  readonly svcops: string;
};

/**
 * @param publicOrigin `https://preview.example.com`, because link previews need whole addresses
 * @param styles URLs of the style sheets that the guests' pages load after ours
 */
export function renderPages(
  content: Content,
  publicOrigin: string,
  styles: readonly string[],
): Pages {
  const { words, theme } = content;
  const shared = {
    ...content,
    logo: theme?.logo,
    favicon: theme?.favicon ?? '/favicon.svg',
    card: publicOrigin + (theme?.card ?? '/card.png'),
    styles: styles.map((href) => ({ href })),
  };
  const timeline = { ...shared, ...viewOf(words.timeline), years: yearsOf(content) };
  return {
    entry: render('everyone/entry.html', {
      ...shared,
      ...viewOf(words.entry),
      ...content.entry,
      publicOrigin,
    }),
    desktop: render('invitees/timeline.html', { ...timeline, layout: 'desktop' }),
    mobile: render('invitees/timeline.html', { ...timeline, layout: 'mobile' }),
    svcops: render('svcops/page.html', { title: content.title }),
  };
}

function render(template: string, view: View): string {
  return fillTemplate(fs.readFileSync(path.join(root, 'pages', template), 'utf8'), view);
}

/** The sentences of a page for its template, and for its script. */
function viewOf(words: Readonly<Record<string, string>>): View {
  return { ...words, scriptWords: JSON.stringify(words) };
}

/** The entries by year, each in the order of the file. */
function yearsOf({ lang, timeline }: Content): readonly View[] {
  const locale = lang === 'en' ? 'en-GB' : lang;
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const year = new Intl.DateTimeFormat(locale, { year: 'numeric', timeZone: 'UTC' });
  const years = new Map<string, View[]>();
  for (const [index, entry] of timeline.entries()) {
    const date = new Date(entry.date);
    const name = year.format(date);
    const entries = years.get(name) ?? [];
    entries.push({ ...entryView(entry, index), day: day.format(date) });
    years.set(name, entries);
  }
  return [...years].map(([year, entries], i) => ({ year, yearId: `year-${i + 1}`, entries }));
}

function entryView({ pictures, ...entry }: TimelineEntry, index: number): View {
  // The first picture is near the top of the page.
  const loading = index === 0 ? 'eager' : 'lazy';
  const images = pictures.map((picture) => ({ ...picture, loading }));
  return {
    ...entry,
    id: `entry-${index + 1}`,
    side: index % 2 === 0 ? 'start' : 'end',
    scene: images.length > 0 ? { kind: kindOfScene(pictures), images } : undefined,
  };
}

/** A class of timeline.css. */
function kindOfScene(pictures: readonly Picture[]): string {
  if (pictures.length > 1) return 'several';
  return pictures.some(({ width, height }) => width < height) ? 'portrait' : 'one';
}

/**
 * A style sheet for what depends on the content: the size of the title, and the widths of
 * portraits, which are never higher than the window. The policy of the pages forbids inline styles.
 */
export function contentCss({ title, timeline }: Content): string {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => [...word].length));
  // Capitals are about 0.75 em wide, other letters less.
  let css = `:root { --title: ${0.75 * longest}; }\n`;
  for (const { url, width, height } of timeline.flatMap(({ pictures }) => pictures))
    css += `.portrait [src="${url}"] { max-width: ${((90 * width) / height).toFixed(2)}svh; }\n`;
  return css;
}
