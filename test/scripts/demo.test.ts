/** The demonstration: plausible data, two people to log in with, and no file left behind. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';

const data = path.join(root, 'data');

describe('npm run demo', () => {
  // Its own temporary folder, so that the test sees which files are left.
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  let demo: ChildProcess;
  let printed = '';
  let origin: string;
  let ownData: readonly string[];

  const listData = () => (fs.existsSync(data) ? fs.readdirSync(data).sort() : ['none']);

  before(async () => {
    ownData = listData();
    demo = spawn(process.execPath, [path.join(root, 'scripts', 'demo.js')], {
      env: { ...process.env, PORT: '0', TMPDIR: temporary, PUBLIC_ORIGIN: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.ok(demo.stdout);
    for await (const line of createInterface(demo.stdout)) {
      printed += `${line}\n`;
      if (line.includes('Ctrl-C')) break;
    }
    origin = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
  });
  after(() => {
    demo.kill('SIGKILL');
    fs.rmSync(temporary, { recursive: true, force: true });
  });

  it('prints the address, and two emails that log in: a visitor and an administrator', async () => {
    const [visitor = '', administrator = ''] = printed.match(/\S+@example\.com/g) ?? [];
    const asVisitor = await logIn(origin, visitor);
    assert.equal((await send(origin, 'GET /timeline', { cookie: asVisitor })).status, 200);
    assert.equal((await send(origin, 'GET /svcops', { cookie: asVisitor })).status, 404);
    const asAdministrator = await logIn(origin, administrator);
    assert.equal((await send(origin, 'GET /svcops', { cookie: asAdministrator })).status, 200);
  });

  it('has 300 people and a year of activity, with people at every step of the funnel', async () => {
    const cookie = await logIn(origin, 'grace@example.com');
    const today = new Date().toISOString().slice(0, 10);
    const stats = (await send(origin, `GET /api/svcops/stats?to=${today}`, { cookie })).json<{
      funnel: Record<string, number>;
      daily: { day: string; logins: number }[];
    }>();
    const { invited = 0, loggedIn = 0, viewed = 0, joined = 0 } = stats.funnel;
    assert.equal(invited, 300);
    const first = await send(origin, 'GET /api/svcops/changes?limit=500', { cookie });
    const times = first.json<{ changes: { at: number }[] }>().changes.map(({ at }) => at);
    assert.deepEqual([times.length, times], [301, times.toSorted((a, b) => b - a)]);
    assert.ok((times[0] ?? 0) - (times[300] ?? 0) > 300 * 86_400_000, 'a log of the year');
    assert.ok(invited > loggedIn && loggedIn > viewed && viewed > joined && joined > 20);
    const busy = stats.daily.filter(({ logins }) => logins > 0);
    assert.ok(busy.length >= 250 && busy.length <= 367, `${busy.length} days with logins`);
  });

  it('prints the folder of its tools, which work on its people', () => {
    const [, folder, script = ''] = /cd "(.+)", then .*: node (.+)$/m.exec(printed) ?? [];
    const tool = (...args: readonly string[]) =>
      spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
    assert.match(tool(...script.split(' ')), /^email +clicks +first +last[\s\S]*@example\.com/);
    assert.equal(JSON.parse(tool('tools/invite.js', 'list', '--json')).length, 300);
  });

  it('leaves no file when it is interrupted, and never changes the store of the checkout', async () => {
    assert.equal(fs.readdirSync(temporary).length, 1);
    demo.kill('SIGINT');
    await once(demo, 'exit');
    assert.deepEqual(fs.readdirSync(temporary), []);
    await assert.rejects(fetch(origin));
    assert.deepEqual(listData(), ownData);
  });
});
