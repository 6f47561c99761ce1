/** The route table: every URL the service answers, and what guards it. */
import path from 'node:path';
import { root, type Settings } from './config.ts';
import { asset, type File, readFiles } from './http/files.ts';
import { media } from './http/media.ts';
import { empty, failure, NOT_FOUND, page, redirect } from './http/reply.ts';
import type { Handler } from './http/request.ts';
import { type Routes, router } from './http/router.ts';
import { auth } from './routes/auth.ts';
import { catchErrors, guards } from './routes/guards.ts';
import { join } from './routes/join.ts';
import { svcops } from './routes/svcops.ts';
import { timeline } from './routes/timeline.ts';
import type { OnDisk } from './site/files.ts';
import type { Site } from './site/site.ts';
import type { ServerStore } from './store/open.ts';

export type Parts = {
  readonly settings: Settings;
  readonly store: ServerStore;
};

/** The whole service as one handler for each site, which never throws. All share one limiter. */
export function app(parts: Parts): (site: Site) => Handler {
  const guard = guards(parts.store, parts.settings);
  // An unknown URL is behind the guard of the hidden page, so that neither a reply's time nor a
  // fault of the store distinguishes them.
  const unknown = guard.adminOnly(() => NOT_FOUND);
  const table = routes(parts, guard);
  return (site) => router(table(site), unknown, catchErrors);
}

/** The route table of a site: each handler with its guards, by method and path. */
export function routes(
  { settings, store }: Parts,
  { visitorOnly, adminOnly, recorded, limited, ownPages, withJson } = guards(store, settings),
): (site: Site) => Routes {
  const { login, logout, me } = auth(store, settings);
  const admin = svcops(store);

  const toEntry = redirect('/');
  const noSession = failure(401, 'no_session');
  const everybody = (file: File): Handler => asset(file, 'public');
  const invitees = (file: File): Handler => visitorOnly(toEntry, asset(file, 'private'));
  const viewers = (file: OnDisk): Handler => visitorOnly(toEntry, media(file.path, file.type));
  const administrators = (file: File): Handler => adminOnly(asset(file, 'private'));
  const served = (folder: string, at: string, send: (file: File) => Handler): Routes =>
    Object.fromEntries(
      readFiles(path.join(root, 'pages', folder)).map(([name, file]) => [
        `GET ${at}${name}`,
        send(file),
      ]),
    );
  const ours = {
    everyone: served('everyone', '/', everybody),
    invitees: served('invitees', '/', invitees),
    svcops: served('svcops', '/svcops/', administrators),
  };
  const owners = ({ files, media: onDisk }: Site): Routes =>
    Object.fromEntries([
      ...[...files].map(([url, file]) => [
        `GET ${url}`,
        url.startsWith('/public/') ? everybody(file) : invitees(file),
      ]),
      ...[...onDisk].map(([url, file]) => [`GET ${url}`, viewers(file)]),
    ]);

  return (site) => ({
    'GET /': everybody({ body: site.pages.entry, type: 'text/html; charset=utf-8' }),
    ...ours.everyone,

    'POST /auth/login': limited(ownPages(withJson(login))),
    'POST /auth/logout': ownPages(withJson(logout)),
    'GET /auth/me': visitorOnly(empty(401), me),

    'GET /timeline': recorded(toEntry, timeline(site.pages)),
    ...ours.invitees,
    ...owners(site),
    'POST /api/project-join': ownPages(recorded(noSession, join)),

    'GET /svcops': adminOnly(() => page(site.pages.svcops)),
    ...ours.svcops,
    'GET /api/svcops/stats': adminOnly(admin.stats),
    'GET /api/svcops/invites': adminOnly(admin.listInvites),
    'POST /api/svcops/invites': adminOnly(ownPages(withJson(admin.invite))),
    'GET /api/svcops/joins': adminOnly(admin.listJoins),
    'GET /api/svcops/events': adminOnly(admin.listEvents),
    'GET /api/svcops/changes': adminOnly(admin.listChanges),
    'GET /api/svcops/person': adminOnly(admin.person),
  });
}
