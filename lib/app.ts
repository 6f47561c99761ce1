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

/** Files by the URL at which they are sent. */
type Files<F> = Iterable<readonly [url: string, file: F]>;

/** The whole service as one handler for each site, which never throws. All share one limiter. */
export function app(store: ServerStore, settings: Settings): (site: Site) => Handler {
  const guard = guards(store, settings);
  // An unknown URL is behind the guard of the hidden page, so that neither a reply's time nor a
  // fault of the store distinguishes them.
  const unknown = guard.adminOnly(() => NOT_FOUND);
  const table = routes(store, settings, guard);
  return (site) => router(table(site), unknown, catchErrors);
}

/** The route table of a site: each handler with its guards, by method and path. */
export function routes(
  store: ServerStore,
  settings: Settings,
  { visitorOnly, adminOnly, recorded, limited, ownPages, withJson } = guards(store, settings),
): (site: Site) => Routes {
  const { login, logout, me } = auth(store, settings);
  const admin = svcops(store);

  const toEntry = redirect('/');
  const noSession = failure(401, 'no_session');
  const everybody = (file: File): Handler => asset(file, 'public');
  const invitees = (file: File): Handler => visitorOnly(toEntry, asset(file, 'private'));
  const fromDisk = (file: OnDisk): Handler => visitorOnly(toEntry, media(file.path, file.type));
  const administrators = (file: File): Handler => adminOnly(asset(file, 'private'));
  const files = <F>(found: Files<F>, send: (file: F, url: string) => Handler): Routes =>
    Object.fromEntries([...found].map(([url, file]) => [`GET ${url}`, send(file, url)]));
  const pages = path.join(root, 'pages');
  const ours = {
    everyone: files(readFiles(path.join(pages, 'everyone'), '/'), everybody),
    invitees: files(readFiles(path.join(pages, 'invitees'), '/'), invitees),
    svcops: files(readFiles(path.join(pages, 'svcops'), '/svcops/'), administrators),
  };
  const byFolder = (file: File, url: string): Handler =>
    (url.startsWith('/public/') ? everybody : invitees)(file);

  return (site) => ({
    'GET /': everybody({ body: site.pages.entry, type: 'text/html; charset=utf-8' }),
    ...ours.everyone,

    'POST /auth/login': limited(ownPages(withJson(login))),
    'POST /auth/logout': ownPages(withJson(logout)),
    'GET /auth/me': visitorOnly(empty(401), me),

    'GET /timeline': recorded(toEntry, timeline(site.pages)),
    ...ours.invitees,
    ...files(site.files, byFolder),
    ...files(site.media, fromDisk),
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
