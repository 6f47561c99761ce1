/**
 * Every URL, and the status that a stranger, an invitee and an administrator get. The last column is
 * a cross-origin request of an administrator: every POST refuses it. The table is committed as
 * urls.txt, so that reviewers see a change. To write it again, delete it and run this test twice.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { inject } from '../support/inject.ts';

const TABLE = path.join(root, 'test', 'routes', 'urls.txt');
const crossOrigin = { headers: { 'Sec-Fetch-Site': 'cross-site' } };
const COLUMNS = {
  stranger: { as: 'stranger' },
  invitee: { as: 'invitee' },
  administrator: { as: 'administrator' },
  'cross-origin': { as: 'administrator', ...crossOrigin },
} as const;

it('the URLs and their audiences are those of urls.txt', async () => {
  const { send, urls } = await inject();
  const names = [...urls, 'GET /no-such-page'];
  const width = Math.max(...names.map((name) => name.length));
  const lines = [`${''.padEnd(width)}  ${Object.keys(COLUMNS).join('  ')}`];
  for (const name of names) {
    const cells = [];
    for (const [column, options] of Object.entries(COLUMNS))
      cells.push(String((await send(name, options)).status).padEnd(column.length));
    lines.push(`${name.padEnd(width)}  ${cells.join('  ')}`.trimEnd());
  }
  const table = `${lines.join('\n')}\n`;
  if (!fs.existsSync(TABLE)) {
    fs.writeFileSync(TABLE, table);
    assert.fail(`${TABLE} was missing and is written now`);
  }
  assert.equal(table, fs.readFileSync(TABLE, 'utf8'));
});
