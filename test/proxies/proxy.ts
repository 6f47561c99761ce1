/** Runs Debian's Caddy and nginx with the shipped files, with other ports, paths and domain. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { commandsOf } from '../package/document.ts';
import { type Running, startProcess } from '../support/process.ts';

/** The domain of the tests, on 127.0.0.1. */
export const DOMAIN = 'preview.test';

export type RunningProxy = {
  readonly http: number;
  readonly https: number;
  /** The certificate to trust (PEM), and its file. */
  readonly certificate: string;
  readonly certificateFile: string;
  /** Ends it, which must not have happened before. @returns its logs */
  stop(): Promise<string>;
};

/** Writes the files of a proxy. @returns its command */
type Recipe = (place: Place) => readonly string[];

type Place = {
  readonly domain: string;
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly service: number;
};

const caddy: Recipe = ({ domain, folder, http, https, service }) => {
  const config = replaceAll(shipped('Caddyfile'), [
    ['preview.example.com {', `${domain} {`],
    [/# tls .*/, `tls ${folder}/certificate.pem ${folder}/key.pem`],
    [/127\.0\.0\.1:3000/g, `127.0.0.1:${service}`],
    [
      /^\{$/m,
      `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tstorage file_system ${folder}`,
    ],
  ]);
  fs.writeFileSync(path.join(folder, 'Caddyfile'), config);
  return ['caddy', 'run', '--config', path.join(folder, 'Caddyfile')];
};

const nginx: Recipe = ({ domain, folder, http, https, service }) => {
  const site = replaceAll(shipped('nginx.conf'), [
    [/preview\.example\.com;/g, `${domain};`],
    [/\/etc\/letsencrypt\/.*fullchain\.pem/, `${folder}/certificate.pem`],
    [/\/etc\/letsencrypt\/.*privkey\.pem/, `${folder}/key.pem`],
    ['127.0.0.1:3000', `127.0.0.1:${service}`],
    [/listen (\[::\]:)?80;/g, `listen $1${http};`],
    [/listen (\[::\]:)?443 /g, `listen $1${https} `],
    [/\/var\/log\/nginx/g, folder],
  ]);
  fs.writeFileSync(path.join(folder, 'site'), site);
  // Debian's main file includes the site. docs/install.md changes it by one command.
  const main = replaceAll(fs.readFileSync('/etc/nginx/nginx.conf', 'utf8'), [
    [/^user .*/m, process.getuid?.() === 0 ? 'user root;' : ''],
    [/pid .*/, `pid ${folder}/pid;`],
    [/\/var\/log\/nginx/g, folder],
    ['/etc/nginx/sites-enabled/*', `${folder}/site`],
    [
      /^http \{$/m,
      `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}`,
    ],
  ]);
  fs.writeFileSync(path.join(folder, 'nginx.conf'), main);
  const change = commandsOf('docs/install.md')
    .flatMap(({ commands }) => commands.split('\n'))
    .find((command) => command.endsWith(' /etc/nginx/nginx.conf'));
  if (change)
    spawnSync('sh', [
      '-c',
      change.replace('/etc/nginx/nginx.conf', `"$0"`),
      `${folder}/nginx.conf`,
    ]);
  return ['nginx', '-c', `${folder}/nginx.conf`, '-g', 'daemon off;'];
};

const RECIPES = { caddy, nginx };
export type ProxyName = keyof typeof RECIPES;
export const PROXY_NAMES: readonly ProxyName[] = ['caddy', 'nginx'];

/** Why a proxy cannot be tested here, or `false`. */
export function missing(name: ProxyName): string | false {
  const found = spawnSync(name, [name === 'caddy' ? 'version' : '-v']).error === undefined;
  return found ? false : `${name} is not installed`;
}

export type ProxyOptions = {
  readonly domain?: string;
  /** How many days the certificate is valid. */
  readonly days?: number;
  /** Parts of the configuration, and what stands in their place. */
  readonly changes?: Changes;
};

type Changes = readonly (readonly [string | RegExp, string])[];

/** The time limits of the shipped configurations, of 10 and 20 s, in a second. */
export const IMPATIENT: ProxyOptions = { changes: [[/\b[12]0s\b/g, '1s']] };

/** Starts a proxy in front of the service's port, and waits until it accepts connections. */
export async function startProxy(
  name: ProxyName,
  service: number,
  { domain = DOMAIN, days = 30, changes = [] }: ProxyOptions = {},
): Promise<RunningProxy> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `guestlist-${name}-`));
  const [http, https] = [await freePort(), await freePort()];
  const certificate = makeCertificate(folder, domain, days);
  const command = RECIPES[name]({ domain, folder, http, https, service });
  const config = path.join(folder, name === 'nginx' ? 'site' : 'Caddyfile');
  fs.writeFileSync(config, replaceAll(fs.readFileSync(config, 'utf8'), changes));
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const running = startProcess(command, { env });
  await accepting(https, running);
  return {
    http,
    https,
    certificate,
    certificateFile: path.join(folder, 'certificate.pem'),
    async stop() {
      const { exitCode, signalCode } = running.process;
      assert.equal(exitCode ?? signalCode, null, 'it still runs');
      await running.stop();
      const logs = ['access.log', 'error.log']
        .map((file) => path.join(folder, file))
        .filter((file) => fs.existsSync(file))
        .map((file) => fs.readFileSync(file, 'utf8'));
      fs.rmSync(folder, { recursive: true, force: true });
      return [...running.stdout, ...running.stderr, ...logs].join('\n');
    },
  };
}

const shipped = (name: string): string => fs.readFileSync(path.join(root, 'deploy', name), 'utf8');

function replaceAll(text: string, replacements: Changes): string {
  return replacements.reduce((result, [from, to]) => {
    const next = result.replace(from, to);
    if (next === result) throw new Error(`the file no longer has ${from}`);
    return next;
  }, text);
}

/** Makes a self-signed certificate for the domain. @returns it, PEM */
export function makeCertificate(folder: string, domain: string, days: number): string {
  const [certificate, key] = [`${folder}/certificate.pem`, `${folder}/key.pem`];
  const names = `-subj /CN=${domain} -addext subjectAltName=DNS:${domain}`;
  const ec = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  const args = `req -x509 ${ec} -days ${days} ${names} -keyout ${key} -out ${certificate}`;
  const { status, stderr } = spawnSync('openssl', args.split(' '), { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return fs.readFileSync(certificate, 'utf8');
}

/**
 * A free port. It is below those of outgoing connections (from 32768 on), so that the kernel does
 * not give it to another test before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = net.createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').catch(() => false);
    if (free === false) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Resolves when the port accepts a connection. A busy machine may need a minute. */
async function accepting(port: number, { process, stdout, stderr }: Running): Promise<void> {
  for (let tries = 0; tries < 1200 && process.exitCode === null; tries += 1) {
    const socket = net.connect(port, '127.0.0.1');
    const open = await once(socket, 'connect').catch(() => false);
    socket.destroy();
    if (open) return;
    await setTimeout(50);
  }
  throw new Error(['the proxy does not accept connections', ...stdout, ...stderr].join('\n'));
}
