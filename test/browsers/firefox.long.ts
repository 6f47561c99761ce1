/**
 * Firefox, driven by Marionette, its own protocol: the story, and a browser that blocks cookies.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADA } from '../browser/visitors.ts';
import { lacks } from '../support/lacks.ts';
import { within } from '../support/limit.ts';
import { startProcess } from '../support/process.ts';
import { eventsIn } from '../support/rows.ts';
import { installationForAll } from '../support/temporary.ts';
import { type Driver, ENTER, find, PATIENCE, webDriver } from './driver.ts';
import { testStory } from './story.ts';

const skip = lacks('firefox-esr');

testStory('Firefox', skip, () => openFirefox());

/** Makes the browser block all cookies. */
const NO_COOKIES = "user_pref('network.cookie.cookieBehavior', 2);";

for (const [line, delay] of [
  ['quick', 0],
  // Longer than the page waits.
  ['slow', 5000],
] as const)
  it(`in Firefox without cookies, on a ${line} line, the page says why`, { skip }, async (t) => {
    const installation = installationForAll();
    installation.invite(ADA, 'Ada');
    const [server, driver] = await Promise.all([installation.start(), openFirefox(NO_COOKIES)]);
    t.after(() => driver.close());
    const proxy = await delayVisitor(server.port, delay);
    t.after(() => proxy.close());
    await driver.open(`http://127.0.0.1:${proxy.port}/timeline?view=mobile#entry-5`);
    await driver.until(`${find('#enter button')} && !${find('#enter button')}.disabled`);
    await driver.type('#email', ADA + ENTER);
    await driver.until(`${find('#message.failed')}?.textContent.includes('blocked the cookie')`);
    assert.equal(
      await driver.evaluate('return location.pathname + location.search + location.hash'),
      '/?view=mobile#entry-5',
    );
    assert.equal(await driver.evaluate(`return ${find('form')}.hidden`), false);
    const views = installation.read(eventsIn).filter(({ meta }) => meta);
    assert.equal(views.length, 0);
  });

/** A proxy that lets the reply to `/auth/me` wait. @param delay in ms */
async function delayVisitor(port: number, delay: number) {
  const server = http.createServer(async (request, response) => {
    if (request.url === '/auth/me') await sleep(delay);
    const { method, url, headers } = request;
    const onward = http.request({ port, method, path: url, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A free port, and no questions to Mozilla's servers at the start. */
const PREFERENCES = `user_pref('marionette.port', 0);
user_pref('services.settings.server', 'data:,#remote-settings-dummy/v1');
user_pref('app.update.disabledForTesting', true);
user_pref('datareporting.policy.dataSubmissionEnabled', false);`;

async function openFirefox(preferences = ''): Promise<Driver> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  fs.writeFileSync(path.join(profile, 'user.js'), `${PREFERENCES}\n${preferences}`);
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
    // Other processes of the browser may still write there.
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
