/** Reads `pages/` once at start: the pages are rendered, and every file is ready to be sent. */
import fs from 'node:fs';
import path from 'node:path';
import { type Content, readContent } from './content.ts';
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

const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/**
 * @throws {ContentError} where `content.json` has a mistake
 */
export function loadPages(): Pages {
  const read = (name: string) => fs.readFileSync(path.join(folder, name));
  const images = fs
    .readdirSync(path.join(folder, 'images'))
    .filter((name) => path.extname(name) in TYPES);
  const content = readContent(read('content.json').toString(), images);
  const view = toView(content);
  const html = (name: string) => Buffer.from(render(read(name).toString(), view));
  return {
    entry: html('entry.html'),
    desktop: html('timeline-desktop.html'),
    mobile: html('timeline-mobile.html'),
    svcops: html('svcops.html'),
    images,
    file: (name) => ({
      body: read(name),
      type: TYPES[path.extname(name)] ?? 'application/octet-stream',
    }),
  };
}

function toView({ title, tagline, timeline, join }: Content): View {
  return {
    title,
    tagline,
    timeline: timeline.map((entry) => ({ ...entry, day: longDate(entry.date) })),
    joinHeadline: join.headline,
    joinText: join.text,
    joinButton: join.button,
  };
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** `2026-03-02` as `2 March 2026`. By hand: loading Intl takes 8 MB of memory, for this alone. */
function longDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 0) - 1]} ${year}`;
}
