/**
 * The route table: every URL, its audience and its handler. In each block, the routes of
 * extras come last. `lib/` itself holds this table and what several folders share:
 * settings, types of rows, columns of lists. CONTRIBUTING.md says what was ordered.
 */
import path from 'node:path';
import { root, type Settings } from './config.ts';
import { inviteMany, MAX_LIST_BYTES } from './extras/bulk/invite-many.ts'; // extra: bulk
import { csvLists } from './extras/export/csv-lists.ts'; // extra: export
import { diskFile } from './http/disk-file.ts';
import { memoryFile, readFolder, typeOfPageFile, typeOfSiteFile } from './http/files.ts';
import { withBody } from './http/json-body.ts';
import { errorReply, type Reply, redirect, statusOnly } from './http/reply.ts';
import type { Context, Handler, Request, Route } from './http/request.ts';
import { createRouter } from './http/router.ts';
import { authHandlers, loginLimit } from './routes/auth.ts';
import { replyToError } from './routes/errors.ts';
import { type Routes, routeGuards } from './routes/guards.ts';
import { withQuery } from './routes/query.ts';
import { svcopsHandlers } from './routes/svcops.ts';
import { svcopsPage } from './routes/svcops-page.ts';
import {
  hasJoinedHandler,
  joinHandler,
  timelineHandler,
  toEntryWithLayout,
} from './routes/timeline.ts';
import type { Site } from './site/site.ts';
import type { ServerStore } from './store/open.ts';

const pages = path.join(root, 'pages');

/** The whole service. Until `replaceSite` is called, every URL is unknown. */
export function createApp(store: ServerStore, settings: Settings) {
  const guards = routeGuards(store, settings);
  const { everyone, visitors, administrators, administratorsApi } = guards;
  const limited = loginLimit(settings);
  const { login, logout, me } = authHandlers(store, settings);
  const pageFiles = {
    everyone: fileRoutes(pageFilesOf('everyone', '/'), publicFile),
    invitees: fileRoutes(pageFilesOf('invitees', '/'), privateFile),
    svcops: fileRoutes(pageFilesOf('svcops', '/svcops/'), privateFile),
  };

  const api = svcopsHandlers(store);
  const noSession = statusOnly(401);
  const noSessionJson = errorReply(401, 'no_session');
  const toEntry = redirect('/');

  function table(site: Site): readonly Route[] {
    const admin = {
      ...api,
      // It replaces the handlers of the lists, and answers `format=csv` too.
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
        ...fileRoutes(site.files.public, diskFile('no-cache', site.files.folder), typeOfSiteFile),
        // The owner's icons come after ours: of two routes with one name, the later one counts.
        ...iconRoutes(site.files.icons, diskFile('no-cache', site.files.folder)),
        ...fileRoutes(site.styles.public, publicFile),
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
        ...fileRoutes(
          site.files.gated,
          diskFile('private, no-cache', site.files.folder),
          typeOfSiteFile,
        ),
        // Also the layouts' style sheets, with the site's colours.
        ...fileRoutes(site.styles.gated, privateFile),
      }),
      ...visitors(() => noSessionJson, {
        'GET /api/project-join': hasJoinedHandler(store),
        'POST /api/project-join': joinHandler(store),
      }),
      ...administrators({
        'GET /svcops': svcopsPage(store, site.pages),
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
 * The files of an audience, by URL. The build bundles its scripts and styles into `pages/built/`.
 * All other files are sent as they are.
 */
function pageFilesOf(audience: string, urlOfFolder: string) {
  const sources = readFolder(path.join(pages, audience), urlOfFolder);
  const isBundled = (url: string): boolean => /\.(css|js)$/.test(url);
  const asTheyAre = sources.filter(([url]) => !isBundled(url));
  return [...asTheyAre, ...readFolder(path.join(pages, 'built', audience), urlOfFolder)];
}

/**
 * Makes a handler that sends a file.
 *
 * @param file its bytes or its path
 * @param type its Content-Type
 */
type Sender<File> = (file: File, type: string) => Handler<Context>;

/** Makes a route for each file. */
function fileRoutes<File>(
  filesByUrl: Iterable<readonly [url: string, file: File]>,
  sender: Sender<File>,
  typeOf = typeOfPageFile,
): Routes<Context> {
  const routes: Record<string, Handler<Context>> = {};
  for (const [url, file] of filesByUrl) routes[`GET ${url}`] = sender(file, typeOf(url));
  return routes;
}

/**
 * Makes the routes of the owner's icons. `/favicon.ico` may be a PNG, so its file tells the type.
 */
function iconRoutes(icons: ReadonlyMap<string, string>, sender: Sender<string>): Routes<Context> {
  const routes: Record<string, Handler<Context>> = {};
  for (const [url, file] of icons) routes[`GET ${url}`] = sender(file, typeOfSiteFile(file));
  return routes;
}

const publicFile = memoryFile('no-cache');
const privateFile = memoryFile('private, no-cache');
