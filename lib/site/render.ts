/** Renders the pages from their templates and the content. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import type { Content } from './content.ts';
import type { Entry } from './entries.ts';
import { render, type View } from './template.ts';

/** Rendered pages, as UTF-8. */
export type Pages = {
  readonly entry: Buffer;
  readonly desktop: Buffer;
  readonly mobile: Buffer;
  readonly svcops: Buffer;
};

/** @param publicOrigin where visitors reach the site, for absolute links */
export function renderPages(content: Content, publicOrigin: string): Pages {
  const html = (name: string, view: View) => Buffer.from(render(withParts(name), view));
  const timeline = timelineView(content);
  return {
    entry: html('everyone/entry.html', { ...content.entry, publicOrigin }),
    desktop: html('invitees/timeline-desktop.html', { ...timeline, other: 'mobile' }),
    mobile: html('invitees/timeline-mobile.html', { ...timeline, other: 'desktop' }),
    svcops: html('svcops/page.html', { title: content.title, publicOrigin }),
  };
}

const read = (name: string): string => fs.readFileSync(path.join(root, 'pages', name), 'utf8');

/** A template with its parts in place: `{{>name}}` is `name.html` of the same folder. */
function withParts(name: string): string {
  const part = (_: string, part: string) => read(`${path.dirname(name)}/${part}.html`);
  return read(name).replace(/\{\{>([\w-]+)\}\}\n?/g, part);
}

function timelineView({ title, tagline, timeline, join }: Content): View {
  const entries = timeline.map(entryView);
  const years = [...new Set(entries.map(({ year }) => year))];
  return {
    title,
    tagline,
    // Shows the links from entry to entry.
    several: entries.length > 1 ? {} : undefined,
    years: years.map((year) => ({ year, entries: entries.filter((each) => each.year === year) })),
    joinHeadline: join.headline,
    joinText: inParagraphs(join.text),
    joinButton: join.button,
  };
}

function entryView({ date, headline, text, image }: Entry, index: number) {
  const [year = '', monthNumber, day] = date.split('-');
  // Without Intl, which takes much memory.
  const month = MONTHS[Number(monthNumber) - 1] ?? '';
  return {
    id: `entry-${index + 1}`,
    date,
    day: `${Number(day)} ${month} ${year}`,
    shortDay: `${Number(day)} ${month.slice(0, 3)}`,
    year,
    headline,
    text: inParagraphs(text),
    image: image && {
      src: image.src.url,
      alt: image.alt,
      width: String(image.src.width),
      height: String(image.src.height),
      // The first image is nearly in view.
      loading: index === 0 ? 'eager' : 'lazy',
    },
  };
}

const inParagraphs = (text: readonly string[]) => text.map((paragraph) => ({ paragraph }));

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
