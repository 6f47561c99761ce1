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
import { inventPreview } from '../../scripts/demo-data.ts';
import { logIn, send } from '../support/client.ts';

it('every visit of the invented year is after the invitation and before its end', () => {
  const now = Date.UTC(2026, 10, 20, 20);
  const { people, visits } = inventPreview(now);
  const invited = new Map(people.map(({ email, invitedAt }) => [email, invitedAt]));
  const times = visits.flatMap(({ email, login, views, joins }) =>
    [login, ...views, ...joins].map((time) => [invited.get(email) ?? now, time] as const),
  );
  const wrong = times.filter(([invitedAt, time]) => time < invitedAt || time > now);
  assert.deepEqual([people.length, times.length > 1000, wrong], [300, true, []]);
});

describe('npm run demo', () => {
  // Its own temporary folder, so that the test sees which files are left.
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  let demo: ChildProcess;
  let printed = '';
  let origin: string;

  before(async () => {
    demo = spawn(process.execPath, ['--import', 'tsx', path.join(root, 'scripts', 'demo.ts')], {
      env: { ...process.env, PORT: '0', TMPDIR: temporary, PUBLIC_ORIGIN: '' },
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.ok(demo.stdout);
    for await (const line of createInterface(demo.stdout)) {
      printed += `${line}\n`;
      if (line.includes('Ctrl-C')) break;
    }
    // The host in the letters that the page writes.
    origin = /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '';
  });
  after(async () => {
    // Its server, in a process group of its own, ends with it only if it is asked to.
    if (demo.exitCode === null && demo.kill('SIGINT')) await once(demo, 'exit');
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

  it('has a year of activity, with people at every step of the funnel', async () => {
    const cookie = await logIn(origin, 'grace@example.com');
    const today = new Date().toISOString().slice(0, 10);
    const { funnel, daily } = (
      await send(origin, `GET /api/svcops/stats?to=${today}`, { cookie })
    ).json<{ funnel: Record<string, number>; daily: { logins: number }[] }>();
    const { invited = 0, loggedIn = 0, viewed = 0, joined = 0 } = funnel;
    assert.ok(invited > loggedIn && loggedIn > viewed && viewed > joined && joined > 20);
    const busy = daily.filter(({ logins }) => logins > 0);
    assert.ok(busy.length >= 250 && busy.length <= 367, `${busy.length} days with logins`);
  });

  it('prints the folder of its tools, which work on its people', () => {
    const [, folder, script = ''] = /cd "(.+)", then .*: node (.+)$/m.exec(printed) ?? [];
    const tool = (...args: readonly string[]) =>
      spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
    assert.match(
      tool(...script.split(' ')),
      /^email +first name +clicks +first at +last at[\s\S]*@example\.com/,
    );
    assert.equal(JSON.parse(tool('tools/invite.js', 'list', '--json')).length, 300);
  });

  it('leaves no process and no file when it is interrupted', async () => {
    demo.kill('SIGINT');
    await once(demo, 'exit');
    // tsx keeps a cache there.
    const left = fs.readdirSync(temporary).filter((name) => !/^(tsx|node)-/.test(name));
    assert.deepEqual(left, []);
    await assert.rejects(fetch(origin));
  });
});
