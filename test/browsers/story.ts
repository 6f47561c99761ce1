/**
 * One story for every browser: a visit from login to logout, and an invite, on pages without
 * faults.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { ADMINISTRATOR, fillSite } from '../browser/svcops-page.ts';
import { ADA, LAYOUTS } from '../browser/visitors.ts';
import { FIND_OBSTACLES } from '../support/accessibility.ts';
import { installationForAll } from '../support/temporary.ts';
import { type Driver, ENTER, find, SHIFT_TAB, TAB } from './driver.ts';

/**
 * Notes what goes wrong in a page: WebKitGTK's driver reads no console. Takes from the visitors'
 * pages what browsers of 2021 lack.
 */
const WATCH = `{
  if (!location.pathname.startsWith('/svcops')) {
    delete AbortSignal.timeout;
    delete AbortSignal.any;
    delete Array.prototype.at;
    delete Array.prototype.findLastIndex;
    delete globalThis.structuredClone;
  }
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
const NOTED = "localStorage.getItem('faults') ?? ''";

/** Makes every page of an installation that has not started yet load the script first. */
function watchPages(root: string): void {
  fs.writeFileSync(path.join(root, 'pages/built/everyone/watch.js'), WATCH);
  for (const name of ['everyone/entry.html', 'invitees/timeline-head.html', 'svcops/page.html']) {
    const file = path.join(root, 'pages', name);
    const first = '<meta charset="utf-8">';
    const page = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, page.replace(first, `${first}<script src="/watch.js"></script>`));
  }
}

/** Declares the test. @param lacking why it is skipped, `false` if the browser is installed */
export const testStory = (
  browser: string,
  skip: string | false,
  openBrowser: () => Promise<Driver>,
) =>
  it(`in ${browser}, an invitee joins, and an administrator invites another`, {
    skip,
  }, async (t) => {
    const installation = installationForAll();
    watchPages(installation.root);
    installation.invite(ADMINISTRATOR, 'Root');
    installation.setAdmin(ADMINISTRATOR);
    installation.write((writer) => fillSite(writer, 'short'));
    const [server, driver] = await Promise.all([installation.start(), openBrowser()]);
    t.after(() => driver.close());
    t.diagnostic(driver.name);
    const { click, evaluate, type, until } = driver;
    const joins = () => installation.read(({ joins }) => joins.list({ limit: 9 }).rows).length;

    const open = (url: string) => driver.open(server.origin + url);
    /** Waits for a whole page: one that is left while it loads has faults of its own. */
    const at = (pathname: string) =>
      until(`location.pathname === '${pathname}' && document.readyState === 'complete'`);
    const says = (place: string, text: string) =>
      until(`${find(place)}.textContent.includes(${JSON.stringify(text)})`);
    const enter = async (email: string) => {
      await until(`!${find('#enter button')}.disabled`);
      await evaluate(`${find('#email')}.value = ''`);
      await type('#email', email + ENTER);
    };
    /** Fails if something covers or disturbs the open page. */
    const check = async (first = 'a[href], input', key: string = TAB) => {
      // To those who use the keyboard, browsers show the focus.
      await type(first, key);
      assert.deepEqual(await evaluate(`return ${FIND_OBSTACLES}`), []);
    };

    // The redirect keeps the fragment, which leads on after the login.
    const link = '/timeline?view=mobile#entry-5';
    await open(link);
    await at('/');
    await check();
    await enter('eve@example.com');
    await says('#message', 'eve@example.com isn’t on the guest list.');
    await enter(ADA);
    await says('h1', 'Welcome');
    await at('/timeline');
    await until(`location.href.endsWith('${link}') && scrollY > 0`);
    for (const layout of LAYOUTS) {
      await open(`/timeline?view=${layout}`);
      await says('#name', 'Ada');
      await until(`!${find('#join')}.disabled`);
      // The first link is hidden after a press, so it is not used. The focus must not leave the
      // page.
      await check('#join', SHIFT_TAB);
    }
    const before = joins();
    await click('#join');
    await says('#message', 'Counted again. Thank you.');
    assert.equal(await evaluate('return document.activeElement.id'), 'join', 'to press again');
    assert.equal(joins(), before + 1);
    const film = find('video');
    // Some builds lack H.264.
    if (await evaluate(`return ${film}.canPlayType('video/mp4; codecs="avc1.64001f"')`)) {
      await evaluate(`${film}.scrollIntoView({ behavior: 'instant', block: 'center' })`);
      await until(`${film}.currentTime > 0.1`);
      await evaluate(`${film}.pause(); ${film}.currentTime = ${film}.duration / 2`);
      await until(`!${film}.seeking && ${film}.currentTime >= ${film}.duration / 2 - 0.1`);
    }
    await click('#logout');
    await at('/');
    await says('#message', 'You’re logged out.');
    await open('/timeline');
    await at('/');

    await driver.deleteCookies();
    await open('/');
    await enter(ADMINISTRATOR);
    await at('/timeline');
    await open('/svcops');
    await until(find('#updated time'));
    const line = `getComputedStyle(${find('.count a')}).textDecorationLine`;
    assert.equal(await evaluate(`return ${line}`), 'underline', 'a number is a link to its list');
    await check();
    await type('#invite-email', 'grace@example.com');
    await type('#invite-name', `Grace${ENTER}`);
    await says('#people tbody', 'grace@example.com');
    await type('#people-text', 'grace');
    await until("document.querySelectorAll('#people tbody tr').length === 1");
    await click('#people tbody a');
    await says('#person-marks', 'grace@example.com');
    await check('#person-close');
    const invite = installation.withStore(({ invites }) => invites.find('grace@example.com'));
    assert.equal(invite?.invitedBy, ADMINISTRATOR);
    // extra: letters
    await click('#person button[aria-label="Invitation to grace@example.com"]');
    const letter = 'dialog[open] .letter';
    await until(find(letter));
    await click(`${letter} .copy`);
    // Without a clipboard, the text is selected.
    await until(`/^(Copied|Couldn’t copy)/.test(${find(`${letter} [role=status]`)}.textContent)`);
    // end: letters

    assert.equal(await evaluate(`return ${NOTED}`), '');
    // Shows that the test would note a fault.
    const script = "Object.assign(document.createElement('script'), { src: '/missing.js' })";
    await evaluate(`document.head.append(${script})`);
    await until(`(${NOTED}).includes('/missing.js')`);
  });
