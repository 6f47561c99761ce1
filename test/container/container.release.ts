/**
 * deploy/Dockerfile, built and run by buildah, from a plain clone. The base images are made here,
 * under the names of the official ones: a Debian, with the Node that npm carries.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { logIn, send } from '../support/client.ts';
import { lacks, lacksRoot } from '../support/lacks.ts';
import { type Running, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const skip =
  lacksRoot ||
  lacks('buildah') ||
  lacks('debootstrap') ||
  (process.env.SHORT ? 'takes minutes' : false);

const ADA = 'ada@example.com';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const OWNER = 10_001;

describe('the image of deploy/Dockerfile', { skip }, () => {
  const folder = temporaryFolder();
  const clone = path.join(folder, 'clone');
  const volume = path.join(folder, 'volume');
  const storage = ['--root=storage', '--runroot=run', '--storage-driver=vfs'];
  const call = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const buildah = (...args: readonly string[]) => call('buildah', ...storage, ...args).trim();
  const chroot = ['--isolation', 'chroot'];
  let container = '';
  const mounted = ['--volume', `${volume}:/var/lib/guestlist`];
  const inside = (...words: readonly string[]) => ['run', ...chroot, ...mounted, ...words];

  /** The root folder of a Debian, with Node and npm in /usr/local as in the official image. */
  function fillBase(base: string): void {
    call('debootstrap', '--variant=minbase', '--include=ca-certificates', 'trixie', base);
    const local = path.join(base, 'usr/local');
    const name = `node-linux-${process.arch}`;
    call('npm', 'install', '--silent', '--prefix', 'node', `${name}@24`, 'npm@11');
    const modules = path.join(folder, 'node/node_modules');
    for (const part of ['bin', 'include'])
      fs.cpSync(path.join(modules, name, part), path.join(local, part), { recursive: true });
    const npm = path.join(local, 'lib/node_modules/npm');
    fs.cpSync(path.join(modules, 'npm'), npm, { recursive: true });
    fs.symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'));
    // npm trusts the certificates of this machine, and compiling downloads no headers.
    fs.cpSync(AUTHORITIES, path.join(base, AUTHORITIES));
    const registry = call('npm', 'config', 'get', 'registry').trim();
    const lines = [`registry=${registry}`, `cafile=${AUTHORITIES}`, 'nodedir=/usr/local', ''];
    fs.writeFileSync(path.join(base, 'root/.npmrc'), lines.join('\n'));
  }

  function makeBases(): void {
    const made = buildah('from', 'scratch');
    fillBase(buildah('mount', made));
    buildah('commit', made, 'docker.io/library/node:24-trixie-slim');
    const compiler =
      'apt-get update && apt-get install -y --no-install-recommends build-essential python3';
    buildah('run', ...chroot, made, 'sh', '-c', compiler);
    buildah('commit', made, 'docker.io/library/node:24-trixie');
  }

  before(() => {
    execFileSync('git', ['clone', '-q', root, clone]);
    makeBases();
    const unwanted = [
      'data/secret.db',
      'node_modules/secret',
      'test/node_modules/secret',
      'lib/secret.js',
    ];
    for (const file of unwanted.map((name) => path.join(clone, name))) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, '');
    }
    const options = ['--pull-never', '--format', 'docker', '--file', 'clone/deploy/Dockerfile'];
    buildah('bud', ...chroot, ...options, '--tag', 'guestlist', 'clone');
    container = buildah('from', '--pull-never', 'guestlist');
    // An engine fills an empty volume from the folder of the image. Do the same.
    fs.mkdirSync(volume, { mode: 0o700 });
    fs.chownSync(volume, OWNER, OWNER);
  });

  it('is built without data/, node_modules/, .git and compiled files of the clone', () => {
    fs.writeFileSync(path.join(folder, 'Everything'), 'FROM scratch\nCOPY . /\n');
    buildah('bud', ...chroot, '--file', 'Everything', '--tag', 'everything', 'clone');
    const everything = buildah('mount', buildah('from', '--pull-never', 'everything'));
    const found = fs.readdirSync(everything, { recursive: true, encoding: 'utf8' });
    assert.ok(found.includes('lib/app.ts'));
    const unwanted = found.filter((name) => /^\.git\b(?!ignore|attributes|hub)|secret/.test(name));
    assert.deepEqual(unwanted, []);
  });

  it('serves as the user 10001, and stops at SIGTERM', async () => {
    const tool = (...words: readonly string[]) =>
      buildah(...inside(container, 'guestlist', ...words));
    assert.match(tool('invite', 'add', ADA), /^ada@example\.com is invited\n/);
    assert.match(tool('--version'), /^\d+\.\d+\.\d+$/);
    const env = ['--env', 'PORT=34571', '--env', 'PUBLIC_ORIGIN=https://preview.example.com'];
    const command = [...storage, ...inside(...env, container, 'guestlist', 'serve')];
    const server = startProcess(['buildah', ...command], { cwd: folder });
    await server.prints(/^listening on /m);
    const origin = 'http://127.0.0.1:34571';
    const cookie = await logIn(origin, ADA);
    assert.equal((await send(origin, 'GET /timeline', { cookie })).status, 200);
    const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'guestlist'));
    const { Healthcheck, Volumes, User } = Docker.config;
    assert.deepEqual([Object.keys(Volumes), User], [['/var/lib/guestlist'], 'guestlist']);
    const checkHealth = () =>
      buildah(...inside('--env', 'PORT=34571', container, ...Healthcheck.Test.slice(1)));
    checkHealth();
    assert.equal(fs.statSync(path.join(volume, 'guestlist.db')).uid, OWNER);
    process.kill(serverIn(server));
    assert.equal(await server.ends(), 0);
    assert.throws(checkHealth);
  });
});

/** The pid of the service, the last descendant of buildah. */
function serverIn({ process: { pid = 0 } }: Running): number {
  const children = (of: number) =>
    fs.readFileSync(`/proc/${of}/task/${of}/children`, 'utf8').trim().split(' ').filter(Boolean);
  let last = pid;
  for (let [next] = children(last); next !== undefined; [next] = children(last))
    last = Number(next);
  return last;
}
