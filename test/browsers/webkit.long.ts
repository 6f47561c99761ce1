/** The story in WebKit as Debian has it: WebKitGTK's MiniBrowser in Xvfb, by WebDriver. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lacks } from '../support/lacks.ts';
import { until } from '../support/limit.ts';
import { startProcess } from '../support/process.ts';
import { COMMANDS, type Driver, PATIENCE, type Send, webDriver } from './driver.ts';
import { testStory } from './story.ts';

/** Debian installs the browser below a folder of the architecture. */
const LIBRARIES = '/usr/lib';
const binary = fs
  .readdirSync(LIBRARIES)
  .map((name) => path.join(LIBRARIES, name, 'webkit2gtk-4.1/MiniBrowser'))
  .find((file) => fs.existsSync(file));

testStory('WebKit', lacks('Xvfb') || (!binary && 'needs webkit2gtk-driver'), openWebKit);

async function openWebKit(): Promise<Driver> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  // Without a window manager, the window below the pointer has the focus: the middle of the screen.
  const screen = ['-displayfd', '1', '-screen', '0', '900x900x24', '-nolisten', 'tcp'];
  const xvfb = startProcess(['Xvfb', ...screen]);
  await xvfb.prints(/^\d+$/);
  // It announces no port that it has chosen itself. The addresses 127.* all belong to this machine.
  const host = `127.${process.pid >> 16}.${(process.pid >> 8) & 255}.${process.pid & 255}`;
  const driver = startProcess(['WebKitWebDriver', `--host=${host}`, '--port=4444'], {
    env: {
      ...process.env,
      ...{ HOME: home, TMPDIR: home, DISPLAY: `:${xvfb.stdout[0]}`, LANG: 'en_US.UTF-8' },
      // Mesa's software renderer can crash in Skia's GPU threads.
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
      // Its sandbox refuses to run as root.
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    },
  });
  const call = async (line: string, body?: object): Promise<unknown> => {
    const [method = '', target = ''] = line.split(' ');
    const response = await fetch(`http://${host}:4444${target}`, {
      method,
      // If a browser crashes, its driver gets no answer.
      signal: AbortSignal.timeout(5 * PATIENCE),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = Object(await response.json());
    if (!response.ok) throw new Error(`${line}: ${value.error} ${value.message}`);
    return value;
  };
  await until('WebKitWebDriver to answer', async () => {
    if (driver.process.exitCode !== null) throw new Error('WebKitWebDriver has ended');
    return Boolean(await call('GET /status').catch(() => false));
  });
  const options = { binary, args: ['--automation'] };
  const alwaysMatch = { 'webkitgtk:browserOptions': options, timeouts: { script: PATIENCE } };
  const session = await call('POST /session', { capabilities: { alwaysMatch } });
  const { sessionId, capabilities } = Object(session);
  const send: Send = (command, parameters = {}) => {
    const { id, ...body } = Object(parameters);
    const line = COMMANDS[command].replace('{id}', id).replace(' ', ` /session/${sessionId}`);
    return call(line, line.startsWith('POST') ? body : undefined);
  };
  return webDriver(`WebKitGTK ${capabilities.browserVersion}`, send, async () => {
    // If a driver has ended, the test fails, and the screen must be closed.
    await call(`DELETE /session/${sessionId}`).catch(() => undefined);
    for (const program of [driver, xvfb]) await program.stop();
    fs.rmSync(home, { recursive: true, maxRetries: 10 });
  });
}
