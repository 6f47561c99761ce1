/** The whole story of a site, told to a browser: the same for each of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADA, LAYOUTS } from '../browser/site.ts';
import { ADMINISTRATOR, fillSite } from '../browser/svcops-page.ts';
import { type Installation, install, type Server } from '../support/installation.ts';
import { lockStore } from '../support/lock.ts';
import { checkChecks } from './broken.ts';
import { type Driver, find, until } from './driver.ts';
import { checkPage, checkVideo, playsFilms } from './page.ts';
import { heard, noticed, watchPages } from './watch.ts';
import { tellWorkingDay } from './working-day.ts';

/** Invited without a first name. */
const NAMELESS = 'crowd0@example.com';

/** What browsers say about the production mode without https, which the story uses once. */
const WITHOUT_HTTPS = /origin was untrustworthy|non-HTTPS cookie/;

/** Declares the tests. @param lacking why they are skipped, `false` if the browser is installed */
export function tell(
  browser: string,
  lacking: string | false,
  openBrowser: (dark: boolean) => Promise<Driver>,
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
      [server, driver] = await Promise.all([installation.start(), openBrowser(false)]);
      await driver.resize(1440, 900);
      console.log(driver.name);
    });
    after(async () => {
      try {
        await driver.close();
      } finally {
        await installation.remove();
      }
    });

    const open = (path: string, { origin } = server) => driver.open(origin + path);
    const at = (pathname: string) => until(driver, `location.pathname === '${pathname}'`);
    const says = (place: string, text: string) =>
      until(driver, `${find(place)}.textContent.includes(${JSON.stringify(text)})`);

    /** Types an address on the entry page, and presses Enter. */
    const enter = async (email: string) => {
      await until(driver, `!${find('#enter button')}.disabled`);
      await driver.evaluate(`${find('#email')}.value = ''`);
      await driver.type('#email', email);
      await driver.press('Enter');
    };

    /** Ends the visit where nothing is still loading: without a session that would fail. */
    const forget = async () => {
      await open('/robots.txt');
      await driver.forget();
    };

    /** Opens a page as a person who has logged in. */
    const openAs = async (email: string, path: string) => {
      await forget();
      const status = await driver.evaluate<number>(
        `const login = () => fetch('/auth/login', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: '${email}' }),
        });
        // WebKit may send the first on a connection that the server has just closed.
        const { status } = await login().catch(login);
        return status;`,
      );
      assert.equal(status, 200);
      await open(path);
    };

    it('the entry page refuses, explains and greets', async () => {
      await open('/');
      await until(driver, `!${find('#enter button')}.disabled`);
      await checkPage(driver);
      await enter('ada');
      await heard(driver, 'That is not an email address.');
      await enter('eve@example.com');
      await heard(driver, 'eve@example.com is not on the list.');
      const unlock = lockStore(installation.store);
      await enter(ADA);
      await heard(driver, 'Looking for you on the list…');
      await heard(driver, 'The site is unavailable just now.');
      unlock();
      await enter(NAMELESS);
      await heard(driver, 'Welcome.');
      await at('/timeline');
      await open('/');
      await heard(driver, 'Welcome back.');
      await at('/timeline');
      await forget();
      await open('/?ended');
      await heard(driver, 'Your session has ended.');
    });

    it('it explains refused cookies, too many attempts and a site out of reach', async () => {
      const production = await installation.start({ NODE_ENV: 'production' });
      await driver.open(`http://${driver.plainHost}:${production.port}/`);
      await enter(ADA);
      await heard(driver, 'your browser did not keep this site’s cookie');
      await driver.evaluate(
        `for (let attempt = 0; attempt < 30; attempt += 1)
          await (await fetch('/auth/login', { method: 'POST' })).text();`,
      );
      await enter(ADA);
      // The first attempt was up to some minutes ago.
      await heard(driver, /Too many attempts\. Please try again in (60|5\d) minutes\./);
      await production.stop();
      await enter(ADA);
      await heard(driver, 'The site cannot be reached.');
      assert.deepEqual(await noticed(driver), []);
    });

    it('an invitee reads both layouts, joins and logs out', async () => {
      await forget();
      await open('/');
      await enter(ADA);
      await heard(driver, 'Welcome, Ada.');
      await at('/timeline');
      for (const layout of LAYOUTS) {
        await open(`/timeline?view=${layout}`);
        await says('#name', 'Ada');
        await checkPage(driver);
        const line = `return getComputedStyle(${find('#logout')}).textDecorationLine`;
        assert.equal(await driver.evaluate(line), 'underline');
        await driver.click('#join');
        await says('#message', 'Thank you. We know');
        await driver.click('#join');
        await says('#message', 'Thank you, 2 times');
      }
      await driver.click('#logout');
      await at('/');
      await says('#message', 'You are logged out.');
      await open('/timeline');
      await at('/');
      const { rows } = installation.withStore(({ joins }) => joins.list({ limit: 4 }));
      assert.deepEqual(new Set(rows.map(({ email }) => email)), new Set([ADA]));
    });

    it('the dates of the wide layout stay in sight beside the story', async () => {
      await openAs(ADA, '/timeline?view=desktop');
      await driver.evaluate("document.querySelectorAll('article')[3].focus()");
      await until(driver, `${find('.rail')}.getBoundingClientRect().top === 0`);
      await until(
        driver,
        `${find('.rail [aria-current]')}.hash === '#' + document.activeElement.id`,
      );
    });

    for (const layout of LAYOUTS)
      it(`a video plays, pauses and seeks on the ${layout} layout`, async (test) => {
        await openAs(ADA, `/timeline?view=${layout}`);
        if (!(await playsFilms(driver))) return test.skip(`${driver.name} has no H.264 here`);
        await checkVideo(driver);
      });

    it('an administrator invites, filters, exports and looks at a person', async () => {
      await openAs(ADMINISTRATOR, '/svcops');
      await until(driver, "document.querySelector('#updated time')");
      await checkPage(driver);
      await driver.type('#invite-email', 'grace@example.com');
      await driver.type('#invite-name', 'Grace');
      await driver.press('Enter');
      await says('#invite-message', 'grace@example.com');
      await says('#people tbody', 'grace@example.com');
      await driver.type('#people-text', 'grace');
      await until(driver, "document.querySelectorAll('#people tbody tr').length === 1");
      const csv = await driver.evaluate<string>(
        `const response = await fetch(${find('#people .export')}.href);
        return response.headers.get('Content-Disposition') + await response.text();`,
      );
      assert.match(csv, /^attachment.*grace@example\.com/s);
      assert.doesNotMatch(csv, /ada@example/);
      await driver.click('#people tbody a');
      await until(driver, `${find('#person')}.open && !${find('#person-known')}.hidden`);
      await says('#person-title', 'grace@example.com');
      await checkPage(driver);
      await driver.press('Escape');
      await until(driver, `!${find('#person')}.open`);
    });

    tellWorkingDay(() => ({ driver, installation, server, openAs }));

    it('no page had a fault', async () => {
      const faults = [...(await driver.faults()), ...(await noticed(driver))];
      assert.deepEqual(
        faults.filter((fault) => !WITHOUT_HTTPS.test(fault)),
        [],
      );
    });

    it('the checks above report pages that have a fault', () => checkChecks(driver));
  });
}
