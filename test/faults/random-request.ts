/** Random requests, with everything that the routes read and much that they must ignore. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../../lib/app.ts';
import { loadSite, SAMPLE } from '../../lib/site/site.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { FORGED_COOKIE } from '../support/client.ts';
import { CURSORS, QUERIES, TEXTS, VALUES } from './random-values.ts';

const ROUTES = await listRoutes();
/** The routes that are not files. */
const ACTIONS = ROUTES.filter((route) => !/\.\w+$/.test(route));

const PATHS = [
  ...ROUTES.map((route) => route.replace(/^\w+ /, '')),
  '/api/svcops/',
  '/images/none.png',
  '/no-such-page',
];

/** Every route of the table, as `GET /timeline`. To make the table, a store is needed. */
async function listRoutes(): Promise<readonly string[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-routes-'));
  const store = openServerStore(path.join(folder, 'guestlist.db'));
  const publicOrigin = 'http://localhost:3000';
  const settings = { port: 3000, publicOrigin, production: false };
  try {
    return createApp(store, settings).use(loadSite(SAMPLE, publicOrigin));
  } finally {
    await store.close();
    fs.rmSync(folder, { recursive: true });
  }
}

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'];

/** A request to send. */
export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

/** The next random request, mostly with the cookie if there is one. */
export function makeRequest(random: () => number, cookie: string): Sent {
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const sometimes = (chance: number) => random() < chance;
  const text = () => (sometimes(0.2) ? `guest${below(200)}@example.com` : one(TEXTS));
  const value = () => (sometimes(0.7) ? text() : one(VALUES));
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  const cursor = () => {
    const position = Buffer.from(JSON.stringify(one(CURSORS))).toString('base64url');
    return `?${one(['cursor', 'summary', 'clicks'])}=${position}&sort=${one(['invitedAt', 'email', 'lastSeenAt'])}&limit=${1 + below(3)}`;
  };
  const mutate = (path: string) => {
    const at = below(path.length + 1);
    return (
      path.slice(0, at) +
      one(['/', '%2f', '.', '..', '%00', '\u00ff', 'S', ';', '#']) +
      path.slice(at)
    );
  };

  const line = sometimes(0.75)
    ? one(sometimes(0.8) ? ACTIONS : ROUTES)
    : `${one(METHODS)} ${one(PATHS)}`;
  const [method = '', target = ''] = line.split(' ');
  const json = () => {
    const body: Record<string, unknown> = { email: value() };
    for (const key of [
      'firstName',
      'is_admin',
      'isAdmin',
      'invited_by',
      '__proto__',
      'constructor',
    ])
      if (sometimes(0.3)) body[key] = value();
    return JSON.stringify(body);
  };
  const body = sometimes(0.6)
    ? json()
    : one(['', '', '{', '[]', 'null', '{"email":', bytes(below(300)), 'x'.repeat(below(12_000))]);
  const headers: Record<string, string> = {
    'X-Forwarded-For': sometimes(0.95)
      ? `10.${below(256)}.${below(256)}.${below(256)}`
      : one(['', 'x', '::1', ',', '10.0.0.1, ::ffff:1.2.3.4']),
    'Content-Type': sometimes(0.9)
      ? 'application/json'
      : one(['text/plain', 'application/json; charset=\u00ff', ';']),
  };
  if (cookie !== '')
    headers.Cookie = sometimes(0.95)
      ? cookie
      : one([`${cookie}x`, `x=1; ${cookie}`, `svc_session=; ${cookie}`, cookie.slice(0, -1)]);
  else if (sometimes(0.3))
    headers.Cookie = one(['svc_session', FORGED_COOKIE, ';=;=', '\u00ff'.repeat(50)]);
  if (sometimes(0.5))
    headers['User-Agent'] = one([
      '',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile Safari/604.1',
      '('.repeat(600),
      '\u00e9'.repeat(600),
      `x${below(5000)}`,
    ]);
  if (sometimes(0.05)) headers['Sec-Fetch-Site'] = one(['same-origin', 'none', 'cross-site', '']);
  if (sometimes(0.05))
    headers.Origin = one(['null', 'https://evil.example', 'http://localhost:3000', '\u00ff']);
  if (sometimes(0.05)) headers['If-None-Match'] = one(['*', 'W/"x"', ',,,', '"']);
  if (sometimes(0.02)) headers.Expect = one(['100-continue', 'x']);
  return {
    method,
    path: (sometimes(0.05) ? mutate(target) : target) + (sometimes(0.2) ? cursor() : one(QUERIES)),
    headers,
    body,
  };
}
