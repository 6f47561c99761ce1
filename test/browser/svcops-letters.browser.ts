/** Letters on the administrator page: whom they go to, in the viewer's time zone. */
// extra: letters
import assert from 'node:assert/strict';
import fs from 'node:fs/promises'; // extra: export
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { addInvite, recordLogin, recordView } from '../support/rows.ts';
import { hasFocus, textsOf } from './page.ts';
import { halfAMinute, openSvcops, shows } from './svcops-page.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// extra: bulk
/** Shortly after midnight in UTC, and shortly before it, by the viewers' clocks. */
const ZONES = [
  ['America/Los_Angeles', '16:10', Date.UTC(2026, 10, 25, 0, 10)],
  ['Australia/Sydney', '10:05', Date.UTC(2026, 5, 25, 0, 5)],
  ['Asia/Tokyo', '08:40', Date.UTC(2026, 10, 24, 23, 40)],
  ['Asia/Kathmandu', '05:50', Date.UTC(2026, 10, 24, 0, 5)],
] as const;
// end: bulk

const emailsOf = (page: Page) => textsOf(page, '#people td[data-label=Email] .person');

// extra: export
/** The addresses in the file that a link downloads, in its order. */
async function download(page: Page, name: string): Promise<readonly string[]> {
  const downloaded = page.waitForEvent('download');
  await page.locator('#people').getByRole('link', { name }).click();
  const text = await fs.readFile(await (await downloaded).path(), 'utf8');
  return text.match(/^\w+@example\.com(?=,)/gm) ?? [];
}
// end: export

// extra: bulk
for (const [zone, time, now] of ZONES) {
  const { installation, open } = await openSvcops('none', {}, now);

  it(`a list saved at ${time} in ${zone} gives exactly its own letters`, async () => {
    installation.write((writer) => {
      for (const [name, age] of Object.entries({
        before: 20 * MINUTE,
        justBefore: 1,
        justAfter: -1,
        evening: 15 * HOUR,
      }))
        addInvite(writer, `${name.toLowerCase()}@example.com`, { invitedAt: now - age });
    });
    const page = await open({ timezoneId: zone });
    await page.getByText('Invite a list').click();
    const lines = Array.from({ length: 12 }, (_, i) => `guest${i + 10}@example.com`);
    await page.locator('#many-list').fill(`${lines.join('\n')}\nevening@example.com`);
    await page.getByRole('button', { name: 'Invite 12' }).click();

    const saved = page.locator('#people-saved');
    const words = '12 guests added, 1 already invited. Now send their invitations.';
    await saved.filter({ hasText: words }).waitFor();
    const link = page.getByRole('link', { name: 'Download 12 invitations' }); // extra: export
    await link.waitFor(); // extra: export
    // The page scrolls smoothly.
    const comesIntoView = (selector: string) =>
      page.waitForFunction((wanted) => {
        const box = document.querySelector(wanted)?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
      }, selector);
    await comesIntoView('#people-saved');
    // extra: export
    await comesIntoView('[data-letters=invitation]');
    assert.ok(await hasFocus(link));
    // end: export
    const chosen = page.locator('#people-status option:checked');
    assert.equal(
      await chosen.innerText(),
      `Pending, of the list saved at ${time.replace(/^0/, '')}`,
    );

    const expected = lines.toReversed();
    const address = new URL(page.url());
    assert.equal(address.hash, `#status=pending&invitedAt=${now}`);
    await page.reload();
    await shows(page, 'people', 'Showing all 12');
    assert.deepEqual(await emailsOf(page), expected);
    // Smooth scrolling could move the links under the pointer.
    const otherZone = { timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' } as const;
    const other = await open({ ...otherZone, address: address.hash });
    await shows(other, 'people', 'Showing all 12');
    assert.deepEqual(await emailsOf(other), expected);
    // extra: export
    for (const name of ['Download 12 invitations', 'Export CSV'])
      assert.deepEqual(await download(other, name), expected, name);
    // end: export
  });
}
// end: bulk

const NOW = Date.UTC(2026, 4, 20, 0, 10);
const { installation, open } = await openSvcops('none', {}, NOW);

// extra: bulk
it('a saved list shows its own guests, not one invited meanwhile', async () => {
  const page = await open();
  await page.getByText('Invite a list').click();
  await page.locator('#many-list').fill('taken@example.com\nmine@example.com');
  const save = page.getByRole('button', { name: 'Invite 2' });
  await save.waitFor();
  installation.write((writer) => addInvite(writer, 'taken@example.com', { invitedAt: NOW - DAY }));
  await save.click();
  await page.locator('#people-saved', { hasText: '1 guest added' }).waitFor();
  assert.deepEqual(await emailsOf(page), ['mine@example.com']);
});

it('after a lost reply, the page shows no list of another administrator', async () => {
  const page = await open();
  await page.getByText('Invite a list').click();
  await page.locator('#many-list').fill('theirs@example.com\nunsaved@example.com');
  const save = page.getByRole('button', { name: 'Invite 2' });
  await save.waitFor();
  installation.write((writer) => addInvite(writer, 'theirs@example.com', { invitedAt: NOW }));
  await page.route('**/invites/many', (route) =>
    route.request().postData()?.includes('"save":true') ? route.abort() : route.continue(),
  );
  await save.click();
  await page.locator('#many-message', { hasText: 'may not have been saved' }).waitFor();
  assert.ok(await page.locator('#people-saved').isHidden());
});

/** Types a list and saves it. The service saves it too, but its reply is lost. */
async function saveWithoutReply(page: Page, emails: readonly string[], then = async () => {}) {
  await page.getByText('Invite a list').click();
  await page.locator('#many-list').fill(emails.join('\n'));
  const save = page.getByRole('button', { name: `Invite ${emails.length}` });
  await save.waitFor();
  await page.route('**/invites/many', async (route) => {
    const isSave = route.request().postData()?.includes('"save":true');
    if (!isSave) return route.continue();
    await route.fetch();
    await then();
    await route.abort();
  });
  return save;
}

const lost = await openSvcops('none', {}, NOW);

it('after a lost reply, the page offers the letters and their number', async () => {
  const page = await lost.open();
  const emails = ['lost0@example.com', 'lost1@example.com', 'lost2@example.com'];
  const save = await saveWithoutReply(page, emails);
  // Other administrators invite one person at one end of the list.
  const early = { invitedAt: NOW - DAY };
  lost.installation.write((writer) => addInvite(writer, 'lost0@example.com', early));
  await save.click();
  const words = '2 guests added, 1 already invited. Now send their invitations.';
  await page.locator('#people-saved', { hasText: words }).waitFor();
  assert.equal(new URL(page.url()).hash, `#status=pending&invitedAt=${NOW}`);
  const listed = await emailsOf(page);
  assert.ok(!listed.includes('lost0@example.com') && listed.includes('lost2@example.com'));
});

it('a save whose reply was lost is found afterwards', async () => {
  const page = await open();
  const save = await saveWithoutReply(page, ['offline@example.com'], () =>
    page.context().setOffline(true),
  );
  await save.click();
  await page.locator('#many-message.failed', { hasText: 'may not have been saved' }).waitFor();
  await page.context().setOffline(false);
  await page.locator('#people-saved', { hasText: 'Now send their invitations' }).waitFor();
  assert.ok((await emailsOf(page)).includes('offline@example.com'));
});
// end: bulk

// extra: bulk
it('the address names a saved list even if it cannot be read', async () => {
  const page = await open();
  await page.locator('#people-status').selectOption('Pending');
  await page.getByText('Invite a list').click();
  await page.locator('#many-list').fill('unread@example.com');
  const save = page.getByRole('button', { name: 'Invite 1' });
  await save.waitFor();
  await page.route('**/invites?*invitedAt=*limit=25', (route) => route.abort());
  await save.click();
  await page.locator('#people-saved', { hasText: '1 guest added. Now send' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'No connection' }).first().waitFor();
  const { invitedAt } =
    installation.withStore(({ invites }) => invites.find('unread@example.com')) ?? {};
  assert.equal(new URL(page.url()).hash, `#status=pending&invitedAt=${invitedAt}`);
  // The letters of the former list would go to other people.
  assert.equal(await page.getByRole('link', { name: /^Download/ }).count(), 0);
});

it('a reload with the panel open keeps the saved list', async () => {
  installation.write((writer) => addInvite(writer, 'a+b&c=d@example.com', { invitedAt: NOW + 7 }));
  const list = `#status=pending&invitedAt=${NOW + 7}`;
  const page = await open({ address: list });
  await shows(page, 'people', /^Showing all 1$/);
  await page.locator('#people .person').click();
  await page.locator('#person-title', { hasText: 'a+b&c=d@example.com' }).waitFor();
  await page.reload();
  await page.locator('#person-title', { hasText: 'a+b&c=d@example.com' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#person').waitFor({ state: 'hidden' });
  // The address changes after the panel has closed.
  await page.waitForURL(({ hash }) => hash === list);
  await shows(page, 'people', /^Showing all 1$/);
  await page.reload();
  await shows(page, 'people', /^Showing all 1$/);
  const chosen = page.locator('#people-status option:checked');
  assert.match(await chosen.innerText(), /^Pending, of the list saved /);
});
// end: bulk

it('a closed letter keeps the focus in the list if its row has gone', async () => {
  installation.write((writer) => addInvite(writer, 'leaves@example.com', { invitedAt: NOW + 8 }));
  const page = await open({ frozen: true, address: `#status=pending&invitedAt=${NOW + 8}` });
  await page.getByRole('button', { name: 'Invitation to leaves@example.com' }).press('Enter');
  const letter = page.getByRole('dialog', { name: 'Invitation to leaves@example.com' });
  await letter.waitFor();
  installation.write((writer) => recordLogin(writer, 'leaves@example.com', NOW));
  await halfAMinute(page);
  await page.locator('#people .empty').waitFor();
  await page.keyboard.press('Escape');
  await letter.waitFor({ state: 'hidden' });
  await page.locator('#people:focus').waitFor();
});

// extra: export
it('a download after the session has ended says so', async () => {
  const page = await open({ address: '#status=pending' });
  const link = page.getByRole('link', { name: /^Download \d+ invitations$/ });
  await link.waitFor();
  await page.context().request.post('/auth/logout');
  const downloads: unknown[] = [];
  page.on('download', (each) => downloads.push(each));
  await link.click();
  await page.getByRole('alert').filter({ hasText: 'Your session has ended' }).first().waitFor();
  assert.deepEqual(downloads, []);
});
// end: export

it('a list without guests has nothing to download', async () => {
  const page = await open();
  await page.locator('#people .export').waitFor(); // extra: export
  await page.locator('#people-text').fill('nobody at all');
  await page.locator('#people .empty').waitFor();
  assert.equal(await page.locator('#people a[download]:visible').count(), 0);
});

it('pending for 7 days or more counts by the moment', async () => {
  installation.write((writer) => {
    addInvite(writer, 'week@example.com', { invitedAt: NOW - 7 * DAY - 1 });
    addInvite(writer, 'less@example.com', { invitedAt: NOW - 7 * DAY });
  });
  const page = await open({ timezoneId: 'America/Los_Angeles' });
  await page.locator('#people-status').selectOption('Pending for 7 days or more');
  await shows(page, 'people', /^Showing all 1$/);
  assert.deepEqual(await emailsOf(page), ['week@example.com']);
  assert.match(page.url(), /#status=pending&days=7$/);
  // extra: export
  assert.deepEqual(await download(page, 'Download 1 reminder'), ['week@example.com']);
  // end: export
});

it('a list of pending guests keeps its rows when read again', async () => {
  installation.write((writer) => {
    for (let i = 0; i < 30; i += 1)
      addInvite(writer, `early${i}@example.com`, { invitedAt: NOW - 9 * DAY });
  });
  const page = await open({ frozen: true, address: '#status=pending&days=7' });
  await shows(page, 'people', /^Showing 25 of/);
  await page.locator('#people .more').click();
  await shows(page, 'people', /^Showing all/);
  const answered = page.waitForResponse('**/api/svcops/invites?**');
  await halfAMinute(page);
  await (await answered).finished();
  await page.locator('#updated', { hasText: ':30' }).waitFor();
  const emails = await emailsOf(page);
  assert.equal(emails.filter((email) => email.startsWith('early')).length, 30);
});

// extra: export
it('a file of reminders leaves out guests invited a moment ago', async () => {
  installation.write((writer) => {
    addInvite(writer, 'yesterday@example.com', { invitedAt: NOW - DAY - 1 });
    addInvite(writer, 'minute@example.com', { invitedAt: NOW - MINUTE });
    for (const name of ['yesterday', 'minute']) {
      recordLogin(writer, `${name}@example.com`, NOW);
      recordView(writer, `${name}@example.com`, NOW);
    }
  });
  const page = await open({ address: '#status=viewed' });
  await shows(page, 'people', 'Showing all 2');
  assert.deepEqual(await download(page, 'Download 1 reminder'), ['yesterday@example.com']);
  await page.getByText('Guests invited in the last 24 hours get no reminder yet.').waitFor();
  installation.write(({ invites }) => invites.remove('yesterday@example.com'));
  await page.reload();
  await shows(page, 'people', 'Showing all 1');
  assert.ok(await page.locator('#people-letters').isHidden());
});
// end: export

// end: letters
