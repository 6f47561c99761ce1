/** Reads `pages/` once at start: the pages are rendered, and every file is ready to be sent. */
import fs from 'node:fs';
import path from 'node:path';
import { type Content, readContent, type TimelineEntry } from './content.ts';
import { readImageSize } from './image-size.ts';
import { root } from './root.ts';
import { render, type View } from './template.ts';

export type Pages = {
  /** Rendered pages, as UTF-8. */
  readonly entry: Buffer;
  readonly desktop: Buffer;
  readonly mobile: Buffer;
  readonly svcops: Buffer;
  /** The names of the files in `pages/images/`. */
  readonly images: readonly string[];
  /** A file of `pages/`, by its path there, with its Content-Type. */
  file(name: string): { readonly body: Buffer; readonly type: string };
};

const folder = path.join(root, 'pages');

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

const TYPES: Readonly<Record<string, string>> = {
  ...IMAGE_TYPES,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * @param publicOrigin where visitors reach the site, for what has to name it in full
 * @throws {ContentError} where `content.json` has a mistake
 */
export function loadPages(publicOrigin: string): Pages {
  const read = (name: string) => fs.readFileSync(path.join(folder, name));
  const images = fs
    .readdirSync(path.join(folder, 'images'))
    .filter((name) => extension(name) in IMAGE_TYPES);
  const sizes = new Map(images.map((name) => [name, readImageSize(read(`images/${name}`))]));
  const content = readContent(read('content.json').toString(), sizes);
  const html = (name: string, view: View) => Buffer.from(render(withParts(name, read), view));
  const timeline = timelineView(content);
  return {
    entry: html('entry.html', { ...content.entry, publicOrigin }),
    desktop: html('timeline-desktop.html', { ...timeline, other: 'mobile' }),
    mobile: html('timeline-mobile.html', { ...timeline, other: 'desktop' }),
    svcops: html('svcops.html', { title: content.title, publicOrigin }),
    images,
    file: (name) => ({
      body: read(name),
      type: TYPES[extension(name)] ?? 'application/octet-stream',
    }),
  };
}

/** A template with its parts in place: `{{>name}}` is what stands in `name.html`. */
function withParts(name: string, read: (name: string) => Buffer): string {
  return read(name)
    .toString()
    .replace(/\{\{>([\w-]+)\}\}\n?/g, (_, part: string) => read(`${part}.html`).toString());
}

function timelineView({ title, tagline, timeline, join }: Content): View {
  const entries = timeline.map(entryView);
  const years = [...new Set(entries.map(({ year }) => year))];
  return {
    title,
    tagline,
    years: years.map((year) => ({
      year,
      entries: entries.filter((entry) => entry.year === year),
    })),
    joinHeadline: join.headline,
    joinText: join.text,
    joinButton: join.button,
  };
}

function entryView({ date, headline, text, image }: TimelineEntry, index: number) {
  const { day, month, year } = readDate(date);
  return {
    id: `entry-${index + 1}`,
    date,
    day: `${day} ${month} ${year}`,
    shortDay: `${day} ${month.slice(0, 3)}`,
    year,
    headline,
    text,
    image: image && {
      src: `/images/${encodeURIComponent(image.src)}`,
      alt: image.alt,
      width: String(image.width),
      height: String(image.height),
      // The first is nearly in sight; the others come as they are scrolled to.
      loading: index === 0 ? 'eager' : 'lazy',
    },
  };
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** `2026-03-02` as `2`, `March`, `2026`. By hand: loading Intl takes 8 MB of memory, for this alone. */
function readDate(date: string): { day: string; month: string; year: string } {
  const [year = '', month, day] = date.split('-');
  return { day: String(Number(day)), month: MONTHS[Number(month) - 1] ?? '', year };
}

const extension = (name: string): string => path.extname(name).toLowerCase();
