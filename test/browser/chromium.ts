/** The browser of the tests: installed Chrome or Chromium, or that of `@sparticuz/chromium`. */
import fs from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
];

/** Switches off the browser's own network requests. */
const QUIET = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
];

/** How long the browser may take to start and for a step of a test, in ms: machines are busy. */
const PATIENCE = 60_000;

/** One renderer, started with the first page. */
const SPARING = '--renderer-process-limit=1';

/** The program, and the arguments that it needs. */
export async function findBrowser(): Promise<{ executablePath: string; args: readonly string[] }> {
  const installed = INSTALLED.find((file) => fs.existsSync(file));
  if (installed) return { executablePath: installed, args: [] };
  const { default: bundled } = await import('@sparticuz/chromium');
  return { executablePath: await bundled.executablePath(), args: bundled.args };
}

/** Launches the browser, headless, with further arguments for it. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const { executablePath, args } = await findBrowser();
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({
    executablePath,
    args: [...args, ...QUIET, SPARING, ...sandbox, ...more],
    timeout: PATIENCE,
  });
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE));
}
