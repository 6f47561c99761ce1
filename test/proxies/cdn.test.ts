/** Behind a CDN, with the lines of docs/operations.md: each visitor has a limit of his own. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacks } from '../support/lacks.ts';
import { serviceBehind } from './behind.ts';
import { PROXY_NAMES } from './proxy.ts';

const document = fs.readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
const documented = (pattern: RegExp) =>
  document.match(pattern)?.[0] ?? assert.fail(String(pattern));

/** The CDN of the test has loopback addresses. */
const REAL_IP = documented(/set_real_ip_from .*;\n *real_ip_header .*;/).replace(
  '203.0.113.0/24',
  '127.0.0.0/8',
);
const HEADER_UP = documented(/header_up X-Forwarded-For .*/);

/** A line of each configuration, and what stands in its place. */
const CHANGES = {
  caddy: ['transport http {', `${HEADER_UP}\n\ttransport http {`],
  nginx: ['send_timeout 20s;', `send_timeout 20s;\n${REAL_IP}`],
} as const;

for (const name of PROXY_NAMES)
  it(`forty visitors of a CDN log in behind ${name}; only one who tries too often must wait`, {
    skip: lacks(name),
    timeout: 60_000,
  }, async () => {
    const { from } = await serviceBehind(name, { changes: [CHANGES[name]] });
    const cdn = from('127.0.0.2');
    const attempt = async (visitor: string) => {
      const headers = { 'CF-Connecting-IP': visitor, 'X-Forwarded-For': visitor };
      const json = { email: 'ada@example.com' };
      return (await cdn('POST /auth/login', { json, headers })).status;
    };
    for (let visitor = 1; visitor <= 40; visitor += 1)
      assert.equal(await attempt(`198.51.100.${visitor}`), 200);
    for (let i = 1; i < 30; i += 1) assert.equal(await attempt('198.51.100.1'), 200);
    assert.equal(await attempt('198.51.100.1'), 429);
    assert.equal(await attempt('198.51.100.2'), 200);
  });
