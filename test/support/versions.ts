/**
 * Installed versions for a test: the folders that an installation from the archive has, archives of
 * further versions, and a stand-in for systemd, which starts the current version.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { freePort } from '../proxies/proxy.ts';
import { send } from './client.ts';
import { type Installation, install, type Result } from './installation.ts';
import { SYSTEMCTL, startSystemd } from './systemd.ts';

export type Versions = {
  /** The folder of the versions. */
  readonly base: string;
  readonly data: string;
  readonly origin: string;
  /** The first version, for work on the store. */
  readonly site: Installation;
  /** Makes the archive of a version, and SHA256SUMS. @param change works on its folder first */
  pack(version: string, change?: (folder: string) => void): string;
  /** Runs a tool of the current version. @param killAt kills it instead of its nth child process */
  tool(args: readonly string[], killAt?: number): Promise<Result>;
  /** The version whose process runs. */
  running(): string;
  /** What systemd has seen since: `restart`, `crash`. */
  readonly log: string[];
  /** Restarts the service, and waits until it answers. */
  restart(): Promise<void>;
  remove(): Promise<void>;
};

/** The platform in the name of an archive. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/** Kills its parent instead of running the nth program. */
const SETPRIV = `n=$(($(cat "$COUNT") + 1))
echo $n > "$COUNT"
if [ "$n" = "$KILL_AT" ]; then kill -KILL $PPID; exit; fi
exec "$SETPRIV" "$@"`;

/** @param folder an empty one */
export async function installVersions(folder: string): Promise<Versions> {
  const base = path.join(folder, 'opt');
  const data = path.join(folder, 'data');
  const bin = path.join(folder, 'bin');
  for (const each of [base, data, bin]) fs.mkdirSync(each, { recursive: true });
  fs.chmodSync(data, 0o700);
  const site = install();
  fs.mkdirSync(path.join(site.root, 'bin'));
  fs.symlinkSync(process.execPath, path.join(site.root, 'bin/node'));
  fs.symlinkSync(data, path.join(site.root, 'data'));
  name(site.root, '1.0.0');
  spawnSync('cp', ['-a', site.root, path.join(base, '1.0.0')]);
  fs.symlinkSync('1.0.0', path.join(base, 'current'));

  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    PORT: String(port),
    PUBLIC_ORIGIN: 'https://preview.example.com',
    COUNT: path.join(folder, 'count'),
    SETPRIV: spawnSync('sh', ['-c', 'command -v setpriv'], { encoding: 'utf8' }).stdout.trim(),
  };
  const systemd = await startSystemd(base, path.join(folder, 'systemd'), env);
  script(path.join(folder, 'systemctl.js'), SYSTEMCTL);
  const words = [process.execPath, path.join(folder, 'systemctl.js'), path.join(folder, 'systemd')];
  script(path.join(bin, 'systemctl'), `#!/bin/sh\nexec '${words.join("' '")}' "$@"`);
  script(path.join(bin, 'setpriv'), `#!/bin/sh\n${SETPRIV}`);

  return {
    base,
    data,
    origin,
    site,
    pack(version, change = () => {}) {
      const made = path.join(folder, `guestlist-${version}`);
      spawnSync('cp', ['-a', site.root, made]);
      fs.rmSync(path.join(made, 'data'));
      name(made, version);
      change(made);
      const archive = path.join(folder, `guestlist-${version}-${PLATFORM}.tar.gz`);
      const tar = ['-czf', archive, '-C', folder, path.basename(made)];
      if (spawnSync('tar', tar).status !== 0) throw new Error('tar has failed');
      fs.rmSync(made, { recursive: true });
      const sums = path.join(folder, 'SHA256SUMS');
      const others = fs.existsSync(sums) ? fs.readFileSync(sums, 'utf8').split('\n') : [];
      const kept = others.filter((line) => !line.endsWith(path.basename(archive)));
      fs.writeFileSync(sums, kept.join('\n') + sumLine(archive));
      return archive;
    },
    async tool([tool = '', ...args], killAt = 0) {
      fs.writeFileSync(path.join(folder, 'count'), '0');
      const current = path.join(base, 'current');
      const child = spawn(
        path.join(current, 'bin/node'),
        [path.join(current, `tools/${tool}.js`), ...args],
        { env: { ...env, KILL_AT: String(killAt) }, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return { status: child.exitCode, stdout, stderr };
    },
    ...systemd,
    async restart() {
      await systemd.restart();
      const answers = () =>
        send(origin, 'GET /')
          .then(() => true)
          .catch(() => false);
      while (!(await answers())) await sleep(50);
      await systemd.healed();
    },
    async remove() {
      await systemd.stop();
      await site.remove();
    },
  };
}

function name(folder: string, version: string): void {
  const file = path.join(folder, 'package.json');
  const described = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...described, version }));
}

/** The line of SHA256SUMS. */
export function sumLine(archive: string): string {
  const sum = createHash('sha256').update(fs.readFileSync(archive)).digest('hex');
  return `${sum}  ${path.basename(archive)}\n`;
}

const script = (file: string, lines: string): void =>
  fs.writeFileSync(file, `${lines}\n`, { mode: 0o755 });
