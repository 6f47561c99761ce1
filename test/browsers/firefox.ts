/** Firefox, driven by Marionette, its own protocol: the commands of WebDriver over TCP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DOMAIN, type Driver, isSized, PATIENCE } from './driver.ts';
import { webDriver } from './webdriver.ts';

const PREFERENCES = {
  'marionette.port': 0,
  'network.dns.localDomains': DOMAIN,
  'ui.prefersReducedMotion': 0,
  // Without the browser's own network requests.
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'app.update.disabledForTesting': true,
  'app.normandy.enabled': false,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.shell.checkDefaultBrowser': false,
};

export async function openFirefox(dark: boolean): Promise<Driver> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  const scheme = { 'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1 };
  const lines = Object.entries({ ...PREFERENCES, ...scheme }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  fs.writeFileSync(path.join(profile, 'user.js'), lines.join(''));
  // The console of the browser can be read with system access alone.
  const flags = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote'];
  const firefox = spawn('firefox-esr', [...flags, '--profile', profile], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: profile, TMPDIR: profile },
  });
  const exited = once(firefox, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(firefox.stdout).on('line', (line) => {
      const announced = /Listening on port (\d+)/.exec(line)?.[1];
      if (announced) resolve(Number(announced));
    });
    exited.then(() => reject(new Error('Firefox did not start')), reject);
  });
  const send = await connect(port);
  const { capabilities } = Object(
    await send('WebDriver:NewSession', {
      capabilities: { alwaysMatch: { timeouts: { script: PATIENCE } } },
    }),
  );

  /** Runs the body of a function in the browser's own window. */
  const inBrowser = async (script: string, ...args: readonly unknown[]): Promise<unknown> => {
    await send('Marionette:SetContext', { value: 'chrome' });
    try {
      return await send('WebDriver:ExecuteScript', { script, args });
    } finally {
      await send('Marionette:SetContext', { value: 'content' });
    }
  };

  const common = webDriver(send);
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    plainHost: DOMAIN,
    ...common,
    async resize(width, height) {
      // The window cannot be narrower than 500 px, but the page in it can.
      await inBrowser(
        `const { style } = gBrowser.selectedBrowser;
        [style.minWidth, style.minHeight] = [style.maxWidth, style.maxHeight] = arguments;`,
        `${width}px`,
        `${height}px`,
      );
      await send('WebDriver:SetWindowRect', { width: width + 100, height: height + 200 });
      await isSized(common, width, height);
    },
    async faults() {
      const messages = await inBrowser(
        `return Services.console.getMessageArray().filter((each) => each instanceof Ci.nsIScriptError
          && each.sourceName.startsWith('http') && !(each.flags & Ci.nsIScriptError.warningFlag))
          .map(String)`,
      );
      return Array.isArray(messages) ? messages.map(String) : [];
    },
    async close() {
      await send('Marionette:Quit', { flags: ['eForceQuit'] });
      await exited;
      // Its other processes may still write there.
      fs.rmSync(profile, { recursive: true, maxRetries: 10 });
    },
  };
}

/** Marionette sends `<length>:<JSON>`, and replies in the order of the commands. */
async function connect(port: number) {
  const socket = net.connect(port, '127.0.0.1');
  const waiting: ((message: unknown) => void)[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const start = bytes.indexOf(':') + 1;
      const end = start + Number(bytes.subarray(0, start - 1));
      if (start === 0 || bytes.length < end) return;
      waiting.shift()?.(JSON.parse(String(bytes.subarray(start, end))));
      bytes = bytes.subarray(end);
    }
  });
  const received = () => new Promise<unknown>((resolve) => waiting.push(resolve));
  // A greeting.
  await received();
  let sent = 0;
  return async (command: string, parameters: object = {}): Promise<unknown> => {
    sent += 1;
    const message = JSON.stringify([0, sent, command, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = Object(await received());
    if (error) throw new Error(`${command}: ${error.message}`);
    return result && 'value' in result ? result.value : result;
  };
}
