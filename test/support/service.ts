/** The service in the process of the test: a request is a value, and no socket is opened. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createApp } from '../../lib/app.ts';
import type { Settings } from '../../lib/config.ts';
import { isWholeBody, type Reply } from '../../lib/http/reply.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { openServerStore } from '../../lib/store/open.ts';
import type { Writer } from '../../lib/store/tables.ts';
import { type Answer, answerOf, bodyOf, FORGED_COOKIE, headersOf, type Options } from './client.ts';
import { storeAt } from './installation.ts';
import { within } from './limit.ts';
import { addInvite } from './rows.ts';
import { newStoreFile } from './temporary.ts';

/**
 * Who sends a request. A forger sends the cookie of a session that does not exist. Each request of
 * the others has a session of its own.
 */
export type Who = 'stranger' | 'forger' | 'invitee' | 'administrator';

/** A request, and the reply that it gets. */
export type Case = readonly [
  /** Method and URL: `GET /path?query`. */
  line: string,
  who: Who,
  status: number,
  /** The whole body, an expression that it matches, or its JSON. */
  content: string | RegExp | object,
  options?: Options,
];

/**
 * A service with `invitee@example.com` and `administrator@example.com`.
 *
 * @param fill writes more rows
 * @param folder of its site
 */
export async function startService(
  overrides: Partial<Settings> = {},
  fill?: (writer: Writer) => void,
  folder = SAMPLE_SITE,
) {
  const publicOrigin = 'http://localhost:3000';
  const settings = { port: 3000, publicOrigin, production: false, ...overrides };
  const file = newStoreFile();
  const store = openServerStore(file);
  after(() => store.close());
  const app = createApp(store, settings);
  const urls = app.replaceSite(loadSite(folder, settings.publicOrigin));

  const invite = (...people: readonly (readonly [name: string, firstName?: string])[]) =>
    store.write((writer) => {
      for (const [name, firstName = null] of people)
        addInvite(writer, `${name}@example.com`, { firstName, invitedAt: Date.now() });
    });
  await invite(['invitee', 'Ada'], ['administrator']);
  await store.write((writer) => {
    writer.invites.setAdmin('administrator@example.com', true);
    fill?.(writer);
  });

  /** The Cookie header of a new session. */
  async function beginSession(name: string): Promise<string> {
    const { token } = await store.write(({ sessions }) =>
      sessions.begin(`${name}@example.com`, Date.now()),
    );
    return `svc_session=${token}`;
  }

  async function cookieOf(who: Who): Promise<string | undefined> {
    if (who === 'stranger') return undefined;
    if (who === 'forger') return FORGED_COOKIE;
    return beginSession(who);
  }

  /** @param line method and URL: `GET /path?query` */
  async function replyTo(
    line: string,
    options: Options & { readonly as?: Who } = {},
    body: Readable = readableOf(bodyOf(options)),
  ): Promise<Reply> {
    const [method = '', url = ''] = line.split(' ');
    const [path = '', query = ''] = url.split(/\?(.*)/s);
    const cookie = options.cookie ?? (await cookieOf(options.as ?? 'stranger'));
    const headers: Record<string, string> = { host: 'localhost:3000' };
    for (const [name, value] of Object.entries(headersOf({ ...options, cookie })))
      headers[name.toLowerCase()] = value;
    // A request from a socket also comes in a turn of the event loop of its own.
    await setImmediate();
    const request = { method, path, query, headers, peer: '127.0.0.1', body };
    return within(`a reply to ${line}`, app.handle(request));
  }

  const send = async (...asked: Parameters<typeof replyTo>): Promise<Answer> => {
    const { status, headers, body } = await replyTo(...asked);
    const content = isWholeBody(body)
      ? Buffer.from(body).toString()
      : await within('the end of a reply', text(body));
    return answerOf(status, headers, content);
  };

  /** Makes a test of each case. */
  function testRequests(cases: readonly Case[]): void {
    for (const [line, who, status, content, options] of cases) {
      const sent = JSON.stringify(options?.json ?? options?.headers ?? '').slice(0, 60);
      it(`${line} ${sent} from ${who}: ${status}`, async () => {
        const answer = await send(line, { as: who, ...options });
        assert.equal(answer.status, status, answer.text);
        if (typeof content === 'string') assert.equal(answer.text, content);
        else if (content instanceof RegExp) assert.match(answer.text, content);
        else assert.deepEqual(answer.json(), content);
      });
    }
  }

  const { read } = storeAt(file);
  return {
    file,
    store,
    read,
    handle: app.handle,
    urls,
    invite,
    beginSession,
    replyTo,
    send,
    testRequests,
  };
}

/** A body as a socket gives it; empty without one. */
function readableOf(body: string | Buffer = ''): Readable {
  return Readable.from(body.length === 0 ? [] : [Buffer.from(body)]);
}
