/** The story's administrator, through a working day: invite many, see any period, follow up. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ADA } from '../browser/site.ts';
import { ADMINISTRATOR } from '../browser/svcops-page.ts';
import type { Installation, Server } from '../support/installation.ts';
import { type Driver, find, until } from './driver.ts';
import { checkPage } from './page.ts';

type Given = {
  readonly driver: Driver;
  readonly installation: Installation;
  readonly server: Server;
  openAs(email: string, path: string): Promise<void>;
};

const LIST = [
  'Last;First;E-Mail',
  'Lovelace;Ada;ada@example.com',
  'Noether;Emmy;emmy@example.com',
  'Noether;Emmy;EMMY@example.com',
  'Bad;Bo;bo at example.com',
];

const LONG_LIST = Array.from({ length: 60 }, (_, i) => `many${i}@example.com`);

const HOUR = 3_600_000;

/** Shows the page on the screen as it is printed. */
const AS_PRINTED = `
  for (const { media } of document.styleSheets)
    if (media.mediaText === 'print') media.mediaText = 'all';
  return document.body.innerText;`;

/** Declares the tests. @param given what the tests of the story share, once it is there */
export function tellWorkingDay(given: () => Given): void {
  const says = (place: string, text: string) =>
    until(given().driver, `${find(place)}.textContent.includes(${JSON.stringify(text)})`);

  const open = async (search = '') => {
    const { driver, openAs } = given();
    await openAs(ADMINISTRATOR, `/svcops${search}`);
    await until(driver, find('#updated time'));
    await until(driver, `!${find('.u-wrap')}?.hidden`);
  };

  /** Puts a list into the form, as a paste does. */
  const put = async (lines: readonly string[]) => {
    await given().driver.evaluate(
      `const field = ${find('#many-list')};
      field.value = ${JSON.stringify(lines.join('\n'))};
      field.dispatchEvent(new Event('input'));`,
    );
  };

  it('invites many: a preview, the new ones, what is left to mend, and a way to stop', async () => {
    const { driver, installation, server } = given();
    await open();
    await driver.click('#many summary');
    await put(LIST);
    await says('#many-message', '1 new, 1 already invited, 1 twice in the list, 1 not an address.');
    await checkPage(driver);
    await driver.click('#many-start');
    await until(driver, `!${find('#many-untold')}.hidden`);
    const left = await driver.evaluate(`return ${find('#many-list')}.value`);
    assert.equal(left, `${LIST[0]}\n${LIST[4]}`);
    await says('#people tbody', 'emmy@example.com');

    await put(LONG_LIST);
    await says('#many-message', '60 new');
    // No reply comes before the button is pressed.
    server.process.kill('SIGSTOP');
    try {
      await driver.click('#many-start');
      await until(driver, `!${find('#many-progress')}.hidden`);
      await driver.click('#many-stop');
    } finally {
      server.process.kill('SIGCONT');
    }
    await says('#many-message', 'Stopped.');
    const rest = await driver.evaluate<string>(`return ${find('#many-list')}.value`);
    const invited = installation.withStore(({ invites }) =>
      LONG_LIST.filter((email) => invites.find(email)),
    );
    assert.equal(invited.length + rest.split('\n').length, 60);
  });

  it('sees a period, which the address keeps, and the events of a day in it', async () => {
    const { driver, installation } = given();
    const clickedAt = Date.now() - 10 * 24 * HOUR;
    // Midnight may come.
    const today = new Date().toISOString().slice(0, 10);
    installation.write(({ joins }) => joins.record({ email: ADA, session: 'old', clickedAt }));
    await open();
    await driver.select('#period', '7');
    await until(driver, "location.search === '?days=7'");
    await open('?days=7');
    assert.equal(await driver.evaluate(`return ${find('#period')}.value`), '7');
    await says('#period-hint', 'the 7 days before');
    await driver.evaluate(`${find('#chart')}.focus()`);
    await driver.press('End');
    await driver.press('Enter');
    await until(driver, `${find('#events-day')}.value >= '${today}'`);
    // Where nothing hovers, the first press shows a day, and the second one chooses it.
    await driver.click('#chart');
    await driver.click('#chart');
    await until(driver, `${find('#events-day')}.value < '${today}'`);
    await open('?from=2026-02-31&to=2026-03-01');
    await says('#period-problem', 'two dates that exist');
    await open('?from=2025-01-01&to=2025-03-31');
    await checkPage(driver);
  });

  it('follows up: ready choices, whose addresses are copied', async () => {
    const { driver } = given();
    await open();
    await driver.select('#people-status', 'joined');
    await says('#people .shown', '1 shown');
    await driver.click('#people-copy');
    await says('#people-copied', '1 address copied.');
    await driver.click('#many summary');
    await driver.click('#many-list');
    await driver.paste();
    await until(driver, `${find('#many-list')}.value === '${ADA}'`);
    await says('#many-message', '1 already invited');
    // The page said the same of the first copy.
    await driver.evaluate(`${find('#people-copied')}.textContent = ''`);
    await driver.click('#people-copy-names');
    await says('#people-copied', '1 address copied.');
    await driver.evaluate(`${find('#many-list')}.value = ''`);
    await driver.click('#many-list');
    await driver.paste();
    await until(driver, `${find('#many-list')}.value === 'Ada <${ADA}>'`);
  });

  it('has each change in the log', async () => {
    await open();
    await says('#changes tbody', 'emmy@example.com');
    await says('#changes tbody', 'this page');
  });

  it('reads cards on a phone, where nothing scrolls sideways', async () => {
    const { driver } = given();
    await driver.resize(390, 844);
    await open();
    await driver.evaluate(`${find('#overview details')}.open = true`);
    const sideways = await driver.evaluate(
      `return [...document.querySelectorAll('main .scroll')]
        .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)`,
    );
    assert.deepEqual(sideways, []);
    const label = `return getComputedStyle(${find('#people td:nth-child(4)')}, '::before').content`;
    const content = await driver.evaluate<string>(label);
    assert.match(content, /Logins|data-label/);
    await driver.resize(1440, 900);
  });

  it('prints one page with the numbers and no address', async (test) => {
    const { driver } = given();
    await open();
    const pdf = await driver.print?.();
    const text = await driver.evaluate<string>(AS_PRINTED);
    assert.match(text, /How far people have come/);
    assert.match(text, /administrator/);
    assert.doesNotMatch(text, /@|Refresh|Invite list/);
    if (!pdf) return test.diagnostic(`${driver.name} makes no PDF by command`);
    assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1);
  });
}
