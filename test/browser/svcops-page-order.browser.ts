/** The administrator page as a whole: first steps, its order, its header, and periods in place. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { addInvite, recordJoin } from '../support/rows.ts';
import { boxOf, hasFocus, overflow, requestsOf, styleOf, textOf, textsOf } from './page.ts';
import { ADMINISTRATOR, hasRow, NOW, openSvcops, shows } from './svcops-page.ts';

const DAY = 86_400_000;

const { installation, open } = await openSvcops('short');
const empty = await openSvcops('none');
const PHONE = { viewport: { width: 390, height: 844 } };

/** Two people who joined, one of them before the last 30 days too, and one who joined only then. */
installation.write((writer) => {
  addInvite(writer, 'early@example.com', { invitedAt: NOW - 1 });
  recordJoin(writer, 'early@example.com', NOW - 60 * DAY);
  recordJoin(writer, 'ada@example.com', NOW - 60 * DAY);
  recordJoin(writer, 'gone@example.com', NOW - 2 * DAY);
  addInvite(writer, 'by.root@example.com', { invitedBy: ADMINISTRATOR, invitedAt: NOW });
});

/** The ids of the sections from top to bottom, as far as they are shown. */
const orderOf = (page: Page) =>
  page.evaluate<readonly string[]>(`[...document.querySelectorAll('main section[id]')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.table'))
    .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top
      || a.getBoundingClientRect().left - b.getBoundingClientRect().left)
    .map(({ id }) => id)`);

/** The link of the header that is marked. */
const marked = (page: Page, name: string) =>
  page.locator('nav a[aria-current=true]', { hasText: name }).waitFor();

const scrollTopOf = (page: Page) => page.evaluate<number>('scrollY');

it('without guests, the page begins with the first invite', async () => {
  const page = await empty.open(PHONE);
  await page.getByRole('heading', { name: 'Invite your first guest' }).waitFor();
  assert.deepEqual(await orderOf(page), ['invite', 'people', 'logs', 'events', 'changes']);
  assert.equal((await boxOf(page.locator('#invite'))).y < 120, true);
  assert.deepEqual(await textsOf(page, 'nav a:visible'), ['Invite', 'List', 'Logs']);
  assert.doesNotMatch(await page.locator('main').innerText(), /\b0\b/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findViolations(page), [], colorScheme);
  }

  // The logs wait until they are asked for, in wide windows too.
  await page.setViewportSize({ width: 1280, height: 900 });
  const log = page.locator('#events');
  assert.equal(await log.locator('.table, .filters, .export').filter({ visible: true }).count(), 0);
  await log.getByRole('button', { name: 'Show' }).click();
  await log.locator('tbody tr').first().waitFor();
  await page.setViewportSize(PHONE.viewport);

  // The form stays where it is when the numbers come above it.
  const field = page.locator('#invite-email');
  await field.fill('ada@example.com');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Invite a guest' }).waitFor();
  await page.locator('#overview').waitFor();
  assert.ok(await hasFocus(field));
  const { y } = await boxOf(field);
  assert.ok(y > 0 && y < 844, `the form is at ${y} px`);
});

it('numbers, invite, list, activity and logs follow in this order', async () => {
  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
    { width: 320, height: 640 },
  ]) {
    const page = await open({ viewport });
    const order = await orderOf(page);
    const main = ['overview', 'invite', 'people', 'activity', 'joins', 'logs'];
    assert.deepEqual(
      order.filter((id) => main.includes(id)),
      main,
    );
    const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    assert.deepEqual(await sections.allInnerTexts(), [
      'Overview',
      'Invite',
      'List',
      'Activity',
      'Joins',
      'Logs',
    ]);
    for (const link of await sections.all()) {
      const { x, y, width } = await boxOf(link);
      assert.ok(x >= 0 && x + width <= viewport.width && y < 100, `${viewport.width} px`);
    }
    assert.equal(await overflow(page), 0);
  }
});

it('the header marks the section in view', async () => {
  const page = await open({ ...PHONE, reducedMotion: 'reduce' });
  await marked(page, 'Overview');
  for (const name of ['List', 'Activity', 'Joins', 'Logs', 'Invite', 'Overview']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await marked(page, name);
    assert.equal(await page.locator('nav a[aria-current]').count(), 1);
  }
});

it('the header names the administrator, and logs out without a view', async () => {
  const page = await open();
  assert.match(await textOf(page.locator('#you')), /^Root\s+·\s+Log out$/);
  // The entry page sends a HEAD request to learn who is logged in.
  const requests = requestsOf(page, 'GET');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.locator('#email').waitFor();
  assert.deepEqual(
    requests.filter((url) => url.includes('timeline')),
    [],
  );
  const reply = await page.request.get('/svcops');
  assert.equal(reply.status(), 404);
  const views = installation.read(({ events }) =>
    events.list({ limit: 100, email: ADMINISTRATOR, type: 'timeline_view' }),
  );
  assert.deepEqual(views.rows, []);
});

it('the header has the address of an administrator without a name', async () => {
  const email = 'no.name@xn--bcher-kva.example';
  installation.write((writer) => {
    addInvite(writer, email, { invitedAt: 1 });
    writer.invites.setAdmin(email, true);
  });
  const page = await open();
  await page.context().clearCookies();
  await page.request.post('/auth/login', { data: { email } });
  await page.reload();
  assert.match(await textOf(page.locator('#you .name')), /^no\.name@bücher\.example$/);
  const by = page.locator('#people tr', { hasText: 'by.root@' }).locator('.by');
  assert.equal(await textOf(by), 'Root');
});

it('another period keeps the place, and Back restores the former one', async () => {
  const page = await open({ viewport: { width: 1280, height: 700 }, address: '?days=30#did=join' });
  await shows(page, 'people', 'Showing all 2');
  await page.locator('#joins tbody tr').nth(1).waitFor();
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  const summary = () => page.locator('#joins tbody tr').count();
  assert.equal(await summary(), 2);

  const choose = page.locator('#period').getByRole('link', { name: '90 days' });
  await choose.evaluate((link) => link.scrollIntoView({ behavior: 'instant', block: 'center' }));
  const place = await scrollTopOf(page);
  await choose.evaluate((link) => (link as HTMLElement).click());
  await page.getByRole('heading', { name: 'In the last 90 days' }).waitFor();
  await shows(page, 'people', 'Showing all 3');
  await page.locator('#joins tbody tr').nth(2).waitFor();
  assert.equal(await scrollTopOf(page), place);
  assert.match(page.url(), /\/svcops#did=join$/);

  await page.goBack();
  await page.getByRole('heading', { name: 'In the last 30 days' }).waitFor();
  await shows(page, 'people', 'Showing all 2');
  assert.match(page.url(), /\?days=30#did=join$/);
  assert.equal(loads, 0, 'the page was not loaded again');
});

it('a press on a day of the table sets the period and keeps the focus', async () => {
  const page = await open();
  await page.getByText('Show as table').click();
  await page.locator('#days tbody a').nth(20).press('Enter');
  await page.waitForURL(/\?from=(.*)&to=\1$/);
  await page.locator('#days tbody tr').nth(1).waitFor({ state: 'detached' });
  await page.waitForFunction(() =>
    document.querySelector('#activity')?.contains(document.activeElement),
  );
});

it('the tile of joins counts the rows of who joined', async () => {
  const page = await open();
  for (const [period, people, clicks] of [
    ['7 days', 2, 3],
    ['90 days', 3, 5],
    ['All time', 3, 5],
  ] as const) {
    await page.locator('#period').getByRole('link', { name: period }).click();
    await shows(page, 'joins', `Showing all ${people}`);
    await shows(page, 'clicks', `Showing all ${clicks}`);
    const tile = page.locator('#totals > div', { hasText: 'Joined' }).locator('.count');
    assert.equal(await textOf(tile), String(people), period);
    const presses = await textsOf(page, '#joins td.number');
    const sum = presses.reduce((total, each) => total + Number(each), 0);
    assert.equal(sum, clicks, period);
    // extra: export
    const href = await page.locator('#joins .export').getAttribute('href');
    assert.equal(new URLSearchParams(href?.split('?')[1]).has('from'), period !== 'All time');
    // end: export
  }
});

it('a link to a lower section arrives after the lists have filled', async () => {
  for (const id of ['events', 'joins', 'technology', 'changes']) {
    const page = await open({ ...PHONE, address: `#${id}` });
    await page.waitForFunction(
      (id) => {
        const { top } = document.getElementById(id)?.getBoundingClientRect() ?? { top: -1 };
        const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
        return (top >= 0 && top < 100) || (isAtEnd && top >= 0 && top < innerHeight);
      },
      id,
      { polling: 'raf' },
    );
  }
});

it('lists name the inviter, and each status has a mark of its own', async () => {
  const page = await open();
  await hasRow(page, 'people', 'by.root@');
  const by = (address: string) =>
    textOf(page.locator('#people tr', { hasText: address }).locator('.by'));
  assert.deepEqual([await by('by.root@'), await by('ada@')], ['You', 'Command line']);
  const marks = await page.evaluate<readonly string[]>(
    `['pending', 'logged_in', 'viewed', 'joined'].map((status) => {
      const each = document.querySelector('#people .status.' + status);
      const { backgroundImage, backgroundColor } = getComputedStyle(each, '::before');
      return backgroundImage + backgroundColor;
    })`,
  );
  assert.equal(new Set(marks).size, 4, marks.join('\n'));
});

it('on a phone the chart shows weeks, and its totals are its name', async () => {
  const page = await open(PHONE);
  const chart = page.getByRole('img', { name: /^Activity by week, .* joins$/ });
  await page.getByRole('heading', { name: 'Activity by week' }).waitFor();
  assert.match((await chart.getAttribute('aria-label')) ?? '', /: 4 views, \d+ logins, 5 joins$/);
  await chart.click({ position: { x: 180, y: 80 } });
  await page.locator('#day', { hasText: /^\d+\s*(\w+ )?– ?\d+ \w+ 2026 / }).waitFor();
  await page.locator('#period').getByRole('link', { name: '30 days' }).click();
  await page.getByRole('heading', { name: 'Activity by day' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('#period').getByRole('link', { name: '90 days' }).click();
  await page.getByRole('heading', { name: 'Activity by day' }).waitFor();
});

it('an address breaks between its words, never inside one', async () => {
  installation.write((writer) => {
    for (const [i, domain] of ['example.com', 'international-press.example.com'].entries())
      addInvite(writer, `maximilian.alexandersson${i}@${domain}`, { firstName: 'Maximilian' });
  });
  const page = await open();
  await hasRow(page, 'people', 'maximilian.alexandersson1');
  const lines = `[...document.querySelectorAll('.list td a.person')].flatMap((link) => {
    const range = document.createRange();
    const starts = [];
    let before = { top: undefined, letter: '' };
    const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data } = walker.currentNode;
      for (let i = 0; i < data.length; i++) {
        range.setStart(walker.currentNode, i);
        range.setEnd(walker.currentNode, i + 1);
        const top = range.getClientRects()[0]?.top;
        if (before.top !== undefined && top - before.top > 5) starts.push(before.letter);
        before = { top, letter: data[i] };
      }
    }
    return starts;
  }).filter((letter) => !'@._+-'.includes(letter))`;
  for (const width of [320, 390, 720, 820, 960, 1024, 1100, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await overflow(page), 0, `${width} px`);
    assert.deepEqual(await page.evaluate<readonly string[]>(lines), [], `${width} px`);
  }
});

it('a heading with an address breaks between its words too', async () => {
  const email = 'cleopatra.philopator@department.university.example';
  installation.write((writer) => addInvite(writer, email, { invitedAt: NOW }));
  const page = await open({ ...PHONE, address: `#person=${encodeURIComponent(email)}` });
  const parts = ['cleopatra.philopator@', 'department.', 'university.', 'example'];
  const textNodes = (id: string) =>
    page.evaluate<readonly string[]>(
      `[...document.querySelector('${id}').childNodes].map((each) => each.data).filter(Boolean)`,
    );
  await page.locator('#person-facts dd').first().waitFor();
  assert.deepEqual(await textNodes('#person-title'), parts);
  // extra: letters
  await page
    .locator('#person')
    .getByRole('button', { name: `Invitation to ${email}` })
    .click();
  assert.deepEqual(await textNodes('#letter-title'), ['Invitation to ', ...parts]);
  // end: letters
});

// extra: letters
it('a button in a row stands on the line of the words beside it', async () => {
  const page = await open();
  await hasRow(page, 'people', 'cleo@example.com');
  const row = page.locator('#people tbody tr', { hasText: 'cleo@example.com' });
  const lines = await row.evaluate((tr) =>
    [...tr.querySelectorAll('.status, .write')].map((each) => {
      const mark = document.createElement('i');
      mark.style.cssText = 'display: inline-block; width: 0; height: 0';
      each.prepend(mark);
      const { bottom } = mark.getBoundingClientRect();
      mark.remove();
      return Math.round(bottom);
    }),
  );
  assert.equal(lines.length, 2);
  assert.equal(lines[0], lines[1]);
});
// end: letters

it('the three tiles stand in one row, or in one card on a phone', async () => {
  const page = await open();
  for (const [width, rows] of [
    [1280, 1],
    [500, 1],
    [390, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const tops = await page
      .locator('.tiles > div')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, rows, `${width} px`);
    assert.equal(await overflow(page), 0);
  }
});

it('words of the event log do not break', async () => {
  const page = await open();
  await hasRow(page, 'events', 'Login');
  for (const width of [720, 820, 960, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    for (const type of await page.locator('#events td[data-label=Type] > span').all()) {
      const { height } = await boxOf(type);
      assert.ok(height < 30, `${height} px high at ${width} px`);
    }
    const details = page.locator('#events .details');
    await details.check();
    assert.equal(await overflow(page), 0, `${width} px`);
    await details.uncheck();
  }
});

it('without rows there is no download, and a 0 is not a link', async () => {
  const page = await open({ address: '?from=2020-01-01&to=2020-01-02' });
  await page.getByText('No one joined in this period.').waitFor();
  // extra: export
  assert.equal(await page.locator('#joins .export').isVisible(), false);
  assert.equal(await page.locator('#people .export').isVisible(), true);
  // end: export
  assert.deepEqual(await textsOf(page, '#totals .count'), ['0', '0', '0']);
  assert.equal(await page.locator('#totals a').count(), 0);
  assert.match(await textOf(page.locator('#overview-title')), /^1\s?–\s?2 Jan 2020$/);
});

it('the page is ten requests, and at most 110 KB compressed', async () => {
  const page = await open();
  // Playwright turns off the cache of pages that have a route.
  await page.route('**', (route) => route.continue());
  const requests = requestsOf(page);
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.reload();
  await page.locator('#updated time').waitFor();
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  assert.ok(requests.length >= 5 && requests.length <= 10, requests.join('\n'));
  assert.ok(bytes <= 110_000, `${bytes} bytes`);
});

it('prints without underlines and without empty rows', async () => {
  const page = await open();
  await page.emulateMedia({ media: 'print' });
  assert.equal(await styleOf(page, '#totals a', 'text-decoration-line'), 'none');
  assert.equal(await page.locator('.period').isVisible(), false);
  const gaps = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('body > header *, main > *, #overview > *')]
      .filter((each) => each.checkVisibility() && each.innerText.trim() === '')
      .map((each) => each.outerHTML)`,
  );
  assert.deepEqual(gaps, []);
  await page.setViewportSize({ width: 760, height: 1000 });
  assert.ok((await boxOf(page.locator('body > header'))).height < 60);
});
