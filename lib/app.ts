/** The route table: every URL the service answers, and what guards it. */
import path from 'node:path';
import { root, type Settings } from './config.ts';
import { asset, readFiles } from './http/files.ts';
import { empty, failure, NOT_FOUND, page, redirect } from './http/reply.ts';
import type { Handler } from './http/request.ts';
import { type Routes, router } from './http/router.ts';
import { auth } from './routes/auth.ts';
import { catchErrors, guards } from './routes/guards.ts';
import { join } from './routes/join.ts';
import { svcops } from './routes/svcops.ts';
import { timeline } from './routes/timeline.ts';
import type { Pages } from './site/render.ts';
import type { ServerStore } from './store/open.ts';

export type Parts = {
  readonly settings: Settings;
  readonly store: ServerStore;
  readonly pages: Pages;
};

/** The whole service as one handler, which never throws. */
export function app(parts: Parts): Handler {
  const guard = guards(parts.store, parts.settings);
  // An unknown URL is behind the guard of the hidden page, so that neither a reply's time nor a
  // fault of the store distinguishes them.
  const unknown = guard.adminOnly(() => NOT_FOUND);
  return router(routes(parts, guard), unknown, catchErrors);
}

/** The route table: each handler with its guards, by method and path. */
export function routes(
  { settings, store, pages }: Parts,
  { visitorOnly, adminOnly, recorded, limited, ownPages, withJson } = guards(store, settings),
): Routes {
  const { login, logout, me } = auth(store, settings);
  const admin = svcops(store);

  const toEntry = redirect('/');
  const noSession = failure(401, 'no_session');
  const served = (
    folder: string,
    at: string,
    visibility: 'public' | 'private',
    guard: (handler: Handler) => Handler,
  ): Routes =>
    Object.fromEntries(
      readFiles(path.join(root, 'pages', folder)).map(([name, file]) => [
        `GET ${at}${name}`,
        guard(asset(file, visibility)),
      ]),
    );
  const invitees = (handler: Handler): Handler => visitorOnly(toEntry, handler);
  const images = Object.fromEntries(
    readFiles(path.join(root, 'pages', 'images'))
      .filter(([name]) => pages.images.includes(name))
      .map(([name, file]) => [
        `GET /images/${encodeURIComponent(name)}`,
        invitees(asset(file, 'private')),
      ]),
  );

  return {
    'GET /': asset({ body: pages.entry, type: 'text/html; charset=utf-8' }, 'public'),
    ...served('everyone', '/', 'public', (handler) => handler),

    'POST /auth/login': limited(ownPages(withJson(login))),
    'POST /auth/logout': ownPages(withJson(logout)),
    'GET /auth/me': visitorOnly(empty(401), me),

    'GET /timeline': recorded(toEntry, timeline(pages)),
    ...served('invitees', '/', 'private', invitees),
    ...images,
    'POST /api/project-join': ownPages(recorded(noSession, join)),

    'GET /svcops': adminOnly(() => page(pages.svcops)),
    ...served('svcops', '/svcops/', 'private', adminOnly),
    'GET /api/svcops/stats': adminOnly(admin.stats),
    'GET /api/svcops/invites': adminOnly(admin.listInvites),
    'POST /api/svcops/invites': adminOnly(ownPages(withJson(admin.invite))),
    'GET /api/svcops/joins': adminOnly(admin.listJoins),
    'GET /api/svcops/events': adminOnly(admin.listEvents),
    'GET /api/svcops/person': adminOnly(admin.person),
  };
}
