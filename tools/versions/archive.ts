/** An archive of a version: what its name says, whether it is whole, and its files. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../lib/cli/tool.ts';
import { base, partialOf } from './folders.ts';
import { run } from './programs.ts';

const NAME = /^guestlist-(\d+\.\d+\.\d+)-(\w+-\w+)\.tar\.gz$/;

/** What a trial start does not need, or does not name in one line. */
const PARTS = ['bin/node', 'server.js', 'sql', 'tools/rollback.js'];

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * @param sum its SHA-256 in hexadecimal digits; without it, `SHA256SUMS` beside the archive tells
 * @returns the version in it
 * @throws {Refusal} if it is for another platform, or not whole
 */
export async function checkArchive(archive: string, sum?: string): Promise<string> {
  const name = path.basename(archive);
  const [, version, platform] = NAME.exec(name) ?? [];
  if (version === undefined)
    throw new Refusal(
      `${name} is not an archive; those are named guestlist-<version>-${PLATFORM}.tar.gz`,
    );
  if (platform !== PLATFORM)
    throw new Refusal(`${name} is for ${platform}; get guestlist-${version}-${PLATFORM}.tar.gz`);
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(archive)) hash.update(chunk);
  const found = hash.digest('hex');
  if (found !== (sum?.toLowerCase() ?? listedSum(archive)))
    throw new Refusal(`${name} is not whole: its SHA-256 is ${found}; get it again`);
  return version;
}

function listedSum(archive: string): string | undefined {
  const [folder, name] = [path.dirname(archive), path.basename(archive)];
  const list = path.join(folder, 'SHA256SUMS');
  if (!fs.existsSync(list))
    throw new Refusal(`there is no ${list}; put it there, or add --sha256 <sum>`);
  const lines = fs.readFileSync(list, 'utf8').split('\n');
  const line = lines.find((each) => each.endsWith(` ${name}`) || each.endsWith(`*${name}`));
  if (line === undefined) throw new Refusal(`${list} does not name ${name}; get both again`);
  return line.split(' ', 1)[0];
}

/** Unpacks a version that is not in its place yet. @returns its folder */
export function unpack(archive: string, version: string): string {
  const folder = partialOf(version);
  // The service's user reads the files.
  process.umask(0o022);
  fs.mkdirSync(folder);
  const from = ['--extract', '--gzip', '--force-local', '--file', path.resolve(archive)];
  const to = [
    '--directory',
    folder,
    '--strip-components=1',
    '--no-same-owner',
    '--no-same-permissions',
  ];
  try {
    run(['tar', ...from, ...to]);
    run(['sync', '--file-system', folder]);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new Refusal(
      `the archive cannot be unpacked (${why}); make room in ${base}, or get it again`,
    );
  }
  const missing = PARTS.find((part) => !fs.existsSync(path.join(folder, part)));
  if (missing !== undefined) throw new Refusal(`the archive has no ${missing}; get it again`);
  // A start would wait for a FIFO.
  const special = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .find((entry) => !(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()));
  if (special) throw new Refusal(`${special.name} in the archive is not a file; get it again`);
  const packed = packedVersion(folder);
  if (packed !== version)
    throw new Refusal(`${archive} holds ${packed}, not ${version}; rename it`);
  return folder;
}

function packedVersion(folder: string): string {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
  } catch {
    throw new Refusal('the archive has no package.json with a version; get it again');
  }
}
