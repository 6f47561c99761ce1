/** The whole story of a site, told to a browser: the same for each of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADA, LAYOUTS } from '../browser/site.ts';
import { ADMINISTRATOR, fillSite } from '../browser/svcops-page.ts';
import { type Installation, install, type Server } from '../support/installation.ts';
import { lockStore } from '../support/lock.ts';
import { type Driver, until } from './driver.ts';
import { checkPage } from './page.ts';

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
      installation.invite(ADMINISTRATOR, 'Root');
      installation.setAdmin(ADMINISTRATOR);
      installation.write((writer) => fillSite(writer, 'short'));
      [server, driver] = await Promise.all([installation.start(), openBrowser(false)]);
      await driver.resize(1440, 900);
      console.log(driver.name);
    });
    after(async () => {
      await driver.close();
      await installation.remove();
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

    /** Opens a page as a person who has logged in. */
    const openAs = async (email: string, path: string) => {
      await driver.forget();
      await open('/');
      const status = await driver.evaluate<number>(
        `const { status } = await fetch('/auth/login', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: '${email}' }),
        });
        return status;`,
      );
      assert.equal(status, 200);
      await open(path);
    };

    it('the entry page refuses, explains and greets', async () => {
      await open('/');
      await checkPage(driver, server.origin);
      await enter('ada');
      await says('#message', 'That is not an email address.');
      await enter('eve@example.com');
      await says('#message', 'eve@example.com is not on the list.');
      const unlock = lockStore(installation.store);
      await enter(ADA);
      await says('#message', 'Looking for you on the list…');
      await says('#message', 'The site is unavailable just now.');
      unlock();
      await enter(NAMELESS);
      await says('#message', 'Welcome.');
      await at('/timeline');
      await open('/');
      await says('#message', 'Welcome back.');
      await at('/timeline');
      await driver.forget();
      await open('/?ended');
      await says('#message', 'Your session has ended.');
    });

    it('it explains refused cookies, too many attempts and a site out of reach', async () => {
      const production = await installation.start({ NODE_ENV: 'production' });
      await driver.open(`http://${driver.plainHost}:${production.port}/`);
      await enter(ADA);
      await says('#message', 'your browser did not keep this site’s cookie');
      await driver.evaluate(
        `for (let attempt = 0; attempt < 30; attempt += 1)
          await (await fetch('/auth/login', { method: 'POST' })).text();`,
      );
      await enter(ADA);
      await says('#message', 'Too many attempts. Please try again in 60 minutes.');
      await production.stop();
      await enter(ADA);
      await says('#message', 'The site cannot be reached.');
    });

    it('an invitee reads both layouts, joins and logs out', async () => {
      await driver.forget();
      await open('/');
      await enter(ADA);
      await says('#message', 'Welcome, Ada.');
      await at('/timeline');
      for (const layout of LAYOUTS) {
        await open(`/timeline?view=${layout}`);
        await says('#name', 'Ada');
        await checkPage(driver, server.origin);
        const line = `return getComputedStyle(${find('#logout')}).textDecorationLine`;
        assert.equal(await driver.evaluate(line), 'underline');
        await driver.click('#join');
        await says('#message', 'Recorded. Thank you');
        await driver.click('#join');
        await says('#message', 'Recorded again: 2 times');
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
        const playable = await driver.evaluate<string>(
          `return ${find('video')}.canPlayType('video/mp4; codecs="avc1.64001f"')`,
        );
        if (!playable) return test.skip(`${driver.name} has no H.264 here`);
        const inSight = "scrollIntoView({ behavior: 'instant', block: 'center' })";
        await driver.evaluate(`${find('video')}.${inSight}`);
        await until(driver, `${find('video')}.currentTime > 0.1`);
        const [time, part] = await driver.evaluate<[number, number]>(
          `const video = ${find('video')};
          video.pause();
          const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve));
          video.currentTime = video.duration / 2;
          await seeked;
          const { status } = await fetch(video.src, { headers: { Range: 'bytes=9-' } });
          return [video.currentTime / video.duration, status];`,
        );
        assert.ok(Math.abs(time - 0.5) < 0.1, String(time));
        assert.equal(part, 206);
      });

    it('an administrator invites, filters, exports and looks at a person', async () => {
      await openAs(ADMINISTRATOR, '/svcops');
      await until(driver, "document.querySelector('#updated time')");
      await checkPage(driver, server.origin);
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
      await checkPage(driver, server.origin);
      await driver.press('Escape');
      await until(driver, `!${find('#person')}.open`);
    });

    it('no page had a fault', async () => {
      const faults = await driver.faults();
      assert.deepEqual(
        faults.filter((fault) => !WITHOUT_HTTPS.test(fault)),
        [],
      );
    });
  });
}

const find = (selector: string): string => `document.querySelector('${selector}')`;
