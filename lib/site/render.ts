/** Renders the pages from their templates and the content. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import type { Content } from './content.ts';
import type { Entry } from './entries.ts';
import { dateWriter, pageWords } from './language.ts';
import { render, type View } from './template.ts';
import { imageView, themeView } from './theme.ts';

export type Pages = ReturnType<typeof renderPages>;

/**
 * Rendered pages, as UTF-8.
 *
 * @param publicOrigin where visitors reach the site, for absolute links
 */
export function renderPages(content: Content, publicOrigin: string) {
  const html = (name: string, view: View) => Buffer.from(render(withParts(name), view));
  const brand = themeView(content.theme, content.words.cardDescription ?? '');
  const entry = { ...pageWords(content, 'entry'), ...content.entry, ...brand };
  const timeline = { ...pageWords(content, 'timeline'), ...timelineView(content), ...brand };
  const { title, invitation, reminder, words } = content;
  const toMobile = { other: 'mobile', viewOther: words.viewMobile };
  const toDesktop = { other: 'desktop', viewOther: words.viewDesktop };
  return {
    entry: html('everyone/entry.html', { ...entry, publicOrigin }),
    desktop: html('invitees/timeline-desktop.html', { ...timeline, ...toMobile }),
    mobile: html('invitees/timeline-mobile.html', { ...timeline, ...toDesktop }),
    svcops: html('svcops/page.html', { title, publicOrigin, invitation, reminder, modules }),
  };
}

/** All are loaded at once, instead of each after the one that imports it. */
const modules = fs
  .readdirSync(path.join(root, 'pages', 'svcops'))
  .filter((file) => file.endsWith('.js'))
  .map((file) => ({ file }));

const read = (name: string): string => fs.readFileSync(path.join(root, 'pages', name), 'utf8');

/** A template with its parts in place: `{{>name}}` is `name.html` of the same folder. */
function withParts(name: string): string {
  const part = (_: string, part: string) => withParts(`${path.dirname(name)}/${part}.html`);
  return read(name).replace(/\{\{>([\w-]+)\}\}\n?/g, part);
}

function timelineView({ language, title, tagline, timeline, join }: Content): View {
  const writeDate = dateWriter(language.lang);
  const entries = timeline.map((entry, i) => ({
    ...entryView(entry, i),
    ...writeDate(entry.date),
  }));
  const years = [...new Set(entries.map(({ year }) => year))];
  return {
    title,
    tagline,
    // Shows the links from entry to entry.
    several: entries.length > 1,
    loops: timeline.some(({ video }) => video?.loop),
    years: years.map((year) => ({ year, entries: entries.filter((each) => each.year === year) })),
    joinHeadline: join.headline,
    text: join.text,
    joinButton: join.button,
  };
}

function entryView(
  { date, headline, text, image, images = image && [image], video }: Entry,
  index: number,
) {
  // The first picture is nearly in view.
  const loading = index === 0 ? 'eager' : 'lazy';
  return {
    id: `entry-${index + 1}`,
    date,
    headline,
    text,
    pictures: images && {
      number: images.length > 1 ? 'several' : 'one',
      images: images.map((each) => ({ ...imageView(each), loading })),
    },
    video: video && {
      src: video.src.url,
      poster: video.poster.url,
      width: video.poster.width,
      height: video.poster.height,
      description: video.description,
      kind: video.loop ? 'loop' : 'film',
      // In the language of the page, if they name no other.
      captions: video.captions && { src: video.captions.src.url, ...video.captions.language },
    },
  };
}
