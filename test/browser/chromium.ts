/** The browser of the tests: a headless shell, which needs a third less processor time, or Chromium. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { root } from '../../lib/config.ts';

const SHELL = '/usr/bin/chromium-headless-shell';
const INSTALLED = ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** A name of this machine. Unlike localhost, it gets no `Secure` cookie without https. */
export const DOMAIN = 'guestlist.example.com';

/** One renderer, and no network requests of the browser's own. */
const SWITCHES = [
  `--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`,
  '--renderer-process-limit=1',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
];

/** How long the browser may take to start and for a step of a test, in ms: machines are busy. */
const PATIENCE = 30_000;

/** The shell of Debian, or that of the npm package, which is built for x64; else what is installed. */
function findBrowser(): string {
  if (fs.existsSync(SHELL)) return SHELL;
  if (process.arch === 'x64') return unpackShell();
  return INSTALLED.find((file) => fs.existsSync(file)) ?? SHELL;
}

/** Unpacks the shell of the npm package beside it, once for all tests. */
function unpackShell(): string {
  const folder = path.join(root, 'node_modules/@sparticuz/chromium/unpacked');
  if (!fs.existsSync(folder)) {
    const own = fs.mkdtempSync(`${folder}-`);
    const script = "import('@sparticuz/chromium').then((it) => it.default.executablePath())";
    const env = { ...process.env, TMPDIR: own };
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, env });
    if (status !== 0) throw new Error(String(stderr));
    try {
      fs.renameSync(own, folder);
    } catch {
      // Another file of tests was faster.
      fs.rmSync(own, { recursive: true });
    }
  }
  return path.join(folder, 'chromium');
}

/** Launches the browser, headless, with further switches. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [...SWITCHES, ...sandbox, ...more],
    timeout: PATIENCE,
  });
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE));
}

let shared: Promise<Browser> | undefined;

/** The one browser of a file of tests, which ends after them. Do not call it in a hook. */
export function sharedBrowser(): Promise<Browser> {
  if (!shared) {
    shared = launchBrowser();
    after(async () => (await shared)?.close());
  }
  return shared;
}
