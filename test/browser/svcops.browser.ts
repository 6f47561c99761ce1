/// <reference lib="dom" />
/** The administrators' page in Chromium, on the real server and a store of its own. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Status } from '../../lib/records.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { recordEvent } from '../../lib/store/events.ts';
import { listGuests } from '../../lib/store/invites.ts';
import { recordJoinClick, summarizeJoins } from '../../lib/store/joins.ts';
import { endSessions } from '../../lib/store/sessions.ts';
import { type Database, readValue } from '../../lib/store/sqlite.ts';
import { readStatistics } from '../../lib/store/statistics.ts';
import { createRandom } from '../random.ts';
import {
  enter,
  enterAsAdmin,
  invite,
  LOGIN,
  ORIGIN,
  openTestStore,
  startApp,
  VIEW,
  visitorOf,
} from '../service.ts';
import { expectNoSidewaysScrolling, findViolations, open } from './browser.ts';

const ADMIN = 'grace@example.com';
const DAY = 24 * 3_600_000;

type Opened = { readonly page: Page; readonly requests: string[] };

/** Opens the page as an administrator. `requests` has the paths of all that it asks for. */
async function openPage(db: Database, path = '/svcops'): Promise<Opened> {
  const app = await startApp(db, loadSite(SAMPLE_SITE, ORIGIN));
  const cookie = enterAsAdmin(db, ADMIN);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await open(app, { locale: 'en-GB', permissions }, cookie);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  page.on('pageerror', (error) => assert.fail(error));
  await page.goto(path);
  await page.locator('main').waitFor();
  return { page, requests };
}

/** Guests of whom each did something at random, one of whom is no longer on the list. */
function fillStore(db: Database, guests: number): void {
  const next = createRandom();
  const random = (limit: number) => Math.floor(next() * limit);
  const now = Date.now();
  const fill = db.transaction(() => {
    for (let i = 0; i < guests; i += 1) {
      const email = `guest${i}@example.com`;
      if (i > 0) invite(db, email, i % 3 ? `Zoë ${i}` : null, now - random(60 * DAY));
      const device = { deviceType: i % 2 ? 'mobile' : 'unknown', os: 'iOS', browser: 'Safari' };
      for (let logins = random(3); logins > 0; logins -= 1) {
        const occurredAt = now - random(50 * DAY);
        recordEvent(db, { ...LOGIN, ...device, email, occurredAt });
        for (let views = random(3); views > 0; views -= 1)
          recordEvent(db, { ...VIEW, ...device, email, occurredAt });
        if (random(3) === 0) recordJoinClick(db, visitorOf(email), occurredAt);
      }
    }
  });
  fill();
}

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allTextContents();

const isApi = (path: string): boolean => path.startsWith('/api/');

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
      return (label ?? element)?.textContent?.trim() ?? '';
    });
    if (focused === name) return;
  }
  assert.fail(`no Tab leads to ${name}`);
}

async function download(page: Page, press: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return fs.readFileSync(await file.path(), 'utf8');
}

test('the funnel and the periods have the numbers of the store', async () => {
  const db = openTestStore();
  fillStore(db, 300);
  const { page } = await openPage(db);
  const guests = listGuests(db).filter(({ isAdmin }) => !isAdmin);
  const count = (...steps: readonly Status[]) =>
    String(guests.filter(({ status }) => steps.includes(status)).length);
  assert.deepEqual(await texts(page, '#funnel b'), [
    String(guests.length),
    count('logged_in', 'viewed', 'joined'),
    count('viewed', 'joined'),
    count('joined'),
  ]);
  const gaps = [count('pending'), count('logged_in'), count('viewed')];
  assert.deepEqual(await texts(page, '#funnel .gap span'), gaps);

  for (const days of [7, 'all'] as const) {
    await page.getByLabel('Period').selectOption(String(days));
    const { people, totals } = readStatistics(db, days, Date.now());
    const { loggedIn, viewed, joined } = people;
    await page
      .getByText(`${loggedIn} people logged in, ${viewed} viewed, ${joined} joined.`)
      .waitFor();
    const { timelineViews, logins, joinClicks } = totals;
    const numbers = [timelineViews, logins, joinClicks];
    assert.deepEqual((await texts(page, '#series b')).map(Number), numbers);
  }
  const shown = `Showing 20 of ${summarizeJoins(db).length}`;
  assert.equal(await page.locator('#joins .shown').textContent(), shown);
});

test('a number of the funnel filters the list, whose addresses are copied', async () => {
  const db = openTestStore();
  fillStore(db, 30);
  const { page } = await openPage(db);
  const gap = page.locator('#funnel .gap').first();
  const count = await gap.locator('span').textContent();
  await gap.click();
  assert.equal(await page.getByLabel('Show', { exact: true }).inputValue(), 'Not logged in');
  await page.getByText(`Not logged in (${count})`).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: `Copy ${count} address` }).click();
  await page.getByText('Copied').waitFor();
  const pending = listGuests(db).filter(({ isAdmin, status }) => !isAdmin && status === 'pending');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, pending.map(({ email }) => email).join(', '));
  await page.getByLabel('Search').fill('nobody');
  assert.ok(await page.getByRole('button', { name: 'Copy 0' }).isDisabled());
  assert.ok(await page.getByRole('button', { name: 'Download CSV' }).isDisabled());
});

test('a guest has a page where the first name can be corrected, and a way back', async () => {
  const db = openTestStore();
  fillStore(db, 200);
  const { page, requests } = await openPage(db);
  const guests = page.locator('#guests');
  await guests.getByRole('button', { name: 'Show more' }).click();
  const row = guests.locator('.person').nth(99);
  const email = (await row.textContent()) ?? '';
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.keyboard.press('Enter');
  await page.getByText(`Already invited: ${email}`).waitFor();
  requests.length = 0;
  await row.click();
  await page.locator('#person-title:focus').waitFor();
  const events = readValue(db, `select count(*) from events where email = '${email}'`);
  assert.equal(await page.locator('#events tbody tr').count(), events);
  assert.equal(await page.locator('.person:visible').count(), 0, 'columns repeat the address');

  const field = page.locator('#name-form').getByLabel('First name');
  await field.fill('Zo\u0007');
  await field.press('Enter');
  await page.getByText('100 ordinary characters').waitFor();
  await field.fill(' Zoé ');
  await field.press('Enter');
  await page.getByText('Saved.').waitFor();
  assert.equal(await page.locator('#person-title').textContent(), 'Zoé');
  assert.equal(readValue(db, `select first_name from invites where email = '${email}'`), 'Zoé');
  assert.ok(!requests.includes('/api/svcops/stats'), 'the statistics are not read again');
  await page.getByRole('link', { name: 'Everyone' }).click();
  await page.locator('.person:focus', { hasText: email }).waitFor();
});

test('what the chart shows, and a day of it, are chosen by the arrow keys', async () => {
  const db = openTestStore();
  fillStore(db, 30);
  const { page } = await openPage(db);
  const views = await page.locator('#bars').getAttribute('d');
  await page.getByRole('radio', { name: 'Views' }).press('ArrowRight');
  assert.ok(await page.getByRole('radio', { name: 'Logins' }).isChecked());
  assert.notEqual(await page.locator('#bars').getAttribute('d'), views);
  await page.getByLabel('Day in the chart').press('ArrowLeft');
  const yesterday = new Date(Date.now() - DAY);
  const [, day] = yesterday.toUTCString().split(/[ ,]+/);
  assert.match((await page.locator('#when').textContent()) ?? '', new RegExp(`\\b${Number(day)} `));
});

test('the keyboard alone leads from the first invite to a CSV', async () => {
  const db = openTestStore();
  const { page, requests } = await openPage(db);
  await page.getByText('No guest has logged in yet').waitFor();
  assert.ok(await page.locator('#period').isHidden());
  requests.length = 0;

  await tabTo(page, 'Email');
  await page.keyboard.type('ada@example');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a full email address').waitFor();
  const described = await page.locator(':focus').getAttribute('aria-describedby');
  assert.match((await page.locator(`#${described}`).textContent()) ?? '', /full email address/);

  await page.keyboard.type('.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await page.getByText('Invited ada@example.com.').waitFor();
  assert.equal(await page.locator(':focus').getAttribute('id'), 'email');
  await tabTo(page, 'Copy link');
  await page.keyboard.press('Enter');
  await page.getByText('Copied').waitFor();
  const link = `${ORIGIN}/#ada@example.com`;
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  assert.equal(await page.locator('#funnel b').first().textContent(), '1');

  await tabTo(page, 'Download CSV');
  const csv = await download(page, () => page.keyboard.press('Enter'));
  const columns =
    'email,firstName,status,isAdmin,invitedBy,invitedAt,lastSeenAt,logins,timelineViews,joinClicks,link';
  assert.equal(csv.split('\r\n')[0], `\uFEFF${columns}`);
  assert.match(csv, new RegExp(`\r\nada@example.com,Ada,pending,.*,${link}\r\n`));
  assert.ok(!requests.includes('/api/svcops/stats'), 'the statistics are not read again');
  assert.equal(readValue(db, "select invited_by from invites where first_name = 'Ada'"), ADMIN);
});

test('a list is reviewed, and only the button invites it', async () => {
  const { page, requests } = await openPage(openTestStore());
  requests.length = 0;
  await page.getByText('Invite many at once').click();
  const file =
    'Name;Vorname;E-Mail\nZoë Ito;Zoë;zoe@example.com\nAda King;Ada;ada@example.com\n' +
    'Kai;Kai;kai@@example.com\nGrace;Grace;grace@example.com\nAda;Ada;ada@example.com\nTotal;;\n';
  const buffer = Buffer.from(file, 'latin1');
  await page
    .getByLabel('choose a file')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });

  const outcome = page.locator('#outcome');
  await outcome
    .getByText(
      '2 new · 1 already invited · 1 listed twice · 1 not an email address · line 7 has no address',
    )
    .waitFor();
  const options = await texts(page, '#name-column option');
  assert.deepEqual(options.slice(0, 2), ['none', 'Name: Zoë Ito · Ada King · Kai']);
  assert.equal(await page.getByLabel('First names are in').inputValue(), '1');
  assert.deepEqual(await texts(page, '#review td:nth-child(2)'), [
    'Not an email address',
    'Listed twice',
    'Already invited',
    'New',
    'New',
  ]);
  await page.getByText('Letters look wrong?').waitFor();
  await page.getByLabel('First names are in').selectOption('0');
  assert.ok(await page.getByLabel('First word only').isChecked());
  assert.deepEqual((await texts(page, '#review td:nth-child(3)')).slice(3), ['Zoë', 'Ada']);
  assert.deepEqual(requests.filter(isApi), []);

  await page.getByRole('button', { name: 'Invite 2 guests' }).click();
  await outcome.getByText('2 invited · 1 already invited').waitFor();
  const csv = await download(page, () =>
    page.getByRole('button', { name: 'Download their links' }).click(),
  );
  assert.equal(csv.split('\r\n').length, 4);
  assert.match(csv, /\r\nzoe@example.com,Zoë,pending,/);
  assert.equal(await page.getByLabel('Paste addresses').inputValue(), '');

  const workbook = { name: 'a.xlsx', mimeType: '', buffer: Buffer.from('PK\x03\x04\0') };
  await page.getByLabel('choose a file').setInputFiles(workbook);
  await outcome.getByText('This is not a text file.').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await outcome.getByText('Paste a list or choose a file first.').waitFor();
});

test('the whole list is searched, filtered and sorted without a request', async () => {
  const db = openTestStore();
  fillStore(db, 151);
  const { page, requests } = await openPage(db);
  const state = page.locator('#guests .shown');
  requests.length = 0;
  await state.getByText('Showing 20 of 151').waitFor();
  await page.locator('#guests').getByRole('button', { name: 'Show more' }).click();
  await state.getByText('Showing 120 of 151').waitFor();
  assert.ok(await page.locator('#guests tr:nth-child(21):focus').count());

  await page.getByRole('link', { name: 'Joins', exact: true }).click();
  await page.getByLabel('Search').fill('ZOE 1');
  await state.getByText('Showing 42 of 42').waitFor();
  await page.getByLabel('Search').fill('guest140@');
  await state.getByText('Showing 1 of 1').waitFor();
  await page.getByLabel('Search').fill('nobody');
  await state.getByText('No guests match.').waitFor();
  await page.getByLabel('Search').fill('');

  const guests = page.locator('#guests');
  const first = guests.locator('.person').first();
  await guests.getByRole('button', { name: 'Email' }).click();
  assert.equal(await first.textContent(), ADMIN);
  await guests.getByRole('button', { name: 'Email' }).click();
  assert.equal(await first.textContent(), 'guest150@example.com');
  assert.equal(await guests.locator('[aria-sort]').textContent(), 'Email');
  await guests.getByRole('button', { name: 'Views' }).click();
  const most = Math.max(...listGuests(db).map(({ timelineViews }) => timelineViews));
  assert.equal(await guests.locator('tbody td:nth-child(5)').first().textContent(), String(most));
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await state.getByText('Showing 151 of 151').waitFor();
  assert.deepEqual(requests.filter(isApi), []);
});

test('the person is in the address, and logs come in parts', async () => {
  const db = openTestStore();
  fillStore(db, 700);
  const busy = readValue(db, 'select email from events group by email order by count(*) desc');
  const { page } = await openPage(db, `/svcops?person=${busy}`);
  const events = page.locator('#events');
  const count = String(readValue(db, `select count(*) from events where email = '${busy}'`));
  await events.getByText(`of ${count}`, { exact: false }).waitFor();

  await page.getByRole('link', { name: 'Everyone' }).click();
  await events.getByText('Showing 20 of the latest 500').waitFor();
  for (let shown = 20; shown < 500; shown += 100)
    await events.getByRole('button', { name: 'Show more' }).click();
  await events.getByText('Showing 520 of the latest 1,000').waitFor();
  assert.ok(await page.locator('#events tr:nth-child(421):focus').count());
  await events.getByLabel('Type of event').selectOption('Logins');
  await events.locator('td', { hasText: 'View' }).first().waitFor({ state: 'detached' });

  await page.locator('#joins .person').first().click();
  await page.locator('#person-title:focus').waitFor();
  const person = new URL(page.url()).searchParams.get('person');
  assert.deepEqual([...new Set(await texts(page, '#clicks .person'))], [person]);
  await page.goBack();
  await page.locator('#joins .person').first().waitFor();
});

test('a session that ended says so, and nothing typed is lost', async () => {
  const db = openTestStore();
  const { page } = await openPage(db);
  await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
  endSessions(db, ADMIN);
  await page.keyboard.press('Enter');
  const trouble = page.getByRole('alert');
  await trouble.getByText('You’ve been logged out').waitFor();
  assert.equal(await trouble.getByRole('link').getAttribute('href'), '/');
  assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), 'ada@example.com');

  const [name = '', value = ''] = enter(db, ADMIN).split('=');
  await page.context().addCookies([{ name, value, url: page.url() }]);
  await trouble.getByRole('button', { name: 'Try again' }).click();
  await trouble.waitFor({ state: 'hidden' });
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await trouble.getByText('can’t be reached').waitFor();
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('Invited ada@example.com.').waitFor();
});

/** In px, and the size of the text in percent. */
const WINDOWS = [
  // A phone of 360 px at a zoom of 150 %.
  { width: 240, text: 100 },
  { width: 360, text: 200 },
  { width: 768, text: 100 },
  { width: 1440, text: 100 },
  { width: 360, text: 100 },
];

async function expectNoFaults(page: Page, state: string): Promise<void> {
  for (const { width, text } of WINDOWS) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = `${size}%`;
    }, text);
    const where = `${state}, ${width} px, text at ${text} %`;
    await expectNoSidewaysScrolling(page, where);
    if (text === 100 && [360, 1440].includes(width))
      assert.deepEqual(await findViolations(page), [], where);
  }
}

test('in each state nothing scrolls sideways, and axe finds nothing', async () => {
  const db = openTestStore();
  const { page } = await openPage(db);
  for (const field of await page.locator('input, select, textarea').all())
    assert.equal(await field.evaluate((each) => getComputedStyle(each).fontSize), '16px');
  await expectNoFaults(page, 'an empty list');

  const email = page.getByLabel('Email', { exact: true });
  await email.fill(`${'z'.repeat(48)}@example.com`);
  await email.press('Enter');
  await page.getByText('Invited z').waitFor();
  await expectNoFaults(page, 'the first guest was invited');

  fillStore(db, 30);
  invite(db, `${'x'.repeat(48)}@example.com`, 'W'.repeat(100));
  invite(db, 'rtl@example.com', 'مُحَمَّد بن سلمان');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Showing 20 of 33').waitFor();
  await email.fill('ada');
  await email.press('Enter');
  await page.getByText('Enter a full email address').waitFor();
  await page.getByText('Invite many at once').click();
  const list = `Nom;Mail\n${'Ada '.repeat(20)};${'y'.repeat(50)}@example.com\nK;k@k`;
  await page.getByLabel('Paste addresses').fill(list);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('No first names yet').waitFor();
  await expectNoFaults(page, 'a refused guest, and a list with a problem');

  await page.locator('#guests .person', { hasText: 'xxx' }).click();
  await page.locator('#person-title:focus').waitFor();
  await expectNoFaults(page, 'one person');
  endSessions(db, ADMIN);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  await expectNoFaults(page, 'the session ended');
});
