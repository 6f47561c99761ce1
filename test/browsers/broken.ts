/** The test of the tests: pages with one fault each, which the checks of the story must report. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import { type Driver, until } from './driver.ts';
import { checkPage, checkVideo, playsFilms } from './page.ts';
import { noticed, WATCH } from './watch.ts';

const FILM = path.join(root, 'pages/sample/media/04-dusk.mp4');

/** As the service sends a film: from the whole of it, Chromium's cache makes the parts. */
const FILM_HEADERS = { 'Accept-Ranges': 'bytes', 'Cache-Control': 'max-age=60', ETag: '"film"' };

const HEAD = `<!doctype html><meta charset="utf-8"><script src="/watch.js"></script>
  <title>Sound</title><style>:focus-visible { outline: 2px solid }</style>
  <button type="button">One</button> <a href="/">Two</a>`;

/** What is wrong, and what must be noticed; `{elsewhere}` is an address of another origin. */
const NOTICED = {
  '<script>throw new Error("early")</script>': /early/,
  '<script>let a = ;</script>': /syntax|unexpected/i,
  '<script type="module" src="/missing.js"></script>': /missing/,
  '<script>Promise.reject(new Error("late"))</script>': /rejected: .*late/,
  '<script>console.error("said", "so")</script>': /said so/,
  '<link rel="stylesheet" href="/missing.css">': /not loaded: .*missing\.css/,
  '<img src="/missing.png" alt="">': /not loaded: .*missing\.png/,
  '<video src="/missing.mp4"></video>': /not loaded: .*missing\.mp4/,
  '<img src="{elsewhere}" alt="">': /elsewhere: /,
  '<script>fetch("{elsewhere}", { mode: "no-cors" })</script>': /elsewhere: /,
  '<iframe src="/"></iframe>': /policy: frame-src/,
} as const;

/** What is wrong, and what the check of a page must say. */
const REPORTED = {
  '<div style="width: 330px; height: 1px"></div>': /hidden: \d/,
  '<style>a:focus-visible { outline: none }</style>': /no focus|not visible/,
  '<style>button { outline-color: #0000 !important }</style>': /no focus|not visible/,
  '<div style="position: fixed; inset: 0"></div>': /covered/,
  '<style>@media (max-width: 400px) { a { pointer-events: none } }</style>': /covered/,
} as const;

/** Fails if a check stays green on a page that has the fault. */
export async function checkChecks(driver: Driver): Promise<void> {
  const reply: http.RequestListener = ({ url = '' }, response) => {
    if (url === '/film.mp4') {
      const film = fs.readFileSync(FILM);
      response.writeHead(200, { ...FILM_HEADERS, 'Content-Length': film.length }).end(film);
    } else if (url.startsWith('/missing')) response.writeHead(404).end();
    else if (url === '/watch.js')
      response.setHeader('Content-Type', 'text/javascript').end(`{${WATCH}}`);
    else {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.setHeader('Content-Security-Policy', "frame-src 'none'");
      response.end(HEAD + decodeURIComponent(url.slice(1)));
    }
  };
  const servers = [http.createServer(reply), http.createServer(reply)];
  const [origin = '', other = ''] = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return `http://127.0.0.1:${Object(server.address()).port}`;
    }),
  );
  const open = (body: string) =>
    driver.open(`${origin}/${encodeURIComponent(body.replace('{elsewhere}', `${other}/`))}`);
  try {
    await open('');
    await checkPage(driver);
    assert.deepEqual(await noticed(driver), []);
    for (const [body, expected] of Object.entries(NOTICED)) {
      await open(body);
      // One fault can be noticed several times, in any order and as late as on the next page.
      await until(driver, `${expected}.test(localStorage.getItem('noticed'))`);
      await noticed(driver);
    }
    for (const [body, expected] of Object.entries(REPORTED)) {
      await open(body);
      await assert.rejects(checkPage(driver), expected, body);
    }
    if (await playsFilms(driver)) {
      await open('<video src="/film.mp4" muted autoplay></video>');
      await assert.rejects(checkVideo(driver));
    }
  } finally {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
