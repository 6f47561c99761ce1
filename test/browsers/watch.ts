/**
 * Notes what goes wrong in the pages of a test's own installation, from their first script on. It
 * needs no help of the browser: WebKitGTK's driver reads no console.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Driver } from './driver.ts';

/** The name of the note in the storage of the pages' origin, which outlives each page. */
const KEY = 'noticed';

/** A failed picture or script is an error of its element: it does not bubble, and has no message. */
export const WATCH = `
  const note = (text) => {
    const noticed = JSON.parse(localStorage.getItem('${KEY}') ?? '[]');
    localStorage.setItem('${KEY}', JSON.stringify([...noticed, location.pathname + ' ' + text]));
  };
  let leaving = false;
  addEventListener('beforeunload', () => { leaving = true; });
  const failed = ({ message, target }) => {
    if (message) note(message);
    // Firefox reports what it no longer loads.
    else if (!leaving) note('not loaded: ' + (target.currentSrc || target.src || target.href));
  };
  addEventListener('error', failed, true);
  addEventListener('unhandledrejection', ({ reason }) => note('rejected: ' + reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    note('policy: ' + violatedDirective + ' ' + blockedURI));
  const { error } = console;
  console.error = (...words) => { note(words.join(' ')); error(...words); };
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries())
      if (!name.startsWith(location.origin + '/')) note('elsewhere: ' + name);
  }).observe({ type: 'resource', buffered: true });
`;

const TEMPLATES = ['everyone/entry.html', 'invitees/timeline-head.html', 'svcops/page.html'];

/** Makes every page of an installation that has not started yet load the script first. */
export function watchPages(root: string): void {
  fs.writeFileSync(path.join(root, 'pages/everyone/watch.js'), `{${WATCH}}`);
  for (const template of TEMPLATES) {
    const file = path.join(root, 'pages', template);
    const first = '<meta charset="utf-8">';
    const watched = fs
      .readFileSync(file, 'utf8')
      .replace(first, `${first}<script src="/watch.js"></script>`);
    fs.writeFileSync(file, watched);
  }
}

/** What was noticed on the origin of the open page since the last call. */
export const noticed = (driver: Driver): Promise<readonly string[]> =>
  driver.evaluate(
    `const noticed = JSON.parse(localStorage.getItem('${KEY}') ?? '[]');
    localStorage.removeItem('${KEY}');
    return noticed;`,
  );
