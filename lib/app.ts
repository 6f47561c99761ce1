/** The route table: every URL, its audience and its handler. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from './config.ts';
import { type CacheControl, diskFile, memoryFile } from './http/files.ts';
import { htmlReply, NOT_FOUND } from './http/reply.ts';
import { type Handler, type Route, type Routes, reads, writes, writesBody } from './http/router.ts';
import * as auth from './routes/auth.ts';
import { createGuards } from './routes/guards.ts';
import { openLink, ownPage } from './routes/pages.ts';
import * as svcops from './routes/svcops.ts';
import * as timeline from './routes/timeline.ts';
import type { Site } from './site/site.ts';
import type { Database } from './store/sqlite.ts';

type App = {
  readonly routes: Routes;
  /** Answers an unknown URL. */
  readonly unknown: Route;
};

export function createApp(db: Database, site: Site, publicOrigin: string): App {
  const { sameOrigin, visitor, admin, adminApi } = createGuards(db, publicOrigin);
  const theme = Buffer.from(site.theme);
  const { entry, mobile, desktop, svcops: hidden } = site.pages;
  const entryPage = htmlReply(Buffer.from(entry));
  const svcopsPage = htmlReply(Buffer.from(hidden));
  const timelines = { mobile: ownPage(db, mobile), desktop: ownPage(db, desktop) };
  const forVisitors: Guard = (file) => visitor(timeline.TO_ENTRY, file);

  const routes = new Map<string, Route>([
    // Everybody
    // Who has no session gets the page as it is, a visitor her own.
    ['GET /', reads(visitor(entryPage, ownPage(db, entry)))],
    ['GET /%23', reads(openLink)],
    ...filesOf('everyone', '/', 'no-cache', (file) => file),
    ...ownersFiles(site.files.public, 'no-cache', (file) => file),
    ['GET /theme.css', reads(memoryFile('theme.css', theme, 'no-cache'))],
    ['POST /auth/login', writesBody(sameOrigin(auth.login(db)))],
    ['POST /auth/logout', writes(sameOrigin(auth.logout(db)))],

    // Visitors
    ['GET /auth/me', reads(visitor(auth.NOBODY, auth.me))],
    ['GET /timeline', writes(visitor(timeline.TO_ENTRY, timeline.view(db, timelines)))],
    ['POST /api/project-join', writes(sameOrigin(visitor(timeline.NO_SESSION, timeline.join(db))))],
    ...filesOf('invitees', '/', 'private, no-cache', forVisitors),
    ...ownersFiles(site.files.gated, 'private, no-cache', forVisitors),

    // Administrators
    ['GET /svcops', reads(admin(() => svcopsPage))],
    ...filesOf('svcops', '/svcops/', 'private, no-cache', admin),
    ['GET /api/svcops/stats', reads(adminApi(svcops.getStats(db)))],
    ['GET /api/svcops/invites', reads(adminApi(svcops.getInvites(db, publicOrigin)))],
    ['GET /api/svcops/joins', reads(adminApi(svcops.getJoins(db)))],
    ['GET /api/svcops/events', reads(adminApi(svcops.getEvents(db)))],
    ['POST /api/svcops/invites', writesBody(adminApi(svcops.postInvite(db, publicOrigin)))],
    ['POST /api/svcops/invites/name', writesBody(adminApi(svcops.postName(db)))],
    ['POST /api/svcops/invites/many', writesBody(adminApi(svcops.postInvites(db)))],
  ]);

  // The same lookups as for /svcops, so that the time of a reply tells nothing.
  return { routes, unknown: reads(admin(() => NOT_FOUND)) };
}

type Entry = [name: string, route: Route];
type Guard = (handler: Handler) => Handler;

/** Our own files. Their folder says who may have them. */
function filesOf(audience: string, url: string, cache: CacheControl, guard: Guard): Entry[] {
  const folder = path.join(root, 'pages/built', audience);
  const entries: Entry[] = [];
  for (const found of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!found.isFile()) continue;
    const file = path.join(found.parentPath, found.name);
    const name = path.relative(folder, file);
    const handler = memoryFile(name, fs.readFileSync(file), cache);
    entries.push([`GET ${url}${name}`, reads(guard(handler))]);
  }
  return entries;
}

/** The files of the owner's site, from disk. */
function ownersFiles(
  files: ReadonlyMap<string, string>,
  cache: CacheControl,
  guard: Guard,
): Entry[] {
  return Array.from(files, ([url, file]) => [`GET ${url}`, reads(guard(diskFile(file, cache)))]);
}
