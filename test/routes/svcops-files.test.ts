/** The administrator page's own files: behind the gate, with the licence of what is not ours, and named nowhere else. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();

for (const name of ['root', 'ada']) site.invite(`${name}@example.com`);
site.setAdmin('root@example.com');
const server = await site.start();
const cookie = await logIn(server.origin, 'root@example.com');
const visitor = await logIn(server.origin, 'ada@example.com');

describe('the files of the page', () => {
  /** What the page names, and what its scripts import, to the end. */
  async function load(file: string, seen = new Set<string>()): Promise<Set<string>> {
    if (seen.has(file)) return seen;
    seen.add(file);
    const answer = await send(server.origin, `GET ${file}`, { cookie });
    assert.equal(answer.status, 200, file);
    const named = answer.text.matchAll(
      /(?:(?:href|src)="\/svcops\/|from '\.\/|import\('\.\/)([\w-]+\.(?:js|css))/g,
    );
    for (const [, name] of named) await load(`/svcops/${name}`, seen);
    return seen;
  }

  it('all come from gated routes: the plain 404 for everybody else', async () => {
    const files = await load('/svcops');
    files.add('/api/svcops/person?email=ada@example.com');
    assert.ok(files.has('/svcops/uplot.js') && files.has('/svcops/uplot.css') && files.size > 10);
    for (const file of files) {
      for (const who of [visitor, undefined]) {
        const unknown = await send(server.origin, 'GET /no-such-file', { cookie: who });
        const answer = await send(server.origin, `GET ${file}`, { cookie: who });
        assert.deepEqual([answer.status, answer.text], [unknown.status, unknown.text], file);
        assert.deepEqual(withoutDate(answer.headers), withoutDate(unknown.headers), file);
      }
    }
  });

  it('keep the licence of the chart library', async () => {
    for (const file of ['/svcops/uplot.js', '/svcops/uplot.css'])
      assert.match((await send(server.origin, `GET ${file}`, { cookie })).text, /MIT License/);
  });

  it('are named nowhere else on the site', () => {
    for (const folder of ['everyone', 'invitees'].map((name) => path.join(root, 'pages', name))) {
      const files = fs.readdirSync(folder, { withFileTypes: true }).filter((each) => each.isFile());
      assert.ok(files.length > 5);
      for (const { name } of files)
        assert.doesNotMatch(fs.readFileSync(path.join(folder, name), 'utf8'), /svcops/, name);
    }
  });
});

function withoutDate(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date');
}
