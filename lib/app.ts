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
import { memoryFile, readFolder, typeOfPageFile, typeOfSiteFile } from './http/files.ts';
import { withBody } from './http/json-body.ts';
import { errorReply, htmlPage, type Reply, redirect, statusOnly } from './http/reply.ts';
import type { Context, Handler, Request, Route } from './http/request.ts';
import { createRouter } from './http/router.ts';
import { authHandlers, loginLimit } from './routes/auth.ts';
import { replyToError } from './routes/errors.ts';
import { type Routes, routeGuards } from './routes/guards.ts';
import { withQuery } from './routes/query.ts';
import { svcopsHandlers } from './routes/svcops.ts';
import {
  hasJoinedHandler,
  joinHandler,
  timelineHandler,
  toEntryWithLayout,
} from './routes/timeline.ts';
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
  const noSession = statusOnly(401);
  const noSessionJson = errorReply(401, 'no_session');
  const toEntry = redirect('/');

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
        ...files(site.files.public, diskFile('no-cache', site.files.folder), typeOfSiteFile),
        // Behind our own, because the later of two routes with one name replaces the other.
        ...ownIcons(site.files.icons, diskFile('no-cache', site.files.folder)),
        ...files(site.styles.public, publicFile),
        'POST /auth/login': limited(withBody(login)),
        'POST /auth/logout': withBody(logout),
      }),
      ...visitors(() => noSession, {
        'GET /auth/me': me,
      }),
      ...visitors(toEntryWithLayout, {
        'GET /timeline': timelineHandler(store, site.pages),
      }),
      ...visitors(() => toEntry, {
        ...pageFiles.invitees,
        ...files(
          site.files.gated,
          diskFile('private, no-cache', site.files.folder),
          typeOfSiteFile,
        ),
        // Also the layouts' style sheets, with the site's colours.
        ...files(site.styles.gated, privateFile),
      }),
      ...visitors(() => noSessionJson, {
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

/**
 * The files of an audience, by URL. Its scripts and styles are those that the build has bundled; all
 * other files are sent as they are.
 */
const pageFilesOf = (audience: string, urlOfFolder: string) => [
  ...readFolder(path.join(pages, audience), urlOfFolder).filter(
    ([url]) => !/\.(css|js)$/.test(url),
  ),
  ...readFolder(path.join(pages, 'built', audience), urlOfFolder),
];

/** Makes a handler that sends a file, given as its bytes or its path, with a Content-Type. */
type Sender<File> = (file: File, type: string) => Handler<Context>;

/** Routes that send files, by URL. */
const files = <File>(
  found: Iterable<readonly [url: string, file: File]>,
  sender: Sender<File>,
  typeOf = typeOfPageFile,
): Routes<Context> =>
  Object.fromEntries(Array.from(found, ([url, file]) => [`GET ${url}`, sender(file, typeOf(url))]));

/** Routes of the owner's icons. `/favicon.ico` may be a PNG: the name of its file tells the type. */
const ownIcons = (icons: ReadonlyMap<string, string>, sender: Sender<string>): Routes<Context> =>
  Object.fromEntries(
    Array.from(icons, ([url, file]) => [`GET ${url}`, sender(file, typeOfSiteFile(file))]),
  );

const publicFile = memoryFile('no-cache');
const privateFile = memoryFile('private, no-cache');
