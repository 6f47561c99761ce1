/** The stories of an invitee and of an administrator, for browsers other than Chromium. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ADA, LAYOUTS } from '../browser/site.ts';
import { ADMINISTRATOR, fillSite } from '../browser/svcops-page.ts';
import { FIND_OBSTACLES } from '../support/accessibility.ts';
import { type Installation, install, type Server } from '../support/installation.ts';
import { type Driver, ENTER, ESCAPE, find, TAB, until } from './driver.ts';

/** How long a press may take, in ms. A busy machine is slow. */
const LIMIT = 60_000;

const LIST = ['Last;First;E-Mail', 'Lovelace;Ada;ada@example.com', 'Noether;Emmy;emmy@example.com'];

/** Notes what goes wrong in a page: WebKitGTK's driver reads no console. */
const WATCH = `{
  const note = (text) => {
    const faults = localStorage.getItem('faults') ?? '';
    localStorage.setItem('faults', faults + location.pathname + ' ' + text + '\\n');
  };
  addEventListener('error', ({ message, target: { src, href, localName } }) => {
    if (message) note(message);
    // Pictures and videos end with their page.
    else if (['script', 'link'].includes(localName)) note('not loaded: ' + (src ?? href));
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => note('rejected: ' + reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    note('policy: ' + violatedDirective + ' ' + blockedURI));
}`;

/** Makes every page of an installation that has not started yet load the script first. */
function watchPages(root: string): void {
  fs.writeFileSync(path.join(root, 'pages/everyone/watch.js'), WATCH);
  for (const name of ['everyone/entry.html', 'invitees/timeline-head.html', 'svcops/page.html']) {
    const file = path.join(root, 'pages', name);
    const first = '<meta charset="utf-8">';
    const page = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, page.replace(first, `${first}<script src="/watch.js"></script>`));
  }
}

/** Declares the tests. @param lacking why they are skipped, `false` if the browser is installed */
export function tell(
  browser: string,
  lacking: string | false,
  openBrowser: () => Promise<Driver>,
): void {
  describe(browser, { skip: lacking }, () => {
    let installation: Installation;
    let server: Server;
    let driver: Driver;
    before(async () => {
      installation = install();
      watchPages(installation.root);
      installation.invite(ADMINISTRATOR, 'Root');
      installation.setAdmin(ADMINISTRATOR);
      installation.write((writer) => fillSite(writer, 'short'));
      [server, driver] = await Promise.all([installation.start(), openBrowser()]);
      console.log(driver.name);
    });
    after(async () => {
      await driver?.close();
      await installation.remove();
    });

    const open = (url: string) => driver.open(server.origin + url);
    /** Waits for a whole page: one that is left while it loads has faults of its own. */
    const at = (pathname: string) =>
      until(driver, `location.pathname === '${pathname}' && document.readyState === 'complete'`);
    const says = (place: string, text: string) =>
      until(driver, `${find(place)}.textContent.includes(${JSON.stringify(text)})`);

    /** Types an address on the entry page, and presses Enter. */
    const enter = async (email: string) => {
      await until(driver, `!${find('#enter button')}.disabled`);
      await driver.evaluate(`${find('#email')}.value = ''`);
      await driver.type('#email', email + ENTER);
    };

    /** Fails if something is in the way on the open page, in a wide or a narrow window. */
    const check = async (first = 'a[href], input') => {
      for (const width of [500, 1440]) {
        await driver.resize(width);
        // To those who use the keyboard, browsers show the focus.
        await driver.type(first, TAB);
        assert.deepEqual(await driver.evaluate(`return ${FIND_OBSTACLES}`), [], `${width} px`);
      }
    };

    it('an invitee is refused, let in, reads both layouts, joins and logs out', async () => {
      await open('/');
      await check();
      await enter('ada');
      await says('#message', 'Enter an email address such as');
      await enter('eve@example.com');
      await says('#message', 'eve@example.com is not on the guest list.');
      await enter(ADA);
      await at('/timeline');
      const joins = () => installation.read(({ joins }) => joins.list({ limit: 9 }).rows);
      const before = joins().length;
      for (const [i, layout] of LAYOUTS.entries()) {
        await open(`/timeline?view=${layout}`);
        await says('#name', 'Ada');
        // Not from the first link: it leads to the question, and is hidden after a press.
        await check('#join');
        await driver.click('#join');
        // The message of the former press is shown again, so it does not tell that this one is over.
        const signal = AbortSignal.timeout(LIMIT);
        while (joins().length <= before + i) await setTimeout(50, undefined, { signal });
        assert.equal(joins().length, before + i + 1);
        await until(driver, `${find('#join')} && ${find('#message')}.textContent !== ''`);
      }
      await driver.click('#logout');
      await at('/');
      await says('#message', 'You are logged out.');
      await open('/timeline');
      await at('/');
    });

    it('a video in view plays and seeks', async (test) => {
      await enter(ADA);
      await at('/timeline');
      const film = find('video');
      const type = 'video/mp4; codecs="avc1.64001f"';
      if (!(await driver.evaluate(`return ${film}.canPlayType('${type}')`)))
        return test.skip(`${driver.name} has no H.264 here`);
      await driver.evaluate(`${film}.scrollIntoView({ behavior: 'instant', block: 'center' })`);
      await until(driver, `${film}.currentTime > 0.1`);
      await driver.evaluate(`${film}.pause(); ${film}.currentTime = ${film}.duration / 2`);
      await until(driver, `!${film}.seeking && ${film}.currentTime >= ${film}.duration / 2 - 0.1`);
    });

    it('an administrator invites, looks at a period, filters, exports and reads of a person', async () => {
      await open('/robots.txt');
      await driver.forget();
      await open('/');
      await enter(ADMINISTRATOR);
      await at('/timeline');
      await open('/svcops');
      await until(driver, find('#updated time'));
      await check();
      await driver.type('#invite-email', 'grace@example.com');
      await driver.type('#invite-name', `Grace${ENTER}`);
      await says('#people tbody', 'grace@example.com');

      await driver.click('#many summary');
      await driver.evaluate(
        `${find('#many-list')}.value = ${JSON.stringify(LIST.join('\n'))};
        ${find('#many-list')}.dispatchEvent(new Event('input'));`,
      );
      await until(driver, `!${find('#many-start')}.hidden`);
      await check();
      await driver.click('#many-start');
      await says('#people tbody', 'emmy@example.com');
      await says('#changes tbody', 'emmy@example.com');

      await driver.type('#period', '7');
      await until(driver, "location.search === '?days=7'");
      await until(driver, "document.querySelectorAll('#days tbody tr').length === 7");

      await driver.type('#people-text', 'grace');
      await until(driver, "document.querySelectorAll('#people tbody tr').length === 1");
      const csv = await driver.evaluate<string>(
        `const response = await fetch(${find('#people .export')}.href);
        return response.headers.get('Content-Disposition') + await response.text();`,
      );
      assert.match(csv, /^attachment.*grace@example\.com/s);
      assert.doesNotMatch(csv, /ada@example/);
      await driver.click('#people tbody a');
      await says('#person-title', 'grace@example.com');
      await until(driver, `!${find('#person-known')}.hidden`);
      await check('#person-close');
      await driver.type('#person-close', ESCAPE);
      await until(driver, `!${find('#person')}.open`);
    });

    it('no page had a fault', async () => {
      const noted = "localStorage.getItem('faults') ?? ''";
      assert.equal(await driver.evaluate(`return ${noted}`), '');
      // Proves that a fault would be noted.
      const script = "Object.assign(document.createElement('script'), { src: '/missing.js' })";
      await driver.evaluate(`document.head.append(${script})`);
      await until(driver, `(${noted}).includes('/missing.js')`);
    });
  });
}
