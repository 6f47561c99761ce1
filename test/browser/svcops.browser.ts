/// <reference lib="dom" />
/** The administrators' page in Chromium, on the real server and a store of its own. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { recordLogin, recordView } from '../../lib/store/events.ts';
import { recordJoinClick } from '../../lib/store/joins.ts';
import { endSessions } from '../../lib/store/sessions.ts';
import { type Database, readValue } from '../../lib/store/sqlite.ts';
import { createRandom } from '../random.ts';
import {
  enter,
  enterAsAdmin,
  invite,
  ORIGIN,
  openTestStore,
  startApp,
  visitorOf,
} from '../service.ts';
import { findViolations, open } from './browser.ts';

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
      const deviceType = ['desktop', 'mobile', 'tablet', 'unknown'][random(4)] ?? '';
      const device = { deviceType, os: 'iOS', browser: 'Safari' };
      const visitor = visitorOf(email);
      for (let logins = random(3); logins > 0; logins -= 1) {
        const at = now - random(50 * DAY);
        recordLogin(db, visitor, device, at);
        for (let views = random(3); views > 0; views -= 1)
          recordView(db, visitor, device, { view: 'mobile', forced: true }, at);
        if (random(3) === 0) recordJoinClick(db, visitor, at);
      }
    }
  });
  fill();
}

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allTextContents();

const isApi = (path: string): boolean => path.startsWith('/api/');

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 400; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
      return (label ?? element)?.textContent?.trim() ?? '';
    });
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  assert.fail(`no Tab leads to ${name}`);
}

async function download(page: Page, press: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return fs.readFileSync(await file.path(), 'utf8');
}

test('every number is the one of plain SQL', async () => {
  const db = openTestStore();
  fillStore(db, 300);
  const { page } = await openPage(db);
  const count = (sql: string): string => Number(readValue(db, sql)).toLocaleString('en-GB');
  const isGuest = 'email not in (select email from invites where is_admin)';
  const furthest = (step: string) =>
    count(`select count(*) from (
      select email, case when email in (select email from project_joins) then 3
        when email in (select email from events where event_type = 'timeline_view') then 2
        when email in (select email from events) then 1 else 0 end as step
      from invites where not is_admin) where step ${step}`);
  const steps = ['>= 0', '>= 1', '>= 2', '>= 3'];
  assert.deepEqual(await texts(page, '#funnel b'), steps.map(furthest));
  assert.deepEqual(await texts(page, '#funnel .gap span'), ['= 0', '= 1', '= 2'].map(furthest));

  for (const days of ['7', '30', '90', 'all']) {
    await page.locator(`#period a[href="?days=${days}"][aria-current]`).click();
    const name = days === 'all' ? 'Since ' : `Last ${days} days`;
    await page.locator('#period-name', { hasText: name }).waitFor();
    const first = days === 'all' ? 0 : (Math.floor(Date.now() / DAY) - Number(days) + 1) * DAY;
    const events = (type: string) =>
      `events where event_type = '${type}' and occurred_at >= ${first} and ${isGuest}`;
    const joins = `project_joins where clicked_at >= ${first} and ${isGuest}`;
    assert.equal(
      await page.locator('#people').textContent(),
      `${count(`select count(distinct email) from ${events('login')}`)} people logged in, ` +
        `${count(`select count(distinct email) from ${events('timeline_view')}`)} viewed, ` +
        `${count(`select count(distinct email) from ${joins}`)} joined.`,
    );
    assert.deepEqual(await texts(page, '#series b'), [
      count(`select count(*) from ${events('timeline_view')}`),
      count(`select count(*) from ${events('login')}`),
      count(`select count(*) from ${joins}`),
    ]);
  }

  const joined = count('select count(distinct email) from project_joins');
  assert.equal(await page.locator('#joins .shown').textContent(), `Showing 20 of ${joined}`);
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
  const pending = `select group_concat(email, ', ') from (select email from invites
    where not is_admin and email not in (select email from events)
      and email not in (select email from project_joins)
    order by invited_at desc, email)`;
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, readValue(db, pending));
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
  const most = readValue(
    db,
    `select max(n) from (select count(*) as n from events
    join invites using (email) where event_type = 'timeline_view' group by email)`,
  );
  assert.equal(await guests.locator('tbody td:nth-child(5)').first().textContent(), String(most));
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await state.getByText('Showing 151 of 151').waitFor();
  assert.deepEqual(requests.filter(isApi), []);
});

test('the period and the person are in the address, and logs come in parts', async () => {
  const db = openTestStore();
  fillStore(db, 700);
  const busy = readValue(db, 'select email from events group by email order by count(*) desc');
  const { page } = await openPage(db, `/svcops?days=7&person=${busy}`);
  const events = page.locator('#events');
  const count = String(readValue(db, `select count(*) from events where email = '${busy}'`));
  await events.getByText(`of ${count}`, { exact: false }).waitFor();

  await page.getByRole('link', { name: 'Everyone' }).click();
  await page.getByText('Last 7 days').waitFor();
  await events.getByText('Showing 20 of the latest 500').waitFor();
  for (let shown = 20; shown < 500; shown += 100)
    await events.getByRole('button', { name: 'Show more' }).click();
  await events.getByRole('button', { name: 'Load older' }).click();
  await page.locator('#events tr:nth-child(501):focus').waitFor();
  await events.getByLabel('Type of event').selectOption('Logins');
  await events.locator('td', { hasText: 'View' }).first().waitFor({ state: 'detached' });

  await page.locator('#joins .person').first().click();
  await page.locator('#person-title:focus').waitFor();
  const person = new URL(page.url()).searchParams.get('person');
  assert.deepEqual([...new Set(await texts(page, '#clicks .person'))], [person]);
  await page.goBack();
  await page.locator('#joins .person').first().waitFor();
  await page.getByRole('link', { name: '30 days' }).click();
  await page.getByText('Last 30 days').waitFor();
  await page.goBack();
  await page.getByText('Last 7 days').waitFor();
});

test('a session that ended says so, and nothing typed is lost', async () => {
  const db = openTestStore();
  const { page } = await openPage(db);
  await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
  const [session = ''] = (await page.context().cookies()).map(({ value }) => value);
  endSessions(db, ADMIN);
  await page.keyboard.press('Enter');
  const trouble = page.getByRole('alert');
  await trouble.getByText('You’ve been logged out').waitFor();
  assert.equal(await trouble.getByRole('link').getAttribute('href'), '/');
  assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), 'ada@example.com');

  const [, value = session] = enter(db, ADMIN).split('=');
  await page.context().addCookies([{ name: 'svc_session', value, url: page.url() }]);
  await trouble.getByRole('button', { name: 'Try again' }).click();
  await trouble.waitFor({ state: 'hidden' });
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await trouble.getByText('can’t be reached').waitFor();
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('Invited ada@example.com.').waitFor();
});

async function expectNoSidewaysScrolling(page: Page, state: string): Promise<void> {
  const tooWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('table')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ parentElement, scrollWidth }) => `${parentElement?.id} ${scrollWidth}`),
  );
  assert.deepEqual(tooWide, [], state);
}

/** In px, and the size of the text in percent. */
const WINDOWS = [
  // A phone of 360 px at a zoom of 150 %.
  { width: 240, text: 100 },
  { width: 360, text: 200 },
  { width: 768, text: 100 },
  { width: 1440, text: 200 },
  { width: 1440, text: 100 },
  { width: 360, text: 100 },
];

async function reviewList(page: Page): Promise<void> {
  await page.getByText('Invite many at once').click();
  const list = `Nom;Mail\n${'Ada '.repeat(20)};${'y'.repeat(50)}@example.com\nK;k@k`;
  await page.getByLabel('Paste addresses').fill(list);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('No first names yet').waitFor();
}

type State = {
  readonly name: string;
  readonly guests: number;
  readonly reach: (page: Page, db: Database) => Promise<void>;
};

const STATES: readonly State[] = [
  { name: 'an empty list', guests: 0, reach: async () => {} },
  {
    name: 'nobody logged in, one invited, and one refused',
    guests: 3,
    reach: async (page, db) => {
      db.exec('delete from events; delete from project_joins');
      await page.reload();
      await page.getByText('No guest has logged in yet').waitFor();
      await page.getByLabel('Email', { exact: true }).fill(`${'z'.repeat(48)}@example.com`);
      await page.keyboard.press('Enter');
      await page.getByText('Invited z').waitFor();
      await page.keyboard.type('ada');
      await page.keyboard.press('Enter');
      await page.getByText('Enter a full email address').waitFor();
    },
  },
  { name: 'a review with problems', guests: 300, reach: reviewList },
  {
    name: 'one person',
    guests: 3,
    reach: async (page) => {
      await page.locator('#guests .person').first().click();
      await page.locator('#person-title:focus').waitFor();
    },
  },
  {
    name: 'a session that ended',
    guests: 3,
    reach: async (page, db) => {
      endSessions(db, ADMIN);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
];

for (const { name, guests, reach } of STATES)
  test(`no sideways scrolling and no violation of axe: ${guests} guests, ${name}`, async () => {
    const db = openTestStore();
    fillStore(db, guests);
    if (guests > 0) invite(db, `${'x'.repeat(48)}@example.com`, 'W'.repeat(100));
    if (guests > 0) invite(db, 'rtl@example.com', 'مُحَمَّد بن سلمان');
    const { page } = await openPage(db);
    for (const field of await page.locator('input, select, textarea').all())
      assert.equal(await field.evaluate((each) => getComputedStyle(each).fontSize), '16px');
    await reach(page, db);

    for (const { width, text } of WINDOWS) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = `${size}%`;
      }, text);
      await expectNoSidewaysScrolling(page, `${width} px, text at ${text} %`);
      // Rows are alike, and axe is slow with many of them.
      if (text > 100 || ![360, 1440].includes(width) || (guests > 3 && width > 360)) continue;
      assert.deepEqual(await findViolations(page), [], `${width} px`);
    }
  });
