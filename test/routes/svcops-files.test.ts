/** The administrator page's own files: behind the gate, with the licence of what is not ours, and named nowhere else. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/root.ts';
import { logIn, send } from '../support/client.ts';
import { install, type Server } from '../support/installation.ts';

const site = install();
let server: Server;
let cookie: string;
let visitor: string;

before(async () => {
  for (const name of ['root', 'ada']) site.invite(`${name}@example.com`);
  site.setAdmin('root@example.com');
  server = await site.start();
  cookie = await logIn(server.origin, 'root@example.com');
  visitor = await logIn(server.origin, 'ada@example.com');
});
after(() => site.remove());

describe('the files of the page', () => {
  /** What the page names, and what its scripts import, to the end. */
  async function load(file: string, seen = new Set<string>()): Promise<Set<string>> {
    if (seen.has(file)) return seen;
    seen.add(file);
    const answer = await send(server.origin, `GET ${file}`, { cookie });
    assert.equal(answer.status, 200, file);
    const named = answer.text.matchAll(
      /(?:(?:href|src)="|from '|import\(')[./]*(svcops[\w-]*\.(?:js|css))/g,
    );
    for (const [, name] of named) await load(`/${name}`, seen);
    return seen;
  }

  it('all come from gated routes: the plain 404 for everybody else', async () => {
    const files = await load('/svcops');
    files.add('/api/svcops/person?email=ada@example.com');
    assert.ok(files.has('/svcops-uplot.js') && files.has('/svcops-uplot.css') && files.size > 10);
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
    for (const file of ['/svcops-uplot.js', '/svcops-uplot.css'])
      assert.match((await send(server.origin, `GET ${file}`, { cookie })).text, /MIT License/);
  });

  it('are named nowhere else on the site', () => {
    const pages = path.join(root, 'pages');
    const others = fs.readdirSync(pages).filter((name) => /^(?!svcops).*\.\w+$/.test(name));
    assert.ok(others.includes('entry.html') && others.includes('timeline.js'));
    for (const name of others)
      assert.doesNotMatch(fs.readFileSync(path.join(pages, name), 'utf8'), /svcops/, name);
  });
});

function withoutDate(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date');
}
