/** The first minutes with a clean clone: the README's first command, a visit, the tools, a stop. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import type { Finding } from '../../lib/doctor/examine.ts';
import { type Place, run, start } from './commands.ts';

/** A warning of npm or Node. */
const WARNING = /^npm (warn|error|notice New)|npm audit fix|^\(node:\d+\)|^\(Use /im;

/** A deprecated function of Node stops the program. */
export const STRICT = { NODE_OPTIONS: '--pending-deprecation --throw-deprecation' };

/** The clone's folder, in that of the tour. */
export const CLONE = 'guestlist';

const LISTENING = /^listening on (.+)\n/m;

/** Commands whose output has the address of the visitor. */
const LOOKS = [
  ['invite', 'list'],
  ['joins', 'list'],
  ['events', 'list'],
  ['person', 'export', 'ada@example.com'],
] as const;

/**
 * @param command the README's first
 * @param place an empty folder, and the environment of a pair
 */
export async function tour(command: string, { cwd, env }: Place): Promise<void> {
  const clone = path.join(cwd, CLONE);
  await run(['git', 'clone', '-q', root, clone], { cwd, env });
  const place = { cwd: clone, env: { ...env, PORT: '0' } };
  const strict = { cwd: clone, env: { ...place.env, ...STRICT } };
  const first = start(['sh', '-c', command], place);
  const origin = await first.printed(LISTENING);
  await visit(origin, strict);
  first.interrupt();
  await first.ended;
  assert.doesNotMatch(first.output(), WARNING);
  await assert.rejects(fetch(origin), 'it has stopped');
  assert.ok(fs.existsSync(path.join(clone, 'data', 'guestlist.db')));
  const changed = await run(['git', 'status', '--porcelain'], place);
  assert.equal(changed, '', 'git ignores all that was made');
  await stop(strict);
  await refuseOtherNode(place);
}

/** Checks the server's own exit status: after Ctrl-C npm reports the signal that its shell got. */
async function stop(place: Place): Promise<void> {
  const server = start(['node', 'server.js'], place);
  await server.printed(LISTENING);
  server.interrupt();
  assert.equal(await server.ended, 0);
  assert.doesNotMatch(server.output(), WARNING);
}

async function visit(origin: string, place: Place): Promise<void> {
  const tool = async (name: string, ...args: readonly string[]) => {
    const output = await run(['node', path.join('tools', `${name}.js`), ...args], place);
    assert.doesNotMatch(output, WARNING);
    return output;
  };
  await tool('invite', 'add', 'ada@example.com', 'Ada');
  await tool('invite', 'admin', 'add', 'ada@example.com');

  const login = await fetch(`${origin}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  });
  assert.equal(login.status, 200);
  const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const ask = async (url: string, options: RequestInit = {}) => {
    const response = await fetch(origin + url, { headers: { cookie }, ...options });
    assert.equal(response.status, 200, url);
    return response.text();
  };
  for (const page of ['/', '/timeline', '/svcops']) assert.match(await ask(page), /<title>/);
  await ask('/api/project-join', { method: 'POST' });
  const { totals } = JSON.parse(await ask('/api/svcops/stats'));
  const one = { invites: 1, admins: 1, logins: 1, timelineViews: 1, joinClicks: 1 };
  assert.deepEqual(totals, one);
  assert.equal((await fetch(`${origin}/svcops`)).status, 404);

  for (const [name, ...args] of LOOKS) assert.match(await tool(name, ...args), /ada@example\.com/);
  await tool('backup', 'create');
  assert.match(await tool('backup', 'list'), / ok$/m);
  // It finds faults, because this is not production, but none of the installation.
  const found = await run(['node', 'tools/doctor.js', '--json'], place, 1);
  const sound = (JSON.parse(found) as readonly Finding[]).filter(({ ok }) => ok);
  for (const wanted of ['node', 'site', 'data', 'snapshot', 'disk'])
    assert.ok(
      sound.some(({ check }) => check === wanted),
      found,
    );
}

/** If the clone was built for another Node, the tools must report that with this Node. */
async function refuseOtherNode(place: Place): Promise<void> {
  const abi = await run(['node', '--print', 'process.versions.modules'], place);
  if (abi.trim() === process.versions.modules) return;
  for (const script of ['server.js', 'tools/invite.js', 'tools/joins.js']) {
    const args = script === 'server.js' ? [] : ['list'];
    const said = await run([process.execPath, script, ...args], place, 1);
    assert.match(said, /^better-sqlite3 cannot be loaded: .+ another version .+ npm rebuild .+\n$/);
  }
}
