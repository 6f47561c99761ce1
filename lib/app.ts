/**
 * The route table: every URL, its audience and its handler; in each block first what the specification
 * orders. `lib/` itself holds this table and what several folders share: settings, types of rows,
 * columns of lists. Everything else belongs in a folder, and what nobody ordered in `lib/extras`.
 */
import path from 'node:path';
import { root, type Settings } from './config.ts';
import { inviteMany, MAX_LIST_BYTES } from './extras/bulk/invite-many.ts'; // extra: bulk
import { csvLists } from './extras/export/csv-lists.ts'; // extra: export
import { diskFile } from './http/disk-file.ts';
import { contentType, mediaType, memoryFile, readFolder } from './http/files.ts';
import { withBody } from './http/json-body.ts';
import { errorReply, htmlPage, type Reply, redirect, statusOnly } from './http/reply.ts';
import type { Context, Handler, Request, Route } from './http/request.ts';
import { createRouter } from './http/router.ts';
import { authHandlers, loginLimit } from './routes/auth.ts';
import { replyToError } from './routes/errors.ts';
import { type Routes, routeGuards } from './routes/guards.ts';
import { withQuery } from './routes/query.ts';
import { svcopsHandlers } from './routes/svcops.ts';
import { hasJoinedHandler, joinHandler, timelineHandler, toEntry } from './routes/timeline.ts';
import type { Site } from './site/site.ts';
import type { ServerStore } from './store/open.ts';

const pages = path.join(root, 'pages');

/** The whole service. Every URL is unknown until there is a site. */
export function createApp(store: ServerStore, settings: Settings) {
  const guards = routeGuards(store, settings);
  const { everyone, visitors, administrators, administratorsApi } = guards;
  const limited = loginLimit(settings);
  const { login, logout, me } = authHandlers(store, settings);
  const pageFiles = {
    everyone: files(pageFilesOf('everyone', '/'), publicFile),
    invitees: files(pageFilesOf('invitees', '/'), privateFile),
    svcops: files(pageFilesOf('svcops', '/svcops/'), privateFile),
  };

  const api = svcopsHandlers(store);
  const noVisitor = statusOnly(401);
  const noSession = errorReply(401, 'no_session');
  const toStart = redirect('/');

  function table(site: Site): readonly Route[] {
    const admin = {
      ...api,
      // Extras:
      // extra: export
      ...csvLists(
        api,
        store,
        site.letters, // extra: letters
      ),
      // end: export
    };
    return [
      ...everyone({
        'GET /': publicFile(site.pages.entry, 'text/html; charset=utf-8'),
        ...pageFiles.everyone,
        ...files(site.files.public, diskFile('no-cache', site.files.folder), contentType),
        // The owner's, in the place of ours.
        ...ownIcons(site.files.icons, diskFile('no-cache', site.files.folder)),
        ...files(site.styles.public, publicFile),
        'POST /auth/login': limited(withBody(login)),
        'POST /auth/logout': withBody(logout),
      }),
      ...visitors(() => noVisitor, {
        'GET /auth/me': me,
      }),
      ...visitors(toEntry, {
        'GET /timeline': timelineHandler(store, site.pages),
      }),
      ...visitors(() => toStart, {
        ...pageFiles.invitees,
        ...files(site.files.gated, diskFile('private, no-cache', site.files.folder), contentType),
        // Also the layouts' style sheets, with the site's colours.
        ...files(site.styles.gated, privateFile),
      }),
      ...visitors(() => noSession, {
        'GET /api/project-join': hasJoinedHandler(store),
        'POST /api/project-join': joinHandler(store),
      }),
      ...administrators({
        'GET /svcops': () => htmlPage(site.pages.svcops),
        ...pageFiles.svcops,
      }),
      ...administratorsApi({
        'GET /api/svcops/stats': withQuery(admin.stats),
        'GET /api/svcops/invites': withQuery(admin.listInvites),
        'POST /api/svcops/invites': withBody(admin.invite),
        'GET /api/svcops/joins': withQuery(admin.listJoins),
        'GET /api/svcops/events': withQuery(admin.listEvents),
        'GET /api/svcops/changes': withQuery(admin.listChanges),
        'GET /api/svcops/person': withQuery(admin.person),
        // Extras:
        'POST /api/svcops/invites/many': withBody(inviteMany(store), MAX_LIST_BYTES), // extra: bulk
      }),
    ];
  }

  const unknown: Route = ['an unknown URL', guards.notFound];
  let findRoute = createRouter([]);
  return {
    /** Answers a request. Never throws. */
    async handle(request: Request): Promise<Reply> {
      const [name, handler] = findRoute(request) ?? unknown;
      try {
        return await handler(request);
      } catch (error) {
        return replyToError(error, name, request);
      }
    },
    /** Replaces the whole site. @returns the names of all routes, as `GET /timeline` */
    replaceSite(site: Site): readonly string[] {
      const routes = table(site);
      findRoute = createRouter(routes);
      return routes.map(([name]) => name);
    },
  };
}

/** The files of an audience, by URL: what the build made of its sources, and all else as it is. */
const pageFilesOf = (audience: string, at: string) => [
  ...readFolder(path.join(pages, audience), at).filter(([url]) => !/\.(css|js)$/.test(url)),
  ...readFolder(path.join(pages, 'built', audience), at),
];

/** Routes that send files, by URL. */
const files = <File>(
  found: Iterable<readonly [url: string, file: File]>,
  sender: (file: File, type: string) => Handler<Context>,
  typeOf = mediaType,
): Routes<Context> =>
  Object.fromEntries(Array.from(found, ([url, file]) => [`GET ${url}`, sender(file, typeOf(url))]));

/** Routes of the owner's icons. Each has the type of its file, because its URL may not say it. */
const ownIcons = (
  icons: ReadonlyMap<string, string>,
  sender: (file: string, type: string) => Handler<Context>,
): Routes<Context> =>
  Object.fromEntries(
    Array.from(icons, ([url, file]) => [`GET ${url}`, sender(file, contentType(file))]),
  );

const publicFile = memoryFile('no-cache');
const privateFile = memoryFile('private, no-cache');
