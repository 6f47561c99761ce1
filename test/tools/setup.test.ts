/** What `guestlist setup` refuses before it changes anything; npm run test:install runs it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { it } from 'node:test';
import { lacksRoot } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';

const ORIGIN = 'https://preview.example.com';

it('setup by another user than root is one line, status 1', { skip: lacksRoot }, () => {
  const script = path.join(siteForAll({ forEverybody: true }).root, 'tools', 'setup.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--origin', ORIGIN], {
    uid: 65534,
    cwd: '/',
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr, 'only root can set up Guestlist; use sudo\n');
});

it('setup with an invalid address or port is wrong usage', { skip: lacksRoot }, () => {
  const site = siteForAll();
  for (const [message, ...args] of [
    [/^--origin is http:\/\/x; sessions need an https address\n/, '--origin', 'http://x'],
    [/^PUBLIC_ORIGIN is "x"/, '--origin', 'x'],
    [/^PORT is "x"/, '--origin', ORIGIN, '--port', 'x'],
    [/^setup needs --origin/, '--port', '4000'],
    [/^--port is 0/, '--origin', ORIGIN, '--port', '0'],
  ] as const) {
    const { status, stdout, stderr } = site.tool('setup', ...args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, message);
  }
});
