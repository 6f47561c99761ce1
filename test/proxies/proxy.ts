/** Runs Debian's Caddy and nginx with the shipped files, with other ports, paths and domain. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import { commandsOf } from '../docs/commands.ts';
import { type Options, send } from '../support/client.ts';
import { startProcess } from '../support/process.ts';

/** The domain of the tests, on 127.0.0.1. */
export const DOMAIN = 'preview.test';

/** An address of this process, so that another one cannot have its ports. */
const HOST = `127.${[64 + (process.pid >> 16), (process.pid >> 8) & 255, process.pid & 255].join('.')}`;

export const PRODUCTION = { NODE_ENV: 'production', PUBLIC_ORIGIN: `https://${DOMAIN}` };

export type RunningProxy = Awaited<ReturnType<typeof startProxy>>;

/** Makes a function that sends requests over one connection from a loopback address. */
export function visitor({ origin, certificate: ca }: RunningProxy, localAddress = '127.0.0.2') {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, localAddress, ca });
  return (line: string, { headers, ...options }: Options = {}) =>
    send(origin, line, { ...options, headers: { Host: DOMAIN, ...headers } }, agent);
}

/** Writes the files of a proxy. @returns its command, and what it reports when it listens */
type Recipe = (place: Place) => readonly [command: readonly string[], listens: RegExp];

type Place = {
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly service: number;
};

const caddy: Recipe = ({ folder, http, https, service }) => {
  const config = replaceAll(shipped('Caddyfile'), [
    [/preview\.example\.com/g, DOMAIN],
    [/# tls .*/, `tls ${folder}/certificate.pem ${folder}/key.pem`],
    [/127\.0\.0\.1:3000/g, `127.0.0.1:${service}`],
    [/^\{$/m, `{\n\tadmin off\n\tdefault_bind ${HOST}\n\tstorage file_system ${folder}`],
    [/^\{$/m, `{\n\thttp_port ${http}\n\thttps_port ${https}`],
  ]);
  fs.writeFileSync(path.join(folder, 'Caddyfile'), config);
  return [['caddy', 'run', '--config', `${folder}/Caddyfile`], /serving initial configuration/];
};

const nginx: Recipe = ({ folder, http, https, service }) => {
  const site = replaceAll(shipped('nginx.conf'), [
    [/preview\.example\.com;/g, `${DOMAIN};`],
    [/\/etc\/letsencrypt\/.*fullchain\.pem/, `${folder}/certificate.pem`],
    [/\/etc\/letsencrypt\/.*privkey\.pem/, `${folder}/key.pem`],
    ['127.0.0.1:3000', `127.0.0.1:${service}`],
    [/listen \[::\]:/g, 'listen [::1]:'],
    [/listen (?=\d)/g, `listen ${HOST}:`],
    [/:80;/g, `:${http};`],
    [/:443 /g, `:${https} `],
    [/\/var\/log\/nginx/g, folder],
  ]);
  fs.writeFileSync(path.join(folder, 'site'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // Debian's main file includes the site. docs/standby.md changes it by one command.
  const main = replaceAll(fs.readFileSync('/etc/nginx/nginx.conf', 'utf8'), [
    [/^user .*/m, process.getuid?.() === 0 ? 'user root;' : ''],
    [/pid .*/, `pid ${folder}/pid;`],
    [/\/var\/log\/nginx/g, folder],
    ['/etc/nginx/sites-enabled/*', `${folder}/site`],
    [/^http \{$/m, ['http {', ...temporary].join('\n')],
  ]);
  fs.writeFileSync(path.join(folder, 'nginx.conf'), main);
  const change = commandsOf('docs/standby.md')
    .flatMap(({ commands }) => commands.split('\n'))
    .find((command) => command.endsWith(' /etc/nginx/nginx.conf'));
  if (change) spawnSync('sh', ['-c', change.replace(/\S+$/, '"$0"'), `${folder}/nginx.conf`]);
  const logging = 'daemon off; error_log stderr notice;';
  return [['nginx', '-c', `${folder}/nginx.conf`, '-g', logging], /start worker process/];
};

const RECIPES = { caddy, nginx };
export type ProxyName = keyof typeof RECIPES;
export const PROXY_NAMES: readonly ProxyName[] = ['caddy', 'nginx'];

/** Parts of a file, and the text that replaces each. */
type Changes = readonly (readonly [string | RegExp, string])[];

/** The port of a service that does not run. It is that of discard, which only root can use. */
export const NO_SERVICE = 9;

let proxies = 0;

/** Starts a proxy in front of the service's port, and waits until it accepts connections. */
export async function startProxy(name: ProxyName, service: number, changes: Changes = []) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `guestlist-${name}-`));
  proxies += 1;
  // A port that no other test has, below those that the kernel gives to outgoing connections.
  const http = 10_000 + 2 * ((process.pid * 16 + proxies) % 10_000);
  const certificate = makeCertificate(folder);
  const [command, listens] = RECIPES[name]({ folder, http, https: http + 1, service });
  const config = path.join(folder, name === 'nginx' ? 'site' : 'Caddyfile');
  fs.writeFileSync(config, replaceAll(fs.readFileSync(config, 'utf8'), changes));
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const running = startProcess(command, { env });
  await running.reports(listens);
  return {
    origin: `https://${HOST}:${http + 1}`,
    /** The origin for clients without TLS. */
    insecure: `http://${HOST}:${http}`,
    /** The certificate to trust, PEM. */
    certificate,
    /** Ends the proxy. Fails if it ended before. @returns its logs */
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

/** Makes a self-signed certificate. @returns it, PEM */
function makeCertificate(folder: string): string {
  const certificate = `${folder}/certificate.pem`;
  const key = `${folder}/key.pem`;
  const names = `-subj /CN=${DOMAIN} -addext subjectAltName=DNS:${DOMAIN}`;
  const ec = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  const args = `req -x509 ${ec} -days 30 ${names} -keyout ${key} -out ${certificate}`;
  execFileSync('openssl', args.split(' '), { stdio: 'pipe' });
  return fs.readFileSync(certificate, 'utf8');
}
