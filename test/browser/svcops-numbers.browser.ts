/** Each number of people on the administrator page leads to exactly these people. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { openStore } from '../../lib/store/open.ts';
import { fillDemoStore } from '../../scripts/demo-store.ts';
import { queryOne, read } from '../support/database.ts';
import { recordJoin, recordView } from '../support/rows.ts';
import { hasFocus } from './page.ts';
import { ADMINISTRATOR, NOW, openSvcops, shows } from './svcops-page.ts';

const { installation: site, sharedPage, visit } = await openSvcops('none');
const onPage = sharedPage();

// The demonstration, and what it lacks: removed guests, joins without a view, an administrator's.
const store = openStore(site.store);
await fillDemoStore(store, NOW);
store.close();
const emails = (sql: string) => read(site.store, (db) => db.prepare<[], string>(sql).pluck().all());
const removed = emails("select email from invites where email glob '*7@*'");
const pending = emails(
  'select email from invites where email not in (select email from events) limit 2',
);
site.write((writer) => {
  for (const email of pending) recordJoin(writer, email, NOW - 1);
  recordView(writer, ADMINISTRATOR, NOW - 2);
  recordJoin(writer, ADMINISTRATOR, NOW - 1);
  for (const email of removed) writer.invites.remove(email);
});

const DAY = 86_400_000;
/** Of the last 30 days in UTC. */
const FROM = Math.floor(NOW / DAY) * DAY - 29 * DAY;

const LOGINS = "select email, occurred_at as at from events where event_type = 'login'";
const VIEWS = "select email, occurred_at as at from events where event_type = 'timeline_view'";
const JOINS = 'select email, clicked_at as at from project_joins';

/** How many different people did this in the 30 days to a day. */
const people = (rows: string, from = FROM) =>
  queryOne(
    site.store,
    `select count(distinct email) from (${rows}) where at >= ${from} and at < ${from + 30 * DAY}`,
  );

/** How many invited people did this at any time, or more, and not that. */
const invited = (did: string, not = 'select null as email where false') =>
  queryOne(
    site.store,
    `select count(*) from invites where email in (select email from (${did}))
       and email not in (select email from (${not}))`,
  );

const VIEWED = `${VIEWS} union all ${JOINS}`;
const LOGGED_IN = `${LOGINS} union all ${VIEWED}`;
const INVITED = 'select email from invites';

describe('the numbers of people', () => {
  onPage('are those of the rows, and of the list behind each', async (page) => {
    await page.goto('/svcops?days=30');
    for (const [name, rows] of [
      ['invited, all time', invited(INVITED)],
      ['logged in, last 30 days', people(LOGINS)],
      ['viewed, last 30 days', people(VIEWS)],
      ['joined, last 30 days', people(JOINS)],
      ['have not logged in', invited(INVITED, LOGGED_IN)],
      ['logged in, all time', invited(LOGGED_IN)],
      ['logged in and did not view', invited(LOGGED_IN, VIEWED)],
      ['viewed, all time', invited(VIEWED)],
      ['viewed and did not join', invited(VIEWED, JOINS)],
      ['joined, all time', invited(JOINS)],
    ] as const) {
      const link = page.getByRole('link', { name: `${rows} ${name}`, exact: true }).first();
      await link.press('Enter');
      const all = Number(rows);
      assert.ok(all > 0, name);
      await shows(page, 'people', all > 100 ? `Showing 100 of ${all}` : `Showing all ${all}`);
      assert.equal(await page.locator('#people tbody tr').count(), Math.min(all, 100), name);
      assert.ok(await hasFocus(page.locator('#people')));
    }
    const first = `select email, min(at) as at from (${JOINS}) group by email`;
    const [firstTime, before] = [people(first), people(JOINS, FROM - 30 * DAY)];
    await page
      .getByText(`${firstTime} for the first time · ${before} in the period before`)
      .waitFor();
    await shows(page, 'joins', `Showing all ${firstTime}`);
    assert.notEqual(firstTime, people(JOINS));
  });

  onPage('open their list in a new tab, and after a person, a reload or a period', async (page) => {
    const tab = await visit();
    const link = page.getByRole('link', { name: / joined, last 30 days$/ });
    await tab.goto(await link.evaluate((each) => (each as HTMLAnchorElement).href));
    const isThere = async () => {
      await shows(tab, 'people', `Showing all ${people(JOINS)}`);
      await tab.locator('#people-title', { hasText: 'last 30 days' }).waitFor();
    };
    await isThere();
    await tab.locator('#people tbody a').first().click();
    await tab.locator('#person-facts dt').first().waitFor();
    await tab.keyboard.press('Escape');
    await tab.waitForURL(/\?days=30#did=join$/);
    await isThere();
    await tab.reload();
    await isThere();
    await tab.locator('#people-text').fill(ADMINISTRATOR);
    await shows(tab, 'people', 'Showing all 1');
    await tab.getByRole('link', { name: / joined, last 30 days$/ }).click();
    await isThere();
    await tab.locator('#period').selectOption('Last 7 days');
    await tab.waitForURL(/\?days=7#did=join$/);
    await tab.locator('#people-title', { hasText: 'last 7 days' }).waitFor();
    await tab.goBack();
    await isThere();
    await tab.goBack();
  });

  onPage('that have not gone further are one press from their reminders', async (page) => {
    await page.goto('/svcops');
    const link = page.getByRole('link', { name: ' logged in and did not view' });
    const count = /^\d+/.exec(await link.innerText())?.[0];
    await link.click();
    await page.getByText('Send reminders').click();
    await page.getByText(`Letter 1 of ${count}, to `).waitFor();
    await page.locator('#people-status').selectOption('Joined');
    await page.waitForURL(/#status=joined$/);
    await page.getByText('Send reminders').waitFor({ state: 'hidden' });
    await page.goBack();
  });
});
