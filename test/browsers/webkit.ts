/** WebKit as Debian has it: WebKitGTK's MiniBrowser in Xvfb, driven by WebDriver over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Driver } from './driver.ts';
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

export async function openWebKit(dark: boolean): Promise<Driver> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  fs.mkdirSync(path.join(home, '.config/gtk-3.0'), { recursive: true });
  fs.writeFileSync(path.join(home, '.config/gtk-3.0/gtk.css'), STYLE);
  // Without a window manager, the window below the pointer has the focus: the middle of the screen.
  const screen = ['-displayfd', '3', '-screen', '0', '600x800x24', '-nolisten', 'tcp'];
  const xvfb = spawn('Xvfb', screen, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [display] = await once(Object(xvfb.stdio[3]), 'data');
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOME: home,
      TMPDIR: home,
      DISPLAY: `:${String(display).trim()}`,
      LANG: 'en_US.UTF-8',
      GTK_THEME: dark ? 'Adwaita:dark' : 'Adwaita',
      // Its sandbox refuses to run as root.
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    },
  });
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
  await answers(() => call('GET /status'));
  const options = { binary: findMiniBrowser(), args: ['--automation'] };
  const { sessionId, capabilities } = Object(
    await call('POST /session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    }),
  );
  const send: Send = (command, parameters = {}) => {
    const { id, ...body } = Object(parameters);
    const line = COMMANDS[command].replace('{id}', String(id));
    return call(
      line.replace(' ', ` /session/${sessionId}`),
      line.startsWith('POST') ? body : undefined,
    );
  };
  const common = webDriver(send);
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    // WebKit keeps no such cookie for any name of this machine.
    plainHost: '127.0.0.1',
    ...common,
    async resize(width, height) {
      await send('WebDriver:SetWindowRect', { x: 0, y: 0, width, height });
      const inner = await common.evaluate<number>('return innerHeight');
      await send('WebDriver:SetWindowRect', { x: 0, y: 0, width, height: 2 * height - inner });
    },
    // WebKitGTK's driver reads no console.
    faults: async () => [],
    async close() {
      await call(`DELETE /session/${sessionId}`);
      for (const child of [driver, xvfb]) {
        child.kill();
        await once(child, 'exit');
      }
      fs.rmSync(home, { recursive: true, maxRetries: 5 });
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

/** Waits until a request is answered. */
async function answers(request: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answered = await request().then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver does not answer');
}
