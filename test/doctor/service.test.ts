/** The doctor beside a running service, without a proxy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, it } from 'node:test';
import { findings, finds, healthy, NOWHERE } from '../support/doctor.ts';

const site = healthy();
after(() => site.remove());

it('finds another program on the port', async () => {
  const other = http.createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const PORT = String(typeof address === 'object' && address?.port);
  await finds(site, 'service', /^another program answers/, { ...NOWHERE, PORT });
  other.close();
});

it('finds pages that changed after the start', async () => {
  const server = await site.start({ ...NOWHERE, PORT: '0' });
  const env = { ...NOWHERE, PORT: String(server.port) };
  assert.equal((await findings(site, 'service', env))[0]?.ok, true);
  const edit = async (name: string, from: string, to: string, message: RegExp) => {
    const file = path.join(site.root, 'pages', name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(from, to));
    await finds(site, 'service', message, env);
    fs.writeFileSync(file, text);
  };
  await edit('everyone/entry.html', '<body', '<body class="new"', /^it has read other pages/);
  await edit('everyone/entry.js', '', '// new\n', /^it has read other pages/);
  await finds(site, 'service', /another PUBLIC_ORIGIN/, {
    ...env,
    PUBLIC_ORIGIN: 'https://b.example.com',
  });
  await server.stop();
});

it('finds a domain that does not resolve', () =>
  finds(site, 'public', /cannot be reached: getaddrinfo/, {
    ...NOWHERE,
    PUBLIC_ORIGIN: 'https://preview.invalid',
  }));

it('finds a missing proxy, and skips the checks of its headers', async () => {
  const server = await site.start({ ...NOWHERE, PORT: '0' });
  const env = { ...NOWHERE, PORT: String(server.port) };
  await finds(site, 'public', /cannot be reached: .*ECONNREFUSED/, env);
  await finds(site, 'address', /cannot be checked: .*ECONNREFUSED/, env);
  await server.stop();
});
