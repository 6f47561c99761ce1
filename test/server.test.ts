/** The process: its settings, refused starts, the first lines, its limits, and signals. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { readSettings, SettingsError } from '../lib/config.ts';
import { SESSION_LIFETIME } from '../lib/store/sessions.ts';
import { send, sendRaw } from './support/client.ts';
import { preload, SHORT_MINUTES } from './support/clock.ts';
import { readDatabase } from './support/database.ts';
import { startOnHeldSocket } from './support/held-socket.ts';
import { until } from './support/limit.ts';
import { runToEnd } from './support/process.ts';
import { installationForEach } from './support/temporary.ts';

const installation = installationForEach();
const data = path.dirname(installation.store);
const ADA = 'ada@example.com';

const busy = net.createServer().listen(0, '127.0.0.1');
await once(busy, 'listening');
after(() => busy.close());
const { port } = busy.address() as net.AddressInfo;

const PORT = /^PORT is ".*"; it must be a whole number from 0 to 65535$/;
const ORIGIN = /^PUBLIC_ORIGIN is ".*"; it must be an http or https address/;
const SURPLUS =
  /^PUBLIC_ORIGIN has (a user|the \w+ [/?#]\S+); Guestlist needs a host name of its own, such as https:/;
for (const [name, message, ...values] of [
  ['PORT', PORT, 'x', '-1', '65536', '3000.5', '0x10', ' 3000', '1\n2'],
  ['PUBLIC_ORIGIN', ORIGIN, 'a.example.com', 'ftp://x.example.com', '/', 'ada:1'],
  ['PUBLIC_ORIGIN', SURPLUS, 'https://a.example.com/preview', 'https://a.example.com//'],
  ['PUBLIC_ORIGIN', SURPLUS, 'https://a.example.com?x', 'https://a.example.com/#ada@example.com'],
  ['PUBLIC_ORIGIN', SURPLUS, 'https://ada:secret@a.example.com', 'https://:secret@a.example.com'],
] as const)
  it(`a wrong ${name}, as ${values[0]}, is refused in one line`, () => {
    for (const value of values)
      assert.throws(
        () => readSettings({ [name]: value }),
        (error) => error instanceof SettingsError && message.test(error.message),
      );
  });

it('settings have defaults, and PUBLIC_ORIGIN loses its last slash and standard port', () => {
  const publicOrigin = 'http://localhost:3000';
  assert.deepEqual(readSettings({ PORT: '' }), { port: 3000, publicOrigin, production: false });
  const PUBLIC_ORIGIN = 'HTTPS://A.example.com:443/';
  const env = { PORT: '0', PUBLIC_ORIGIN, NODE_ENV: 'production' };
  const expected = { port: 0, publicOrigin: 'https://a.example.com', production: true };
  assert.deepEqual(readSettings(env), expected);
});

/** A start with sockets that systemd hands over. */
const sockets = (count: number, script: string) => () => {
  const command = `LISTEN_PID=$$ LISTEN_FDS=${count} exec "$0" "$1" ${script}`;
  return runToEnd([
    'sh',
    '-c',
    command,
    process.execPath,
    path.join(installation.root, 'server.js'),
  ]);
};
for (const [what, start, expected, line] of [
  ['a wrong PORT', () => installation.run({ PORT: '1\n2' }), 2, /^PORT is ".*"; it must be /],
  [
    'a port in use',
    () => installation.run({ PORT: `${port}` }),
    1,
    /^port \d+ is in use; set PORT to /,
  ],
  [
    'two sockets of systemd',
    sockets(2, ''),
    1,
    /^systemd hands over 2 sockets; guestlist\.socket /,
  ],
  ['a file as its socket', sockets(1, '3</dev/null'), 1, /^file descriptor 3 is not a listening /],
] as const)
  it(`a start with ${what} is refused with one line and a status`, () => {
    const { status, stdout, stderr } = start();
    assert.deepEqual([status, stdout], [expected, ''], stderr);
    assert.match(stderr, line);
    assert.match(stderr, /^.*\n$/);
    if (expected === 2) assert.ok(!fs.existsSync(data), 'before there is a store');
  });

it('names tools with the server’s port, so that their links have it', async () => {
  const server = await installation.start({ PORT: '0' });
  await server.prints(/Nobody is invited yet: [^;]+$/);
  const [, , command = ''] =
    /: (PORT=(\d+) node tools\/invite\.js add)/.exec(server.stdout.join()) ?? [];
  assert.equal(command, String(server.port));
  await installation.clear();
  for (const env of [{ PORT: '3000' }, { PORT: '' }, {}]) assert.equal(nameTool(env), LIST);
  assert.equal(nameTool({ PORT: '4810' }), `PORT=4810 ${LIST}`);
  assert.equal(nameTool({ PORT: '4810', PUBLIC_ORIGIN: 'https://a.example.com' }), LIST);
  assert.equal(nameTool({ PORT: '4810', GUESTLIST_COMMAND: '1' }), 'guestlist invite list');
});

const LIST = 'node tools/invite.js list';

/** How messages name a tool with these settings. */
function nameTool(env: Readonly<Record<string, string>>): string {
  const { PORT, PUBLIC_ORIGIN, ...others } = process.env;
  const config = path.join(installation.root, 'lib', 'config.js');
  const code = `import('${config}').then((it) => console.log(it.commandFor('invite list')))`;
  const { stdout } = runToEnd([process.execPath, '-e', code], { env: { ...others, ...env } });
  return stdout.trim();
}

describe('a start', () => {
  it('warns once in production where the public origin is http', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'http://preview.example.com' };
    const server = await installation.start(env);
    await server.stop();
    assert.equal(server.stderr.length, 1);
    assert.match(String(server.stderr[0]), /^PUBLIC_ORIGIN is http:.* only over https.* restart$/);
  });

  it('prints the address and the next steps, and allows no second server', async () => {
    // A socket of another process is ignored.
    const env = { NODE_ENV: 'production', LISTEN_PID: '1', LISTEN_FDS: '1' };
    const first = await installation.start({ ...env, GUESTLIST_COMMAND: '1' });
    await first.prints(
      /Nobody is invited yet: guestlist invite add you@example\.com; if guests were, check that the disk of \/.+ is mounted$/,
    );
    assert.deepEqual(first.stdout.slice(0, -1), [`listening on ${first.origin}`]);
    assert.deepEqual(first.stderr, [
      `PUBLIC_ORIGIN is not set, so letters link to http://localhost:${first.port}; set it, and restart`,
    ]);
    for (const file of [data, ...fs.readdirSync(data).map((name) => path.join(data, name))])
      assert.equal(fs.statSync(file).mode & 0o777, file === data ? 0o700 : 0o600, file);

    const { status, stdout, stderr } = installation.run();
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      fs.existsSync('/proc/locks')
        ? /^process (\d+) \(a server\) is using .*\/guestlist\.db; stop it first: (Ctrl-C in its terminal, or )?kill \1\n$/
        : /^a server or a restore is using .*guestlist\.db; stop it first: Ctrl-C in its terminal, or systemctl stop guestlist\.socket guestlist, or docker compose stop, and run the tool by docker compose run --rm guestlist …\n$/,
    );
    await first.stop('SIGKILL');
    installation.invite(ADA);
    const again = await installation.start();
    await again.stop();
    assert.deepEqual([again.stdout, again.stderr], [[`listening on ${again.origin}`], []]);
  });

  it('says in production that guests see the sample, as a reload does', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://preview.example.com' };
    installation.invite(ADA);
    installation.setAdmin(ADA);
    const server = await installation.start(env);
    const said = () => server.stderr.filter((line) => line.startsWith('guests see the sample'));
    assert.deepEqual(said(), [], 'only the administrator is invited');
    installation.invite('grace@example.com');
    server.process.kill('SIGHUP');
    await server.prints(/reloaded from pages\/sample$/);
    const own = path.join(fs.realpathSync(installation.root), 'data', 'site');
    fs.cpSync(path.join(installation.root, 'pages', 'sample'), own, { recursive: true });
    server.process.kill('SIGHUP');
    await server.prints(/reloaded from data\/site$/);
    await server.stop();
    const remedy = 'copy it there, and reload';
    assert.deepEqual(said(), [`guests see the sample: there is no ${own}; ${remedy}`]);
  });

  it('deletes sessions that have expired, once a minute', async () => {
    installation.invite(ADA);
    const begin = (now: number) =>
      installation.write(({ sessions }) => sessions.begin(ADA, now).id);
    const expired = begin(Date.now() - SESSION_LIFETIME);
    const open = begin(Date.now());
    await installation.start(SHORT_MINUTES);
    const left = () =>
      readDatabase(installation.store, (db) => db.prepare('select id from sessions').pluck().all());
    await until('the expired session to be deleted', () => !left().includes(expired));
    assert.deepEqual(left(), [open]);
  });
});

/** Prints the limits of the server, and sets short ones. */
const IMPATIENT = `import http from 'node:http';
  const { createServer } = http;
  http.createServer = (limits) => {
    console.error(JSON.stringify(limits));
    const timeouts = { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 };
    return createServer({ ...limits, ...timeouts });
  };`;

it('headers may take 10 s, requests 15 s, idle connections 65 s', async () => {
  const { port, reports, stderr } = await installation.start(preload(IMPATIENT));
  await reports(/headersTimeout/);
  const { headersTimeout, requestTimeout, keepAliveTimeout } = JSON.parse(stderr[0] ?? '');
  assert.deepEqual([headersTimeout, requestTimeout, keepAliveTimeout], [10_000, 15_000, 65_000]);
  const head = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  for (const bytes of [head, `${head}Content-Length: 100\r\n\r\n{`])
    assert.match(await sendRaw(port, bytes), /^HTTP\/1\.1 408 /);
});

/** Prints the address that the server is bound to. */
const BOUND = `import net from 'node:net';
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...args) {
    this.on('listening', () => console.error(this.address().address));
    return listen.apply(this, args);
  };`;

it('a server listens on 127.0.0.1 alone', async () => {
  const server = await installation.start(preload(BOUND));
  await server.stop();
  assert.deepEqual(server.stderr, ['127.0.0.1']);
});

/** Whether a server accepts no more connections. */
const refuses = (origin: string): Promise<boolean> =>
  send(origin, 'GET /', {}, new http.Agent()).then(
    () => false,
    () => true,
  );

describe('a stop', () => {
  it('on a socket of systemd, refuses no connection', async () => {
    const server = await startOnHeldSocket(installation, { PORT: '1' });
    try {
      for (let restarts = 0; restarts < 2; restarts += 1) {
        const restarted = server.restart();
        const visits = Array.from({ length: 20 }, () => send(server.origin, 'GET /'));
        for (const { status } of await Promise.all(visits)) assert.equal(status, 200);
        // A second signal to a server that is still stopping would end it at once.
        await restarted;
      }
    } finally {
      await server.stop();
    }
  });

  for (const [what, signals, status] of [
    ['SIGTERM', ['SIGTERM'], 0],
    ['SIGINT', ['SIGINT'], 0],
    ['a second signal', ['SIGTERM', 'SIGTERM'], 1],
  ] as const)
    it(`by ${what} ${status ? 'is immediate' : 'answers requests first'}, with status ${status}`, async () => {
      installation.invite(ADA);
      const server = await installation.start();
      const body = `{"email":"${ADA}"}`;
      const socket = net.connect(server.port, '127.0.0.1');
      const length = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
      socket.write(`POST /auth/login HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n{`);
      await send(server.origin, 'GET /auth/me');
      for (const signal of signals) {
        server.process.kill(signal);
        await until('the server to refuse connections', () => refuses(server.origin));
      }
      if (status === 0) {
        socket.write(body.slice(1));
        const [answer] = await once(socket, 'data');
        assert.match(String(answer), /^HTTP\/1\.1 200 OK/);
      }
      socket.destroy();
      assert.equal(await server.ends(), status);
      assert.equal(
        fs.existsSync(`${installation.store}-wal`),
        status > 0,
        'whether the store is open',
      );
    });
});
