/**
 * Installs the packages of test/package.json, which only the browser and long suites and the static
 * checks need. It imports `node:` modules only, like run.mjs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Test files that import one of them: *.browser.ts, *.long.ts and *.release.ts. */
export const NEEDS_PACKAGES = /\.(browser|long|release)\.ts$/;

const FOLDER = 'test';
const LOCK_FILE = path.join(FOLDER, 'package-lock.json');
/** npm writes this file at the end of an installation. */
const INSTALLED = path.join(FOLDER, 'node_modules', '.package-lock.json');
/**
 * The folder that exists during an installation. It holds the process ids of this script and npm.
 */
const LOCK = path.join(FOLDER, '.installing');
const HOLDERS = path.join(LOCK, 'pids');

/** How long to wait for an installation by another suite, in ms. */
const PATIENCE = 600_000;
/**
 * How long the folder may have no process ids, in ms. They are written right after it is made.
 */
const HALF_MADE = 5000;

/** Installs the packages if they are missing or older than their lock file. @throws if npm fails */
export async function installTestPackages() {
  const end = Date.now() + PATIENCE;
  while (!areInstalled()) {
    if (takeLock()) {
      try {
        // Another suite may have installed them in the meantime.
        if (!areInstalled()) await install();
      } finally {
        fs.rmSync(LOCK, { recursive: true, force: true });
      }
    } else {
      if (Date.now() > end) throw new Error(`another suite is installing; else remove ${LOCK}`);
      removeDeadLock();
      await setTimeout(200);
    }
  }
}

function areInstalled() {
  const installed = fs.statSync(INSTALLED, { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= fs.statSync(LOCK_FILE).mtimeMs;
}

/** @returns if this process is the one that installs */
function takeLock() {
  try {
    fs.mkdirSync(LOCK);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  fs.writeFileSync(HOLDERS, String(process.pid));
  return true;
}

async function install() {
  console.log('installing the packages of test/package.json');
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', ['ci', ...options], { cwd: FOLDER, stdio: ['ignore', 2, 2] });
  // If this process is killed, npm continues.
  if (npm.pid !== undefined) fs.writeFileSync(HOLDERS, `${process.pid} ${npm.pid}`);
  const [status] = await once(npm, 'exit');
  if (status !== 0) throw new Error('the packages of test/package.json could not be installed');
}

/** Removes the folder that a killed installation left. */
function removeDeadLock() {
  try {
    if (isHeld()) return;
    fs.rmSync(LOCK, { recursive: true });
  } catch (error) {
    // Another process has removed it.
    if (error.code !== 'ENOENT') throw error;
  }
}

/** @throws ENOENT if nobody installs */
function isHeld() {
  const written = fs.existsSync(HOLDERS) ? fs.readFileSync(HOLDERS, 'utf8') : '';
  const pids = written.split(' ').filter(Boolean);
  const age = Date.now() - fs.statSync(LOCK).mtimeMs;
  return pids.some(isRunning) || (pids.length === 0 && age < HALF_MADE);
}

function isRunning(pid) {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
