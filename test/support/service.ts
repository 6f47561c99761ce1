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
import { type Answer, answerOf, FORGED_COOKIE, type Options } from './client.ts';
import { storeAt } from './installation.ts';
import { within } from './limit.ts';
import { addInvite } from './rows.ts';
import { newStoreFile } from './temporary.ts';

/** Who sends a request. Each request has a session of its own. */
export type Who = 'stranger' | 'forger' | 'invitee' | 'administrator';

/** A request, who sends it, and the status and content that it gets; an object is JSON. */
export type Case = readonly [string, Who, number, string | RegExp | object, Options?];

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

  const cookieOf = (who: Who) =>
    who === 'stranger' ? undefined : who === 'forger' ? FORGED_COOKIE : beginSession(who);

  /** @param line method and URL: `GET /path?query` */
  async function replyTo(
    line: string,
    options: Options & { readonly as?: Who } = {},
    body: Readable = Readable.from(bodyOf(options)),
  ): Promise<Reply> {
    const [method = '', url = ''] = line.split(' ');
    const [at = '', query = ''] = url.split(/\?(.*)/s);
    const cookie = options.cookie ?? (await cookieOf(options.as ?? 'stranger'));
    const headers = Object.entries({
      Host: 'localhost:3000',
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(options.json !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    }).map(([name, value]) => [name.toLowerCase(), value]);
    // From a socket, it would come in a later turn of the event loop than what was before.
    await setImmediate();
    const request = { method, path: at, query, headers: Object.fromEntries(headers) };
    return within(`a reply to ${line}`, app.handle({ ...request, peer: '127.0.0.1', body }));
  }

  const send = async (...asked: Parameters<typeof replyTo>): Promise<Answer> => {
    const { status, headers, body } = await replyTo(...asked);
    const content = isWholeBody(body)
      ? Buffer.from(body).toString()
      : await within('the end of a reply', text(body));
    return answerOf(status, headers, content);
  };

  /** A test for each case. An object is the content as JSON. */
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
    ...{ file, store, read, handle: app.handle, urls },
    invite,
    beginSession,
    replyTo,
    send,
    testRequests,
  };
}

function bodyOf({ json, body = json === undefined ? '' : JSON.stringify(json) }: Options) {
  return body === '' ? [] : [Buffer.from(body)];
}
