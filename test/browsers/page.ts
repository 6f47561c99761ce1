/** What holds for every page in every browser. */
import assert from 'node:assert/strict';
import { type Driver, until } from './driver.ts';

const WIDTHS = [2560, 1440, 1024, 768, 390, 320];

/** Where the story goes on. */
const USUAL = [1440, 900] as const;

/** Whether an element shows that it has the focus. */
const SHOWS_FOCUS = `(element) => {
  // A part of the controls has the focus, which the browser shows by itself.
  if (element.localName === 'video') return true;
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
    && !/^rgba\\(.*, 0\\)$/.test(outlineColor);
}`;

/** What the Tab key goes to. */
const PARTS = `[...(document.querySelector('dialog[open]') ?? document.body)
  .querySelectorAll('a[href], button, input, select, textarea, summary, video, [tabindex="0"]')]
  .filter((part) => !part.disabled && part.checkVisibility({ visibilityProperty: true }))`;

/**
 * Goes through what can be pressed, as the Tab key does.
 *
 * @returns the parts that do not show the focus, or are covered in the middle
 */
const INSPECT = `
  const parts = ${PARTS};
  const showsFocus = ${SHOWS_FOCUS};
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { scrollWidth, clientWidth } = document.documentElement;
  const faults = [];
  for (const part of parts) {
    const words = part.outerHTML.slice(0, 150);
    part.focus({ preventScroll: true, focusVisible: true });
    if (document.activeElement !== part) faults.push('takes no focus: ' + words);
    else if (!showsFocus(part)) faults.push('shows no focus: ' + words);
    part.scrollIntoView({ behavior: 'instant', block: 'center', inline: 'center' });
    const [{ left, top, width, height }] = part.getClientRects();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    // WebKitGTK lays the scroll bar of a wide table over its last row.
    const isScrollBar = found?.contains(part) && found.scrollWidth > found.clientWidth;
    if (!part.contains(found) && !isScrollBar) faults.push('covered: ' + words + ' by ' + found?.outerHTML.slice(0, 150));
  }
  parts[0].focus({ preventScroll: true });
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  return { width: innerWidth, hidden: scrollWidth - clientWidth, faults };
`;

/** Fails if the page scrolls sideways, a target is covered, or does not show the focus. */
export async function checkPage(driver: Driver): Promise<void> {
  await driver.evaluate(`(${PARTS})[0].focus()`);
  await driver.press('Tab');
  assert.equal(await driver.evaluate(`return (${PARTS}).indexOf(document.activeElement)`), 1);
  for (const width of WIDTHS) {
    await driver.resize(width, 900);
    assert.deepEqual(await driver.evaluate(INSPECT), { width, hidden: 0, faults: [] });
  }
  await driver.resize(...USUAL);
}

/** Whether the browser plays H.264, which some are built without. */
export const playsFilms = (driver: Driver): Promise<boolean> =>
  driver.evaluate(
    `const type = 'video/mp4; codecs="avc1.64001f"';
    return document.createElement('video').canPlayType(type) !== '';`,
  );

/** Fails if the first video does not play by itself, pause and seek, or its file has no ranges. */
export async function checkVideo(driver: Driver): Promise<void> {
  await driver.evaluate(
    "document.querySelector('video').scrollIntoView({ behavior: 'instant', block: 'center' })",
  );
  await until(driver, "document.querySelector('video').currentTime > 0.1");
  const [time, part] = await driver.evaluate<[number, number]>(
    `const video = document.querySelector('video');
    video.pause();
    const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve));
    video.currentTime = video.duration / 2;
    await seeked;
    const request = { cache: 'no-store', headers: { Range: 'bytes=9-' } };
    const { status } = await fetch(video.src, request);
    return [video.currentTime / video.duration, status];`,
  );
  assert.ok(Math.abs(time - 0.5) < 0.1, String(time));
  assert.equal(part, 206);
}
