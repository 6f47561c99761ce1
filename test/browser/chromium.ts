/** A real browser for tests: the Chrome or Chromium of this machine, else the one inside `@sparticuz/chromium`. */
import fs from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Switches off what a browser does on the network by itself. */
const QUIET = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
];

/** Launches the browser, headless, with further arguments for it. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const installed = INSTALLED.find((file) => fs.existsSync(file));
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  if (installed)
    return chromium.launch({ executablePath: installed, args: [...QUIET, ...sandbox, ...more] });
  const { default: bundled } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await bundled.executablePath(),
    args: [...bundled.args, ...QUIET, ...sandbox, ...more],
  });
}
