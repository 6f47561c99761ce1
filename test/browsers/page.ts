/** What holds for every page in every browser. */
import assert from 'node:assert/strict';
import type { Driver } from './driver.ts';

const WIDTHS = [2560, 1440, 1024, 768, 390, 320];

/** Stops of the Tab key to look at. */
const STOPS = 12;

/** Fails if the page scrolls sideways, loads from elsewhere, or does not show the focus. */
export async function checkPage(driver: Driver, origin: string): Promise<void> {
  const elsewhere = await driver.evaluate<string[]>(
    `return performance.getEntriesByType('resource').map(({ name }) => name)
      .filter((name) => !name.startsWith('${origin}/'))`,
  );
  assert.deepEqual(elsewhere, []);
  for (const width of WIDTHS) {
    await driver.resize(width, 900);
    const found = await driver.evaluate<{ width: number; hidden: number }>(
      `await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { scrollWidth, clientWidth } = document.documentElement;
      return { width: innerWidth, hidden: scrollWidth - clientWidth };`,
    );
    assert.deepEqual(found, { width, hidden: 0 });
  }
  await driver.resize(1440, 900);
  await checkFocus(driver);
}

async function checkFocus(driver: Driver): Promise<void> {
  const stops = new Set<string>();
  for (let n = 0; n < STOPS; n += 1) {
    await driver.press('Tab');
    const [name, outline] = await driver.evaluate<[string, number]>(
      `const { activeElement: element, body } = document;
      // Behind the last stop, the focus is in the browser's own window.
      if (element === body || !document.hasFocus()) return ['', 1];
      // A part of the controls has the focus, which the browser shows by itself.
      if (element.localName === 'video') return ['video', 1];
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return [element.outerHTML, outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)];`,
    );
    assert.ok(outline >= 1, `the focus is not visible: ${name}`);
    if (name) stops.add(name);
  }
  assert.ok(stops.size > 0);
}
