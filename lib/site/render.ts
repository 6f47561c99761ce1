/** Renders the pages from their templates and the content, once at start. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
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
  /** Advice about large images, a line each. */
  readonly warnings: readonly string[];
};

const folder = path.join(root, 'pages');

/** Larger images, in bytes, are slow to load on a phone. */
const LARGE = 1e6;

/**
 * @param publicOrigin where visitors reach the site, for absolute links
 * @throws {ContentError} where `content.json` has a mistake
 */
export function loadPages(publicOrigin: string): Pages {
  const content = readContent(readContentFile(), sizeOfImage);
  const images = [...new Set(content.timeline.flatMap(({ image }) => image?.src.name ?? []))];
  const html = (name: string, view: View) => Buffer.from(render(withParts(name), view));
  const timeline = timelineView(content);
  return {
    entry: html('everyone/entry.html', { ...content.entry, publicOrigin }),
    desktop: html('invitees/timeline-desktop.html', { ...timeline, other: 'mobile' }),
    mobile: html('invitees/timeline-mobile.html', { ...timeline, other: 'desktop' }),
    svcops: html('svcops/page.html', { title: content.title, publicOrigin }),
    images,
    warnings: images.flatMap(warnOfSize),
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

/** The size of an image of `pages/images/`, or the mistake in it. */
function sizeOfImage(name: string): Size | string {
  const file = `pages/images/${name}`;
  const images = path.join(folder, 'images');
  if (!fs.existsSync(images) || !fs.readdirSync(images).includes(name))
    return `there is no image ${file}`;
  if (!/.\.(jpe?g|png|svg|webp)$/i.test(name))
    return `${file} is of a kind that is not supported; save it as JPEG, PNG, WebP or SVG`;
  const unknown = `cannot read the size of ${file}: damaged, another kind, or an SVG without viewBox`;
  try {
    return readImageSize(read(`images/${name}`)) ?? unknown;
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

/** A template with its parts in place: `{{>name}}` is `name.html` of the same folder. */
function withParts(name: string): string {
  const part = (_: string, part: string) => read(`${path.dirname(name)}/${part}.html`).toString();
  return `${read(name)}`.replace(/\{\{>([\w-]+)\}\}\n?/g, part);
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

function entryView({ date, headline, text, image }: TimelineEntry, index: number) {
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
      src: `/images/${encodeURIComponent(image.src.name)}`,
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
