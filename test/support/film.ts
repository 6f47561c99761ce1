/** A site of the owner's own with one video, as large as a test wants it. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import type { Installation } from './installation.ts';

/** Where the video is served. */
export const FILM = '/media/film.mp4';

/** Makes `data/site/`. @param bytes of the video; most of them are a hole in the file */
export function putFilm(site: Installation, bytes: number): void {
  const folder = path.join(site.root, 'data', 'site');
  for (const part of ['images', 'media'])
    fs.mkdirSync(path.join(folder, part), { recursive: true });
  const film = path.join(folder, FILM);
  const poster = path.join(folder, 'images', 'poster.svg');
  fs.copyFileSync(path.join(root, 'pages', 'sample', 'images', '01-window.svg'), poster);
  fs.copyFileSync(path.join(root, 'test', 'site', 'media', 'h264.mp4'), film);
  // The rest is a box that players skip.
  const box = Buffer.from('....free');
  box.writeUInt32BE(bytes - fs.statSync(film).size);
  fs.appendFileSync(film, box);
  fs.truncateSync(film, bytes);
  const video = { src: 'film.mp4', poster: 'poster.svg', description: 'A film.' };
  const content = {
    title: 'A film',
    tagline: 'One film.',
    timeline: [{ date: '2026-01-01', headline: 'The film', text: 'Look.', video }],
    join: { headline: 'Join', text: 'Join.', button: 'Join' },
  };
  fs.writeFileSync(path.join(folder, 'content.json'), JSON.stringify(content));
}
