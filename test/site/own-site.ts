/** A small site of an owner, in a folder of its own. */
import fs from 'node:fs';
import path from 'node:path';
import { loadSite, type Site } from '../../lib/site/site.ts';
import { ORIGIN, temporaryFolder } from '../service.ts';

export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"/>';

export const PICTURE = { src: 'a.svg', alt: 'A picture.' };

export const CONTENT = {
  lang: 'en',
  theme: { logo: { src: 'logo.svg', alt: 'Talwind' }, favicon: 'logo.svg' },
  entry: {
    title: 'A preview',
    sentence: 'By invitation.',
    description: 'Enter.',
    contact: 'Ask [us](mailto:hello@example.com).',
  },
  links: [{ text: 'Imprint', href: 'https://example.com/imprint' }],
  title: 'Talwind',
  tagline: 'A bicycle.',
  timeline: [
    { date: '2025-01-21', headline: 'One', text: 'It began.', image: PICTURE },
    { date: '2026-02-28', headline: 'Two', text: 'It went on.', images: [PICTURE, PICTURE] },
    {
      date: '2026-03-01',
      headline: 'Three',
      text: 'It moves.',
      video: { src: 'a.mp4', poster: 'a.svg', description: 'A film.', captions: 'a.vtt' },
    },
  ],
  join: { headline: 'Would you?', text: 'Say so.', button: 'Count me in', thanks: 'Thank you.' },
};

const FILES = {
  'images/a.svg': SVG,
  'media/a plan.pdf': 'a plan',
  'media/a.mp4': 'a film',
  'media/a.vtt': 'WEBVTT',
  'public/b.svg': SVG,
  'public/logo.svg': SVG,
};

type Values = Readonly<Record<string, unknown>>;
type Files = Readonly<Record<string, string | Buffer>>;

/** Writes `content.json`, and files by their names. @returns the folder */
export function writeSite(content: unknown = CONTENT, files: Files = {}): string {
  const folder = temporaryFolder();
  const json = typeof content === 'string' ? content : JSON.stringify(content);
  for (const [name, bytes] of Object.entries({ 'content.json': json, ...FILES, ...files })) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), bytes);
  }
  return folder;
}

/** CONTENT with other values of fields: `timeline[0].date`; `undefined` leaves one out. */
export function contentWith(values: Values): unknown {
  const content = JSON.parse(JSON.stringify(CONTENT));
  for (const [field, value] of Object.entries(values)) {
    const names = field.split(/[.[\]]+/).filter((name) => name !== '');
    const last = names.pop() ?? '';
    let owner = content;
    for (const name of names) {
      owner[name] ??= {};
      owner = owner[name];
    }
    owner[last] = value;
  }
  return content;
}

export function loadWith(values: Values, files: Files = {}): Site {
  return loadSite(writeSite(contentWith(values), files), ORIGIN);
}
