/**
 * Notes what goes wrong and what is said in the pages of a test's own installation, from their
 * first script on. It needs no help of the browser: WebKitGTK's driver reads no console.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type Driver, until } from './driver.ts';

/** The names of the notes in the storage of the pages' origin, which outlives each page. */
const KEY = 'noticed';
const SAID = 'said';

/**
 * A failed picture or script is an error of its element: it does not bubble, and has no message.
 * However slow the machine is, no page gives up a request.
 */
export const WATCH = `
  AbortController.prototype.abort = () => {};
  AbortSignal.timeout = () => new AbortController().signal;
  const keep = (key, text) => {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]');
    localStorage.setItem(key, JSON.stringify([...kept, text]));
  };
  const note = (text) => keep('${KEY}', location.pathname + ' ' + text);
  let said = '';
  new MutationObserver(() => {
    const { textContent = '' } = document.querySelector('#message') ?? {};
    if (textContent !== said) keep('${SAID}', textContent);
    said = textContent;
  }).observe(document, { subtree: true, childList: true, characterData: true });
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

/**
 * Waits until `#message` has said this on the origin of the open page, on whichever page. A greeting
 * is gone after 1.8 s, which is shorter than a driver may take for one question.
 */
export function heard(driver: Driver, text: string | RegExp): Promise<void> {
  const words = `JSON.parse(localStorage.getItem('${SAID}') ?? '[]')`;
  const isIt =
    text instanceof RegExp ? `${text}.test(each)` : `each.includes(${JSON.stringify(text)})`;
  return until(driver, `${words}.some((each) => ${isIt})`);
}
