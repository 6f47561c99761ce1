/** The browser of the tests: installed Chrome or Chromium, or that of `@sparticuz/chromium`. */
import fs from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
];

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

/** The program, and the arguments that it needs. */
async function findBrowser(): Promise<{ executablePath: string; args: readonly string[] }> {
  const installed = INSTALLED.find((file) => fs.existsSync(file));
  if (installed) return { executablePath: installed, args: [] };
  const { default: bundled } = await import('@sparticuz/chromium');
  return { executablePath: await bundled.executablePath(), args: bundled.args };
}

/** Launches the browser, headless, with further switches. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const { executablePath, args } = await findBrowser();
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({
    executablePath,
    args: [...args, ...SWITCHES, ...sandbox, ...more],
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
