/**
 * Makes the sample's video and its poster anew: a day of "The wrong dusk". Chromium draws the
 * frames, ffmpeg (apt-get install ffmpeg) encodes them. The same programs make the same files.
 *
 *     tsx scripts/sample-video.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/config.ts';
import { launchBrowser } from '../test/browser/chromium.ts';

const SIZE = { width: 1200, height: 900 };
const FRAMES_PER_SECOND = 24;
const SECONDS = 9;

/** The longest day, in hours from noon: the sun is up from -8 to 8, and the night passes quickly. */
const DAY = { from: -10, to: 10 };
/** The first frame, and the poster: the wrong sun sets while the true one is still high. */
const START = 4.7;

type Colour = readonly [red: number, green: number, blue: number];
type Sky = readonly [top: Colour, middle: Colour, bottom: Colour];

const colour = (hex: string): Colour => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];
const sky = (top: string, middle: string, bottom: string): Sky => [
  colour(top),
  colour(middle),
  colour(bottom),
];

/** The sky by the height of the sun: 0 at the horizon, 1 at noon. */
const SKIES: readonly (readonly [height: number, sky: Sky])[] = [
  [-0.5, sky('#1c2433', '#273553', '#44577a')],
  [-0.1, sky('#273553', '#55698c', '#e3a488')],
  [0.1, sky('#55698c', '#e3b79c', '#f7cf85')],
  [0.45, sky('#bccaca', '#dfe5dd', '#f7d696')],
  [1, sky('#bccaca', '#dfe5dd', '#f4dfb2')],
];

const INK = colour('#1c2433');

/** How far a value is between two others: from 0 to 1. */
const between = (value: number, from: number, to: number) =>
  Math.min(Math.max((value - from) / (to - from), 0), 1);

const mix = (from: Colour, to: Colour, share: number): string => {
  const parts = from.map((part, i) => part + ((to[i] ?? part) - part) * share);
  return `rgb(${parts.map((part) => part.toFixed(2)).join()})`;
};

/** The three colours of the sky for a height of the sun. */
function skyAt(height: number): readonly string[] {
  const above = Math.max(
    1,
    SKIES.findIndex(([limit]) => limit >= height),
  );
  const [low, high] = SKIES.slice(above - 1, above + 1);
  if (!low || !high) throw new RangeError(`no sky for ${height}`);
  const share = between(height, low[0], high[0]);
  return low[1].map((from, i) => mix(from, high[1][i] ?? from, share));
}

/** The path of a sun: a parabola. */
const sunPath = (noon: number, top: number, halfDay: number) => (x: number) =>
  top + (600 - top) * ((x - noon) / halfDay) ** 2;
const truePath = sunPath(600, 170, 560);
const wrongPath = sunPath(520, 340, 480);

const dots = (at: (x: number) => number, from: number, to: number): string =>
  Array.from({ length: (to - from) / 20 + 1 }, (_, i) => from + 20 * i)
    .map((x) => `${x} ${at(x).toFixed(1)}`)
    .join(' ');

const HOURS = Array.from({ length: 13 }, (_, i) => 600 + 80 * (i - 6))
  .map((x) => `M${x} ${(truePath(x) - 9).toFixed(1)}v18`)
  .join('');

const STARS =
  'M60 90h0M150 210h0M212 60h0M268 300h0M330 140h0M402 44h0M455 236h0M516 118h0M590 60h0M648 262h0' +
  'M706 150h0M770 40h0M822 214h0M890 96h0M948 300h0M1010 52h0M1062 184h0M1130 110h0M1168 280h0' +
  'M96 396h0M420 380h0M720 372h0M1090 400h0';

/** The drawing at an hour. */
function draw(hour: number): string {
  const [sun, wrong] = [600 + 70 * hour, 40 + ((hour + 8) / 14) * 960];
  const [sunY, wrongY] = [truePath(sun), wrongPath(wrong)];
  const height = (600 - sunY) / 430;
  const night = 1 - between(height, -0.35, 0.35);
  const [top, middle, bottom] = skyAt(height);
  const hill = (hex: string) => mix(colour(hex), INK, 0.75 * night);
  const path = (0.55 * (1 - night)).toFixed(3);
  // The lamp in the house follows the wrong sun: amber from the wrong dusk to the sunrise.
  const lamp = Math.max(between(hour, 5.2, 6), 1 - between(hour, -8, -7.2));
  return `<!doctype html><style>body { margin: 0 }</style>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 900" width="1200" height="900" style="display: block">
<defs>
<linearGradient id="s" x1="0" y1="0" x2="0" y2="0.75"><stop offset="0" stop-color="${top}"/><stop offset="0.6" stop-color="${middle}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>
<radialGradient id="g"><stop offset="0" stop-color="#fdf4df" stop-opacity="0.9"/><stop offset="0.3" stop-color="#f7cf85" stop-opacity="0.6"/><stop offset="1" stop-color="#f7cf85" stop-opacity="0"/></radialGradient>
<radialGradient id="h"><stop offset="0" stop-color="#c2653a" stop-opacity="0.7"/><stop offset="1" stop-color="#c2653a" stop-opacity="0"/></radialGradient>
<radialGradient id="l"><stop offset="0" stop-color="#f0ad4e" stop-opacity="0.75"/><stop offset="1" stop-color="#f0ad4e" stop-opacity="0"/></radialGradient>
</defs>
<rect width="1200" height="900" fill="url(#s)"/>
<path d="${STARS}" fill="none" stroke="#fdf4df" stroke-width="5" stroke-linecap="round" opacity="${(0.8 * (1 - between(height, -0.5, 0))).toFixed(3)}"/>
<circle cx="${sun}" cy="${sunY}" r="330" fill="url(#g)" opacity="${between(height, -0.45, 0.1).toFixed(3)}"/>
<path d="M${dots(truePath, 40, 1160)}" fill="none" stroke="#1c2433" stroke-width="2.5" opacity="${path}"/>
<path d="M${dots(wrongPath, 40, 1000)}" fill="none" stroke="#c2653a" stroke-width="4" stroke-dasharray="1 14" stroke-linecap="round"/>
<path d="${HOURS}" fill="none" stroke="#1c2433" stroke-width="2.5" opacity="${path}"/>
<circle cx="${sun}" cy="${sunY}" r="74" fill="#f0ad4e"/>
<circle cx="${wrong}" cy="${wrongY}" r="180" fill="url(#h)" opacity="${(1 - between(wrongY, 620, 760)).toFixed(3)}"/>
<circle cx="${wrong}" cy="${wrongY}" r="50" fill="#c2653a"/>
<path d="M0 560C160 500 300 560 470 590S820 500 1000 560S1140 590 1200 566V900H0Z" fill="${hill('#86a08e')}"/>
<circle cx="597" cy="629" r="${110 * lamp}" fill="url(#l)" opacity="${lamp.toFixed(3)}"/>
<path d="M560 700V614L597 586L634 614V700Z" fill="${hill('#2c4a47')}"/>
<rect x="586" y="618" width="22" height="24" fill="${mix(INK, colour('#f0ad4e'), lamp)}"/>
<path d="M0 640C180 590 260 690 460 680S760 590 940 640S1120 690 1200 660V900H0Z" fill="${hill('#45685c')}"/>
<path d="M0 770C200 700 420 780 640 760S1020 720 1200 770V900H0Z" fill="${hill('#2c4a47')}"/>
<path d="M180 700c-22 -48 -14 -108 0 -120c14 12 22 72 0 120zM216 700c-22 -60 -14 -135 0 -150c14 15 22 90 0 150zM252 700c-22 -53 -14 -119 0 -132c14 13 22 79 0 132zM846 660c-22 -44 -14 -99 0 -110c14 11 22 66 0 110zM876 660c-22 -55 -14 -124 0 -138c14 14 22 83 0 138z" fill="${hill('#2c4a47')}"/>
</svg>`;
}

const sample = path.join(root, 'pages', 'sample');
const frames = FRAMES_PER_SECOND * SECONDS;
const video = path.join(sample, 'media', '04-dusk.mp4');
fs.mkdirSync(path.dirname(video), { recursive: true });

const input = `-f image2pipe -framerate ${FRAMES_PER_SECOND} -i -`;
// A size in whole blocks of 16 pixels, in the shape of the poster.
const picture = '-vf scale=1152:864:out_color_matrix=bt709:out_range=tv -pix_fmt yuv420p';
const coding = '-c:v libx264 -preset slow -tune animation -crf 25 -refs 4 -threads 1';
const colours = '-colorspace bt709 -color_primaries bt709 -color_trc bt709';
const file = '-fflags +bitexact -flags:v +bitexact -movflags +faststart';
const options = `-loglevel error -y ${input} ${picture} ${coding} ${colours} ${file}`.split(' ');
const ffmpeg = spawn('ffmpeg', [...options, video], { stdio: ['pipe', 'inherit', 'inherit'] });
const encoded = once(ffmpeg, 'exit');
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: SIZE });
for (let frame = 0; frame < frames; frame += 1) {
  const hours = DAY.to - DAY.from;
  await page.setContent(draw(((START - DAY.from + (frame / frames) * hours) % hours) + DAY.from));
  if (frame === 0) {
    const poster = path.join(sample, 'images', '04-dusk.jpg');
    await page.screenshot({ path: poster, type: 'jpeg', quality: 85 });
  }
  if (!ffmpeg.stdin.write(await page.screenshot())) await once(ffmpeg.stdin, 'drain');
}
ffmpeg.stdin.end();
await browser.close();
const [status] = await encoded;
if (status !== 0) throw new Error(`ffmpeg ended with status ${status}`);
