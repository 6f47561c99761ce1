/** The story in Firefox, driven by Marionette, its own protocol. */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { lacks } from '../support/lacks.ts';
import { within } from '../support/limit.ts';
import { startProcess } from '../support/process.ts';
import { type Driver, PATIENCE, webDriver } from './driver.ts';
import { testStory } from './story.ts';

testStory('Firefox', lacks('firefox-esr'), openFirefox);

/** A free port, and no questions to Mozilla's servers at the start. */
const PREFERENCES = `user_pref('marionette.port', 0);
user_pref('services.settings.server', 'data:,#remote-settings-dummy/v1');
user_pref('app.update.disabledForTesting', true);
user_pref('datareporting.policy.dataSubmissionEnabled', false);`;

async function openFirefox(): Promise<Driver> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  fs.writeFileSync(path.join(profile, 'user.js'), PREFERENCES);
  const options = ['--headless', '--marionette', '--no-remote', '--profile', profile];
  const env = { ...process.env, HOME: profile, TMPDIR: profile };
  const firefox = startProcess(['firefox-esr', ...options], { env });
  const listens = /Listening on port (\d+)/;
  await firefox.prints(listens);
  const send = await connect(Number(listens.exec(firefox.stdout.join('\n'))?.[1]));
  const alwaysMatch = { timeouts: { script: PATIENCE } };
  const session = await send('WebDriver:NewSession', { capabilities: { alwaysMatch } });
  const { capabilities } = Object(session);
  return webDriver(`Firefox ${capabilities.browserVersion}`, send, async () => {
    await send('Marionette:Quit', { flags: ['eForceQuit'] });
    await firefox.ends();
    // Its other processes may still write there.
    fs.rmSync(profile, { recursive: true, maxRetries: 10 });
  });
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
  await within('Firefox to greet', received());
  let sent = 0;
  return async (command: string, parameters: object = {}): Promise<unknown> => {
    sent += 1;
    const message = JSON.stringify([0, sent, command, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = Object(
      await within(`Firefox to answer ${command}`, received(), 2 * PATIENCE),
    );
    if (error) throw new Error(`${command}: ${error.message}`);
    return result && 'value' in result ? result.value : result;
  };
}
