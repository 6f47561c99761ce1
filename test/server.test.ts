/** The process: its settings, and its start. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { readSettings, type Settings, UsageError } from '../lib/config.ts';
import { copyPackages, enter, install, invite, listen, run, startService } from './service.ts';

/** An empty setting counts as not set. */
function readWith(settings: NodeJS.ProcessEnv): Settings {
  Object.assign(process.env, { PORT: '', PUBLIC_ORIGIN: '', ...settings });
  return readSettings();
}

const SETTINGS = [
  [{}, 3000, 'http://localhost:3000'],
  [{ PORT: '0' }, 0, 'http://localhost:0'],
  [{ PORT: '65535', PUBLIC_ORIGIN: 'https://example.com/' }, 65_535, 'https://example.com'],
  [{ PUBLIC_ORIGIN: 'HTTP://Example.com:8080' }, 3000, 'http://example.com:8080'],
] as const;

test('a setting that is left out has its default, and an origin ends without a slash', () => {
  for (const [settings, port, publicOrigin] of SETTINGS)
    assert.deepEqual(readWith(settings), { port, publicOrigin });
});

const WRONG = [
  { PORT: 'http' },
  { PORT: '65536', PUBLIC_ORIGIN: 'https://example.com' },
  { PORT: '1e3' },
  { PUBLIC_ORIGIN: 'preview.example.com' },
  { PUBLIC_ORIGIN: 'https://example.com/preview' },
  { PUBLIC_ORIGIN: 'https://example.com/?a' },
  { PUBLIC_ORIGIN: 'https://example.com#a' },
  { PUBLIC_ORIGIN: 'https://me@example.com' },
  { PUBLIC_ORIGIN: 'ftp://example.com' },
];

for (const settings of WRONG)
  test(`${JSON.stringify(settings)} is refused`, () => {
    assert.throws(() => readWith(settings), UsageError);
  });

test('a wrong setting and an argument are refused in a line, with status 2', async () => {
  const folder = install();
  const set = run(folder, ['server.js'], { PORT: 'http' });
  const argument = run(folder, ['server.js', '--help']);
  assert.equal(await set.ended, 2);
  assert.equal(set.output(), 'PORT is "http"; it must be a number from 0 to 65535\n');
  assert.equal(await argument.ended, 2);
  assert.equal(argument.output(), 'the server takes no arguments, but --help was given\n');
});

test('a port in use is one line, with status 1', async (t) => {
  const other = net.createServer();
  t.after(() => other.close());
  const port = await listen(other);
  const { ended, output } = run(install(), ['server.js'], { PORT: String(port) });
  assert.equal(await ended, 1);
  assert.equal(output(), `port ${port} is in use; set PORT to another one\n`);
});

test('a native module that cannot be loaded is one line with the remedy', async () => {
  const broken = install();
  copyPackages(broken);
  const binding = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
  fs.writeFileSync(path.join(broken, binding), 'for another machine');
  const { ended, output } = run(broken, ['server.js']);
  assert.equal(await ended, 1);
  assert.match(output(), /^better-sqlite3 cannot be loaded; run npm rebuild better-sqlite3 .*\n$/);
});

test('a mistake in the site is named with its field, with status 2', async () => {
  const wrong = install();
  const site = path.join(wrong, 'data/site');
  fs.mkdirSync(site, { recursive: true });
  fs.writeFileSync(path.join(site, 'content.json'), '{}');
  const { ended, output } = run(wrong, ['server.js']);
  assert.equal(await ended, 2);
  assert.match(output(), /content\.json:\n {2}lang: missing\n/);
});

test('a first start leads to the first guest, and shows nothing to other users', async () => {
  const service = await startService();
  const { port, output } = service;
  const command = `node ${path.join(service.folder, 'tools/invite.js')} add ada@example.com`;
  assert.equal(
    output(),
    `listening on http://127.0.0.1:${port}\nopen http://localhost:${port}\n` +
      `nobody is invited yet: ${command}\n`,
  );
  const data = path.join(service.folder, 'data');
  assert.equal(fs.statSync(data).mode & 0o777, 0o700);
  for (const name of fs.readdirSync(data))
    assert.equal(fs.statSync(path.join(data, name)).mode & 0o777, 0o600, name);
  const outside = Object.values(os.networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal);
  if (outside) {
    const refused = net.connect(port, outside.address);
    await assert.rejects(once(refused, 'connect'), { code: 'ECONNREFUSED' });
  }
  enter(service.db, 'ada@example.com');
  service.child.kill();
  assert.equal(await service.ended, 0);
  const again = await startService(service.folder);
  assert.match(again.output(), /^listening on .*\nopen http:\/\/localhost:\d+\n$/);
});

test('https without production is a warning: a comment of an env file is part of its value', async () => {
  const settings = { PUBLIC_ORIGIN: 'https://preview.example.com' };
  const service = await startService(install(), { ...settings, NODE_ENV: 'production # live' });
  assert.match(
    service.output(),
    /^warning: NODE_ENV is "production # live" and not production, .* not Secure\n.*\nopen https:\/\/preview\.example\.com\n/,
  );
});

test('in production the cookie is Secure, and HSTS is on', async () => {
  const settings = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://preview.example.com/' };
  const service = await startService(install(), settings);
  invite(service.db, 'ada@example.com');
  assert.doesNotMatch(service.output(), /warning/);
  const { headers } = await service.post('/auth/login', { email: 'ada@example.com' });
  assert.match(headers['set-cookie']?.[0] ?? '', /; Max-Age=2592000; Secure$/);
  assert.equal(headers['strict-transport-security'], 'max-age=31536000');
});
