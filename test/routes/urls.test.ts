/**
 * Every URL, and the status that a stranger, an invitee and an administrator get. The last column is
 * a cross-origin request of an administrator: `ownPages` refuses it. The table is committed as
 * urls.txt, so that reviewers see a change. To write it again, delete it and run this test twice.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, it } from 'node:test';
import { app, routes } from '../../lib/app.ts';
import { root } from '../../lib/config.ts';
import { loadSite, SAMPLE } from '../../lib/site/site.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { temporaryFolder } from '../support/site.ts';

const TABLE = path.join(root, 'test', 'routes', 'urls.txt');
const AUDIENCES = ['stranger', 'invitee', 'administrator'] as const;
const COLUMNS = [...AUDIENCES, 'cross-origin'] as const;

const store = openServerStore(path.join(temporaryFolder(), 'guestlist.db'));
after(async () => {
  await store.close();
});

const publicOrigin = 'http://localhost:3000';
const settings = { port: 3000, publicOrigin, production: false };
const site = loadSite(SAMPLE, publicOrigin);
const handle = app(store, settings)(site);

/** The status of a request without a query or a body, from a session of its own. */
async function statusFor(column: (typeof COLUMNS)[number], url: string): Promise<number> {
  const [method = '', path = ''] = url.split(' ');
  const audience = column === 'cross-origin' ? 'administrator' : column;
  const { token } = await store.write(({ sessions }) =>
    sessions.begin(`${audience}@example.com`, Date.now()),
  );
  const headers = {
    ...(audience !== 'stranger' && { cookie: `svc_session=${token}` }),
    ...(column !== audience && { 'sec-fetch-site': 'cross-site' }),
  };
  const body = Readable.from([]);
  const reply = await handle({ method, path, query: '', headers, peer: '127.0.0.1', body });
  return reply.status;
}

it('the URLs and their audiences are those of urls.txt', async () => {
  await store.write(({ invites }) => {
    for (const audience of ['invitee', 'administrator'])
      invites.add({
        email: `${audience}@example.com`,
        firstName: null,
        invitedBy: 'cli',
        invitedAt: 1,
      });
    invites.setAdmin('administrator@example.com', true);
  });
  const urls = [...Object.keys(routes(store, settings)(site)), 'GET /no-such-page'];
  const width = Math.max(...urls.map((url) => url.length));
  const lines = [`${''.padEnd(width)}  ${COLUMNS.join('  ')}`];
  for (const url of urls) {
    const cells = [];
    for (const column of COLUMNS)
      cells.push(String(await statusFor(column, url)).padEnd(column.length));
    lines.push(`${url.padEnd(width)}  ${cells.join('  ')}`.trimEnd());
  }
  const table = `${lines.join('\n')}\n`;
  if (!fs.existsSync(TABLE)) {
    fs.writeFileSync(TABLE, table);
    assert.fail(`${TABLE} was missing and is written now`);
  }
  assert.equal(table, fs.readFileSync(TABLE, 'utf8'));
});
