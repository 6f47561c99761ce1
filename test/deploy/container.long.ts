/**
 * The container, built from the archive in dist/ and run by deploy/compose.yaml. No registry is
 * used: debootstrap makes the base, and the image of Caddy has this machine's Caddy.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { login, visitor } from '../proxies/client.ts';
import { DOMAIN, freePort } from '../proxies/proxy.ts';
import { lacks, lacksRoot } from '../support/lacks.ts';

const PROGRAMS = ['buildah', 'podman', 'podman-compose', 'runc', 'debootstrap', 'caddy'] as const;
const MAX_MEGABYTES = 120;
/** The runtime cannot raise the limits of a container above those of this machine. */
const LIMITS = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'];
const SERVICE = 'guestlist_guestlist_1';

const dist = path.join(root, 'dist');
const archive =
  fs.existsSync(dist) && fs.readdirSync(dist).find((name) => name.endsWith('-linux-x64.tar.gz'));
const lacking =
  lacksRoot ||
  PROGRAMS.map(lacks).find(Boolean) ||
  (!archive && 'takes an archive in dist/: npm run release');

describe('the container', { skip: lacking || false }, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-container-'));
  const unpacked = path.join(folder, 'archive');
  const pod = path.join(folder, 'podman');
  // podman takes at most 50 characters.
  const runRoot = fs.mkdtempSync('/run/guestlist-');
  /** Where buildah and podman keep images and containers. */
  const storage = `--root ${folder}/root --runroot ${runRoot} --storage-driver overlay`;

  const podman = (...args: readonly string[]) => run(pod, ...args);
  const logged = async (text: string) => {
    while (!podman('logs', SERVICE).includes(text)) await sleep(100);
  };
  let port = 0;

  before(async () => {
    // podman-compose 1.0 passes `network_mode: service:caddy` on as it is.
    fs.writeFileSync(
      pod,
      `#!/bin/sh
      case $* in *service:caddy*)
        set -- $(echo "$*" | sed 's/service:caddy/container:guestlist_caddy_1/; s/--net [^ ]* --network-alias [^ ]*//')
      esac
      exec podman ${storage} --tmpdir '${folder}/tmp' --network-config-dir '${folder}/net' \\
        --cgroup-manager cgroupfs --runtime runc --events-backend file "$@"\n`,
      { mode: 0o755 },
    );
    const base = path.join(folder, 'base');
    run('debootstrap', '--variant=minbase', 'bookworm', base);
    sh(`tar -C '${base}' -c . | '${pod}' import - guestlist-base`);
    fs.mkdirSync(unpacked);
    // As an ordinary user with this umask would unpack it, and after a trial there.
    const options = `-C '${unpacked}' --strip-components=1 --no-same-permissions`;
    sh(`umask 077; tar -xzf '${path.join(dist, String(archive))}' ${options}`);
    fs.mkdirSync(path.join(unpacked, 'data'));
    fs.writeFileSync(path.join(unpacked, 'data', 'guestlist.db'), 'of a trial');
    build('guestlist', path.join(unpacked, 'deploy', 'Containerfile'), unpacked);
    const caddy = path.join(folder, 'Caddy');
    fs.writeFileSync(
      caddy,
      'ARG BASE\nFROM $BASE\nCOPY caddy /usr/bin/\nENV XDG_DATA_HOME=/data\nCMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile"]\n',
    );
    build('docker.io/library/caddy:2', caddy, '/usr/bin');

    port = await freePort();
    edit('compose.yaml', [
      ["'80:80', '443:443'", `'127.0.0.1:${port}:443'`],
      ['https://preview.example.com', `https://${DOMAIN}`],
    ]);
    edit('Caddyfile', [['preview.example.com {', `${DOMAIN} {\n\ttls internal`]]);
    run(
      ...['podman-compose', '--podman-path', pod, '--project-name', 'guestlist'],
      `--podman-run-args=${LIMITS.join(' ')}`,
      ...['--file', path.join(unpacked, 'deploy', 'compose.yaml'), 'up', '--detach'],
    );
    await logged('listening on http://127.0.0.1:3000\n');
  });

  after(() => {
    // Caddy's cannot be removed before the one that uses its network.
    for (const name of [SERVICE, 'guestlist_caddy_1']) podman('rm', '--force', name);
    podman('network', 'rm', 'guestlist_default');
    run('podman', ...storage.split(' '), 'system', 'reset', '--force');
    for (const each of [folder, runRoot]) fs.rmSync(each, { recursive: true, force: true });
  });

  function build(tag: string, file: string, context: string): void {
    const options = '--isolation chroot --format docker --build-arg BASE=localhost/guestlist-base';
    sh(`buildah ${storage} build ${options} --tag ${tag} --file '${file}' '${context}'`);
  }

  function edit(name: string, changes: readonly (readonly [string, string])[]): void {
    const file = path.join(unpacked, 'deploy', name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(
      file,
      changes.reduce((result, [from, to]) => {
        assert.ok(result.includes(from), `${name} has ${from}`);
        return result.replace(from, to);
      }, text),
    );
  }

  it(`adds less than ${MAX_MEGABYTES} MB to its base`, () => {
    const size = (image: string) => Number(podman('inspect', '--format', '{{.Size}}', image));
    const megabytes = (size('localhost/guestlist') - size('localhost/guestlist-base')) / 1e6;
    assert.ok(megabytes < MAX_MEGABYTES, `${megabytes} MB`);
  });

  it('serves behind Caddy in the same network namespace, as its own user', async () => {
    podman('exec', SERVICE, 'guestlist', 'invite', 'add', 'ada@example.com');
    podman('healthcheck', 'run', SERVICE);
    const authority = '/data/caddy/pki/authorities/local/root.crt';
    const certificate = podman('exec', 'guestlist_caddy_1', 'cat', authority);
    const one = visitor({ https: port, certificate }, '127.0.0.1');
    try {
      assert.equal((await one.ask(login('ada@example.com'))).status, 200);
    } finally {
      one.close();
    }
    assert.match(podman('exec', SERVICE, 'id'), /^uid=10001\(guestlist\) /);
  });

  it('writes to /data only: its root is read-only, also for root', () => {
    podman('exec', SERVICE, 'touch', '/data/x');
    for (const file of ['/opt/guestlist/x', '/etc/x']) {
      const { stderr } = spawnSync(pod, ['exec', '--user=0', SERVICE, 'touch', file]);
      assert.match(String(stderr), /Read-only file system/);
    }
  });

  it('reads the site again at SIGHUP', async () => {
    podman('exec', SERVICE, 'guestlist', 'site', 'init');
    podman('kill', '--signal', 'HUP', SERVICE);
    await logged('the site was reloaded from data/site\n');
  });

  it('stops at SIGTERM with exit status 0, and keeps its data', () => {
    podman('stop', SERVICE);
    assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', SERVICE), '0\n');
    const options = [...LIMITS, '--network=none', '--volume=guestlist_guestlist:/data'];
    const list = podman('run', '--rm', ...options, 'guestlist', 'invite', 'list');
    assert.match(list, /ada@example\.com/);
  });
});

function run(...command: readonly string[]): string {
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e8 });
  assert.equal(status, 0, `${command.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

const sh = (commands: string) => run('sh', '-c', commands);
