/** Reads `pages/` once at start: the pages are rendered, and every file is ready to be sent. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../root.ts';
import { type Content, ContentError, readContent, type TimelineEntry } from './content.ts';
import { readImageSize, type Size } from './image-size.ts';
import { render, type View } from './template.ts';

export type Pages = {
  /** Rendered pages, as UTF-8. */
  readonly entry: Buffer;
  readonly desktop: Buffer;
  readonly mobile: Buffer;
  readonly svcops: Buffer;
  /** The names of the files in `pages/images/` that the timeline shows. */
  readonly images: readonly string[];
  /** What is no mistake, but should be better: a line each. */
  readonly warnings: readonly string[];
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

/** Visitors on a phone wait long for an image of more bytes than this. */
const LARGE = 1e6;

/**
 * @param publicOrigin where visitors reach the site, for what has to name it in full
 * @throws {ContentError} where `content.json` has a mistake
 */
export function loadPages(publicOrigin: string): Pages {
  const content = readContent(readContentFile(), sizeOfImage);
  const shown = content.timeline.flatMap(({ image }) => (image ? [image.src.name] : []));
  const images = [...new Set(shown)];
  const html = (name: string, view: View) => Buffer.from(render(withParts(name), view));
  const timeline = timelineView(content);
  return {
    entry: html('entry.html', { ...content.entry, publicOrigin }),
    desktop: html('timeline-desktop.html', { ...timeline, other: 'mobile' }),
    mobile: html('timeline-mobile.html', { ...timeline, other: 'desktop' }),
    svcops: html('svcops.html', { title: content.title, publicOrigin }),
    images,
    warnings: images.flatMap(warnOfSize),
    file: (name) => ({
      body: read(name),
      type: TYPES[extension(name)] ?? 'application/octet-stream',
    }),
  };
}

const read = (name: string): Buffer => fs.readFileSync(path.join(folder, name));

function readContentFile(): Buffer {
  try {
    return read('content.json');
  } catch (error) {
    const remedy = 'put yours there, or take the sample: git checkout pages/content.json';
    throw new ContentError([`cannot be read (${reason(error)}); ${remedy}`]);
  }
}

/** The size of an image of `pages/images/`, or what is wrong with it. */
function sizeOfImage(name: string): Size | string {
  const file = `pages/images/${name}`;
  const folder = path.join(root, 'pages/images');
  if (!fs.existsSync(folder) || !fs.readdirSync(folder).includes(name))
    return `there is no image ${file}`;
  if (!(extension(name) in IMAGE_TYPES))
    return `${file} is of a kind that is not supported; save it as JPEG, PNG, WebP or SVG`;
  try {
    const size = readImageSize(read(`images/${name}`));
    return (
      size ?? `cannot read the size of ${file}: damaged, another kind, or an SVG without viewBox`
    );
  } catch (error) {
    return `${file} cannot be read (${reason(error)})`;
  }
}

function warnOfSize(name: string): readonly string[] {
  const { size } = fs.statSync(path.join(folder, 'images', name));
  if (size <= LARGE) return [];
  const megabytes = (size / 1e6).toFixed(1);
  return [`pages/images/${name} has ${megabytes} MB, long to load on a phone; 0.3 MB are enough`];
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A template with its parts in place: `{{>name}}` is what stands in `name.html`. */
function withParts(name: string): string {
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
    // Where there is a way to go from entry to entry.
    several: entries.length > 1 ? {} : undefined,
    years: years.map((year) => ({
      year,
      entries: entries.filter((entry) => entry.year === year),
    })),
    joinHeadline: join.headline,
    joinText: inParagraphs(join.text),
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
    text: inParagraphs(text),
    image: image && {
      src: `/images/${encodeURIComponent(image.src.name)}`,
      alt: image.alt,
      width: String(image.src.width),
      height: String(image.src.height),
      // The first is nearly in sight; the others come as they are scrolled to.
      loading: index === 0 ? 'eager' : 'lazy',
    },
  };
}

const inParagraphs = (text: readonly string[]) => text.map((paragraph) => ({ paragraph }));

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** `2026-03-02` as `2`, `March`, `2026`; without Intl, which takes 8 MB of memory. */
function readDate(date: string): { day: string; month: string; year: string } {
  const [year = '', month, day] = date.split('-');
  return { day: String(Number(day)), month: MONTHS[Number(month) - 1] ?? '', year };
}

const extension = (name: string): string => path.extname(name).toLowerCase();
