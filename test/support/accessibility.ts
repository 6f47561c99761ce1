/** Checks of a page in a real browser, for everybody who uses it. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../lib/config.ts';

const AXE = fs.readFileSync(path.join(root, 'test/node_modules/axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The violations of WCAG 2.2 A and AA that axe-core finds: each rule with its elements. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  const options = JSON.stringify({
    runOnly: { type: 'tag', values: RULES },
    resultTypes: ['violations'],
  });
  // Where a page is scrolled to, what stays at its top may cover a part of a control.
  return page.evaluate<readonly string[]>(`${AXE};
    scrollTo({ top: 0, behavior: 'instant' });
    axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(', ')))`);
}

/**
 * An expression for every browser: what is in the way of a visitor. The page scrolls sideways, or
 * what the Tab key goes to takes no focus, shows no focus, or is covered in the middle.
 */
export const FIND_OBSTACLES = `(async () => {
  const parts = [...(document.querySelector('dialog[open]') ?? document.body)
    .querySelectorAll('a[href], button, input, select, textarea, summary, video, [tabindex="0"]')]
    .filter((part) => !part.disabled && part.checkVisibility({ visibilityProperty: true }));
  // Observers of sizes act in the frame after a change.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? ['scrolls sideways'] : [];
  for (const part of parts) {
    const words = part.outerHTML.slice(0, 150);
    part.focus({ preventScroll: true, focusVisible: true });
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(part);
    const outlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
      && !/^rgba\\(.*, 0\\)$/.test(outlineColor);
    if (document.activeElement !== part) found.push('takes no focus: ' + words);
    // The browser shows by itself which of the controls of a video has it.
    else if (!outlined && part.localName !== 'video') found.push('shows no focus: ' + words);
    part.scrollIntoView({ behavior: 'instant', block: 'center', inline: 'center' });
    const [{ left, top, width, height }] = part.getClientRects();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    // WebKitGTK lays the scroll bar of a wide table over its last row.
    const isScrollBar = seen?.contains(part) && seen.scrollWidth > seen.clientWidth;
    if (!part.contains(seen) && !isScrollBar)
      found.push('covered: ' + words + ' by ' + seen?.outerHTML.slice(0, 150));
  }
  document.activeElement.blur();
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  return found;
})()`;
