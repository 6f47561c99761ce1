/** The demonstration: plausible data, two people to log in with, and no file left behind. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { inventPreview } from '../../scripts/demo-data.ts';
import { logIn, send } from '../support/client.ts';
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/site.ts';

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

describe('npm run demo', { timeout: 60_000 }, () => {
  // Its own temporary folder, so that the test sees which files are left.
  const temporary = temporaryFolder();
  const command = [process.execPath, '--import', 'tsx', path.join(root, 'scripts', 'demo.ts')];
  const env = { ...process.env, PORT: '0', TMPDIR: temporary, PUBLIC_ORIGIN: '' };
  const demo = startProcess(command, { env, cwd: root });
  const printed = () => demo.stdout.join('\n');
  const tool = (...args: readonly string[]) => {
    const [, folder] = /cd "(.+)", then /.exec(printed()) ?? [];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
  };
  let origin: string;

  before(async () => {
    await demo.prints(/Ctrl-C/);
    // The host in the letters that the page writes.
    origin = /http:\/\/localhost:\d+/.exec(printed())?.[0] ?? '';
  });
  // Its server, in a process group of its own, ends with it only if it is asked to.
  after(() => demo.stop('SIGINT'));

  it("has the numbers of the README's example, whatever the day", () => {
    const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
    const [, shown = ''] = /^\$ node tools\/events\.js stats\n([^$]*)\$/m.exec(readme) ?? [];
    assert.notEqual(shown, '');
    assert.equal(tool('tools/events.js', 'stats'), shown);
  });

  it('prints the address, and two emails that log in: a visitor and an administrator', async () => {
    const [visitor = '', administrator = ''] = printed().match(/\S+@example\.com/g) ?? [];
    const asVisitor = await logIn(origin, visitor);
    assert.equal((await send(origin, 'GET /timeline', { cookie: asVisitor })).status, 200);
    assert.equal((await send(origin, 'GET /svcops', { cookie: asVisitor })).status, 404);
    const asAdministrator = await logIn(origin, administrator);
    assert.equal((await send(origin, 'GET /svcops', { cookie: asAdministrator })).status, 200);
  });

  it('leaves no process and no file when it is interrupted', async () => {
    await demo.stop('SIGINT');
    // tsx keeps a cache there.
    const left = fs.readdirSync(temporary).filter((name) => !/^(tsx|node)-/.test(name));
    assert.deepEqual(left, []);
    await assert.rejects(fetch(origin));
  });
});
