/** WebKit as Debian has it: WebKitGTK's MiniBrowser in Xvfb, driven by WebDriver over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Driver, isSized, PATIENCE, until } from './driver.ts';
import { COMMANDS, type Send, webDriver } from './webdriver.ts';

/** Where Debian installs the browser, for each architecture. */
export function findMiniBrowser(): string | undefined {
  const libraries = '/usr/lib';
  if (!fs.existsSync('/usr/bin/WebKitWebDriver')) return undefined;
  return fs
    .readdirSync(libraries)
    .flatMap((name) => ['4.1', '4.0'].map((api) => `${name}/webkit2gtk-${api}/MiniBrowser`))
    .map((file) => path.join(libraries, file))
    .find((file) => fs.existsSync(file));
}

/** The window is as narrow as a phone, and its bars take little room. */
const STYLE = '* { min-width: 0; padding: 0; margin: 0; border: 0; font-size: 1px }';

/** Browser and driver take ports that were free, which other tests may take before them. */
export async function openWebKit(dark: boolean): Promise<Driver> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await launch(dark);
    } catch (error) {
      if (attempt === 3) throw error;
    }
}

async function launch(dark: boolean): Promise<Driver> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  fs.mkdirSync(path.join(home, '.config/gtk-3.0'), { recursive: true });
  fs.writeFileSync(path.join(home, '.config/gtk-3.0/gtk.css'), STYLE);
  // Without a window manager, the window below the pointer has the focus: the middle of the screen.
  const screen = ['-displayfd', '3', '-screen', '0', '600x800x24', '-nolisten', 'tcp'];
  const xvfb = spawn('Xvfb', screen, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const ended = once(xvfb, 'exit');
  let driver: ChildProcess | undefined;
  const end = async () => {
    driver?.kill();
    // The browser ends with its screen.
    xvfb.kill();
    await ended;
    fs.rmSync(home, { recursive: true, maxRetries: 10 });
  };
  try {
    const [display] = await Promise.race([
      once(Object(xvfb.stdio[3]), 'data'),
      ended.then(() => Promise.reject(new Error('Xvfb has ended'))),
    ]);
    const env = {
      ...process.env,
      HOME: home,
      TMPDIR: home,
      DISPLAY: `:${String(display).trim()}`,
      LANG: 'en_US.UTF-8',
      GTK_THEME: dark ? 'Adwaita:dark' : 'Adwaita',
      // Its sandbox refuses to run as root.
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    };
    const port = await freePort();
    driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env });
    return await drive(driver, port, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** Starts the browser by WebKitWebDriver. @param end ends both, and their screen */
async function drive(
  driver: ChildProcess,
  port: number,
  end: () => Promise<void>,
): Promise<Driver> {
  const call = async (line: string, body?: object): Promise<unknown> => {
    const [method = '', target = ''] = line.split(' ');
    const response = await fetch(`http://127.0.0.1:${port}${target}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = Object(await response.json());
    if (!response.ok) throw new Error(`${line}: ${value.error} ${value.message}`);
    return value;
  };
  while (!(await call('GET /status').catch(() => false))) {
    if (driver.exitCode !== null || driver.signalCode !== null)
      throw new Error('WebKitWebDriver has ended');
    await sleep(100);
  }
  const options = { binary: findMiniBrowser(), args: ['--automation'] };
  const wanted = { 'webkitgtk:browserOptions': options, timeouts: { script: PATIENCE } };
  const { sessionId, capabilities } = Object(
    await Promise.race([
      call('POST /session', { capabilities: { alwaysMatch: wanted } }),
      sleep(PATIENCE, undefined, { ref: false }),
    ]),
  );
  if (!sessionId) throw new Error('WebKitWebDriver does not reach the browser');
  const send: Send = (command, parameters = {}) => {
    const { id, ...body } = Object(parameters);
    const line = COMMANDS[command].replace('{id}', String(id));
    return call(
      line.replace(' ', ` /session/${sessionId}`),
      line.startsWith('POST') ? body : undefined,
    );
  };
  const common = webDriver(send);
  const setWindow = (width: number, height: number) =>
    send('WebDriver:SetWindowRect', { x: 0, y: 0, width, height });
  // Of another width than before, so that the page is known to have the new size.
  await setWindow(800, 600);
  await until(common, 'innerWidth === 800');
  const bars = 600 - (await common.evaluate<number>('return innerHeight'));
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    // WebKit keeps no such cookie for any name of this machine.
    plainHost: '127.0.0.1',
    ...common,
    async resize(width, height) {
      await setWindow(width, height + bars);
      await isSized(common, width, height);
    },
    // WebKitGTK's driver reads no console.
    faults: async () => [],
    async close() {
      await call(`DELETE /session/${sessionId}`);
      await end();
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
