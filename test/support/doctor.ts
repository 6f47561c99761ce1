/** Runs the doctor on an installation of a test, and reads its find. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Finding } from '../../lib/doctor/examine.ts';
import { withDatabase } from './database.ts';
import { type Installation, install } from './installation.ts';

export type Environment = Readonly<Record<string, string>>;

/** An environment in which no service answers. */
export const NOWHERE = { NODE_ENV: 'production', PORT: '2', PUBLIC_ORIGIN: 'https://localhost:2' };

export async function runDoctor(site: Installation, env: Environment, ...args: readonly string[]) {
  const { PUBLIC_ORIGIN, NODE_ENV, PORT, ...inherited } = process.env;
  const script = path.join(site.root, 'tools', 'doctor.js');
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [script, ...args],
      { env: { ...inherited, ...env } },
      (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

/** What a check finds, without a process: it is needed only for what Node reads at its start. */
export async function find(site: Installation, check: string, env: Environment = NOWHERE) {
  const file = path.join(site.root, 'lib', 'doctor', 'examine.js');
  const { examineInstallation }: typeof import('../../lib/doctor/examine.ts') = await import(file);
  const all: readonly Finding[] = env.NODE_EXTRA_CA_CERTS
    ? JSON.parse((await runDoctor(site, env, '--json')).stdout)
    : await examineInstallation(env);
  const found = all.find((finding) => finding.check === check);
  assert.ok(found, check);
  return found;
}

/** Expects that a check finds a fault. */
export async function finds(site: Installation, check: string, fault: RegExp, env?: Environment) {
  const { message, status } = await find(site, check, env);
  assert.match(message, fault);
  assert.equal(status, 'fault');
}

/** An installation in which the doctor finds no fault. */
export function healthy(): Installation {
  const site = install();
  site.invite('ada@guestlist.test');
  site.setAdmin('ada@guestlist.test');
  takeSnapshot(site, new Date());
  return site;
}

export function takeSnapshot(site: Installation, time: Date): string {
  const folder = path.join(site.root, 'data', 'backups');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { mode: 0o700 });
  const name = `guestlist-${time.toISOString().replace(/[-:]|\.\d+/g, '')}.db`;
  const file = path.join(folder, name);
  withDatabase(site.store, (db) => db.prepare('vacuum into ?').run(file));
  fs.chmodSync(file, 0o600);
  return file;
}
