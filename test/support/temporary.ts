/** Installations and folders that are removed after the tests. Scripts use `install`. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach } from 'node:test';
import { type Installation, install } from './installation.ts';

/** One installation for a file, a `describe` block or a test. Do not call it in a hook. */
export function installationForAll(): Installation {
  const installation = install();
  after(() => installation.remove());
  return installation;
}

/** One installation for a file or a `describe` block, whose `data/` is removed after each test. */
export function installationForEach(): Installation {
  const installation = installationForAll();
  afterEach(() => installation.clear());
  return installation;
}

/** An empty folder for a file, a `describe` block or a test. Do not call it in a hook. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where there is no store yet, in a folder of its own. Do not call it in a hook. */
export const newStoreFile = () => path.join(temporaryFolder(), 'guestlist.db');
