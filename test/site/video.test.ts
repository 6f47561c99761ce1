/** The kind of a video, read from its headers. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { lookAtVideo } from '../../lib/site/video.ts';
import { temporaryFolder } from '../support/site.ts';

/** Two pictures of 64 × 48 pixels, as ffmpeg wrote them; the endings are what an owner may give them. */
const folder = path.join(root, 'test/site/media');
const look = (name: string, type = `video/${path.extname(name).slice(1)}`) =>
  lookAtVideo(path.join(folder, name), type);

const copies = temporaryFolder();
function lookAtCopy(bytes: Uint8Array) {
  const copy = path.join(copies, 'copy.mp4');
  fs.writeFileSync(copy, bytes);
  return lookAtVideo(copy, 'video/mp4');
}

for (const name of ['h264.mp4', 'av1.mp4', 'vp9.mp4', 'vp9.webm', 'vp8.webm'])
  test(`${name} plays everywhere`, () => assert.deepEqual(look(name), {}));

for (const [name, coding] of [
  ['hevc.mp4', 'hvc1'],
  ['prores.mp4', 'apch'],
  ['pcm.mp4', 'sowt'],
  ['h264-444.mp4', 'H.264 profile 244'],
  ['matroska.webm', 'V_MPEG4'],
] as const)
  test(`${name} does not, and the message has the command that converts it`, () => {
    const { mistake = '' } = look(name);
    assert.ok(mistake.includes(`(${coding}`), mistake);
    assert.match(mistake, /; convert it: ffmpeg -i .* -pix_fmt yuv420p -movflags \+faststart/);
  });

test('a name with the ending of the other kind is a mistake', () => {
  assert.match(look('vp9.webm', 'video/mp4').mistake ?? '', /must end in \.webm$/);
  assert.match(look('h264.mp4', 'video/webm').mistake ?? '', /must end in \.mp4$/);
});

test('an index at the end causes a warning with the command that moves it', () => {
  const { mistake, warning = '' } = look('h264-index-at-end.mp4');
  assert.equal(mistake, undefined);
  assert.match(warning, /ffmpeg -i old\.mp4 -c copy -movflags \+faststart new\.mp4$/);
});

test('a file that is cut short at any place is a mistake, never a crash', () => {
  const whole = fs.readFileSync(path.join(folder, 'h264.mp4'));
  assert.deepEqual(lookAtCopy(whole), {});
  for (let length = 0; length < whole.length; length += 7)
    assert.match(
      lookAtCopy(whole.subarray(0, length)).mistake ?? '',
      /^it is damaged/,
      `${length}`,
    );
});

test('a file of millions of empty parts is refused, not read to its end', () => {
  const whole = fs.readFileSync(path.join(folder, 'h264.mp4'));
  const first = whole.readUInt32BE(0);
  const empty = Buffer.from('\0\0\0\x08free', 'latin1');
  const lookAfter = (parts: number) =>
    lookAtCopy(
      Buffer.concat([
        whole.subarray(0, first),
        Buffer.alloc(parts * 8, empty),
        whole.subarray(first),
      ]),
    );
  assert.deepEqual(lookAfter(1000), {});
  assert.match(lookAfter(100_000).mistake ?? '', /^it is damaged/);
});

test('a file of random or of other bytes is a mistake', () => {
  const svg = path.join(root, 'pages/everyone/favicon.svg');
  const jpeg = path.join(root, 'test/site/images/321x123.jpg');
  for (const bytes of [Buffer.alloc(5000), fs.readFileSync(svg), fs.readFileSync(jpeg)])
    assert.match(lookAtCopy(bytes).mistake ?? '', /neither an MP4 nor a WebM$/);
});

test('every byte of the index may be wrong without a crash', () => {
  const whole = fs.readFileSync(path.join(folder, 'h264.mp4'));
  for (let at = 0; at < 1500; at += 1) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(255, at);
    lookAtCopy(damaged);
  }
});
