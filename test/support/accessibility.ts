/** Checks a page in a real browser with the rules of axe-core for WCAG 2.2 A and AA. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../lib/config.ts';

const AXE = fs.readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The violations of axe-core: each rule with its elements. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  const options = JSON.stringify({
    runOnly: { type: 'tag', values: RULES },
    resultTypes: ['violations'],
  });
  return page.evaluate<readonly string[]>(`${AXE};
    axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(', ')))`);
}
