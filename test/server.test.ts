/** The process: refused starts, the first lines, memory, and signals. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { logIn, send } from './support/client.ts';
import { withDatabase } from './support/database.ts';
import { startHeld } from './support/held-socket.ts';
import type { Result, Server } from './support/installation.ts';
import { siteForEach } from './support/site.ts';

/** The smallest server. */
const LISTEN = "require('http').createServer().listen(0, '127.0.0.1', () => console.log())";

const site = siteForEach();

/** Asserts that a start failed with this status and one line on stderr. */
function assertRefused({ status, stdout, stderr }: Result, expected: number, line: RegExp): void {
  assert.equal(status, expected, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, line);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

describe('settings', () => {
  for (const env of [{ PORT: '1\n2' }, { PUBLIC_ORIGIN: 'preview.example.com' }])
    it(`${JSON.stringify(env)} is refused with status 2, before there is a store`, () => {
      assertRefused(site.run(env), 2, /^(PORT|PUBLIC_ORIGIN) is ".*"; it must be /);
      assert.ok(!fs.existsSync(site.store));
    });

  it('an empty variable counts as unset', async () => {
    await site.start({ PUBLIC_ORIGIN: '', NODE_ENV: '' });
  });
});

describe('a start', () => {
  it('prints the address, and how to add the first invite if there is none', async () => {
    const server = await site.start();
    await server.stop();
    assert.deepEqual(server.stdout, [
      `listening on ${server.origin}`,
      'nobody is invited yet; add the first: node tools/invite.js add <email>',
    ]);
    site.invite('ada@example.com');
    const again = await site.start();
    assert.deepEqual(again.stdout, [`listening on ${again.origin}`]);
    assert.deepEqual(again.stderr, []);
  });

  it('listens on the loopback interface only', async () => {
    const server = await site.start();
    const table =
      fs.readFileSync('/proc/net/tcp', 'utf8') + fs.readFileSync('/proc/net/tcp6', 'utf8');
    const port = server.port.toString(16).toUpperCase().padStart(4, '0');
    const listening = table
      .split('\n')
      .filter((line) => new RegExp(`^\\s*\\d+: \\w+:${port} \\w+:0000 0A`).test(line));
    assert.equal(listening.length, 1);
    assert.match(listening[0] ?? '', /0100007F:/);
  });

  it('creates a store that only its owner can read', async () => {
    await site.start();
    const mode = (file: string) => fs.statSync(file).mode & 0o777;
    assert.equal(mode(path.dirname(site.store)), 0o700);
    for (const file of fs.readdirSync(path.dirname(site.store))) {
      assert.equal(mode(path.join(path.dirname(site.store), file)), 0o600, file);
    }
  });

  it('takes at most 20 MB more anonymous memory than a bare Node server', async (t) => {
    // With a small young generation, garbage of the start counts for little.
    const env = { NODE_OPTIONS: '--max-semi-space-size=1' };
    const idle = spawn(process.execPath, ['-e', LISTEN], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => idle.kill('SIGKILL'));
    await once(idle.stdout, 'data');
    const server = await site.start(env);
    await send(server.origin, 'GET /');
    // VmRSS also counts the pages of Node's executable that happen to be mapped.
    const megabytes = ({ pid }: ChildProcess) => {
      const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
      return (Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6;
    };
    const [ours, bare] = [megabytes(server.process), megabytes(idle)];
    assert.ok(ours - bare <= 20, `${ours} MB, ${bare} MB without the service`);
  });

  it('on a port in use says so and exits with 1', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    assertRefused(
      site.run({ PORT: String(port) }),
      1,
      new RegExp(`^port ${port} is in use; set PORT to another$`, 'm'),
    );
    other.close();
  });
});

describe('a socket that systemd hands over', () => {
  it('is used in place of PORT, and refuses no connection while the server restarts', async () => {
    const server = await startHeld(site, { PORT: '1' });
    const visits = [];
    try {
      for (let restarts = 0; restarts < 3; restarts += 1) {
        const restarted = server.restart();
        for (let i = 0; i < 20; i += 1) visits.push(fetch(server.origin));
        for (const { status } of await Promise.all(visits)) assert.equal(status, 200);
        // A second signal to a server that is still stopping would end it at once.
        await restarted;
      }
    } finally {
      await server.stop();
    }
  });

  it('of another process is ignored', async () => {
    await site.start({ LISTEN_PID: '1', LISTEN_FDS: '1' });
  });

  it('beside another one stops the start with one line and status 1', () => {
    const script = 'LISTEN_PID=$$ LISTEN_FDS=2 exec "$@"';
    const args = ['-c', script, 'sh', process.execPath, path.join(site.root, 'server.js')];
    assertRefused(
      spawnSync('sh', args, { encoding: 'utf8', timeout: 300_000 }),
      1,
      /^systemd hands over 2 sockets; guestlist\.socket may have one ListenStream$/m,
    );
  });

  it('that is none stops the start with one line and status 1', () => {
    const script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3</dev/null';
    const args = ['-c', script, 'sh', process.execPath, path.join(site.root, 'server.js')];
    assertRefused(
      spawnSync('sh', args, { encoding: 'utf8', timeout: 300_000 }),
      1,
      /^file descriptor 3 is not a listening TCP socket; /,
    );
  });
});

describe('an unusable store stops the start with one line, and is not changed', () => {
  const write = (content: string | Buffer) => {
    fs.mkdirSync(path.dirname(site.store), { recursive: true });
    fs.writeFileSync(site.store, content);
  };

  it('a file that is not SQLite', () => {
    const content = 'this is no database\n'.repeat(100);
    write(content);
    assertRefused(site.run(), 1, /guestlist\.db is not a SQLite file; move it away/);
    assert.equal(fs.readFileSync(site.store, 'utf8'), content);
  });

  it('a SQLite file of another program', () => {
    write('');
    withDatabase(site.store, (db) => db.exec('create table other (x)'));
    const content = fs.readFileSync(site.store);
    assertRefused(site.run(), 1, /guestlist\.db is a SQLite file of something else/);
    assert.deepEqual(fs.readFileSync(site.store), content);
  });

  it('a store newer than the code', () => {
    site.invite('ada@example.com');
    withDatabase(site.store, (db) => {
      db.pragma('user_version = 999');
      db.pragma('wal_checkpoint(truncate)');
    });
    const content = fs.readFileSync(site.store);
    assertRefused(site.run(), 1, /guestlist\.db was written by a newer Guestlist \(schema 999/);
    assert.deepEqual(fs.readFileSync(site.store), content);
    assertRefused(site.tool('invite', 'list'), 1, /newer Guestlist/);
  });

  it('a data/ that cannot be written', () => {
    fs.writeFileSync(path.dirname(site.store), 'a file where the folder should be');
    assertRefused(
      site.run(),
      1,
      /guestlist\.db cannot be opened \(.*\); check that its folder can be written/,
    );
    assertRefused(site.tool('invite', 'add', 'ada@example.com'), 1, /cannot be opened/);
  });
});

describe('SIGTERM and SIGINT', () => {
  /** Resolves when a server no longer accepts connections. */
  async function untilClosed({ origin }: Server): Promise<void> {
    while (await fetch(origin).catch(() => undefined));
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal} stops accepting, answers the requests in flight, and exits with 0`, async () => {
      site.invite('ada@example.com');
      const server = await site.start();
      const cookie = await logIn(server.origin, 'ada@example.com');
      const body = '{"email":"ada@example.com"}';
      const socket = net.connect(server.port, '127.0.0.1');
      socket.write(
        `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
      );
      await send(server.origin, 'GET /auth/me', { cookie });
      server.process.kill(signal);
      await untilClosed(server);
      socket.write(body.slice(1));
      const [answer] = await once(socket, 'data');
      assert.match(String(answer), /^HTTP\/1\.1 200 OK/);
      assert.equal(await server.exited, 0);
      assert.ok(!fs.existsSync(`${site.store}-wal`), 'the store is closed');
    });
  }

  it('a second signal exits at once', async () => {
    const server = await site.start();
    const socket = net.connect(server.port, '127.0.0.1');
    socket.write(
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await send(server.origin, 'GET /');
    server.process.kill('SIGTERM');
    await untilClosed(server);
    server.process.kill('SIGTERM');
    assert.equal(await server.exited, 1);
    socket.destroy();
  });
});
