/** The route table: every URL, who may have it, whether it records something, and its handler. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from './config.ts';
import { type CacheControl, diskFile, memoryFile } from './http/files.ts';
import { htmlReply, NOT_FOUND, redirect } from './http/reply.ts';
import type { Handler, Route, Routes } from './http/router.ts';
import * as auth from './routes/auth.ts';
import { createGuards } from './routes/guards.ts';
import * as svcops from './routes/svcops.ts';
import * as timeline from './routes/timeline.ts';
import type { Site } from './site/site.ts';
import type { Database } from './store/sqlite.ts';

/** Limits of a body in bytes: for one person, and for a list of thousands. */
const SMALL = 10 * 1024;
const LARGE = 1024 * 1024;

export type App = {
  readonly routes: Routes;
  /** Answers an unknown URL. */
  readonly notFound: Route;
};

export function createApp(db: Database, site: Site, publicOrigin: string): App {
  const { sameOrigin, visitor, onlyVisitors, admin, adminApi, onlyAdmins } = createGuards(
    db,
    publicOrigin,
  );
  const pages = timeline.makePages(site.pages);
  const entryPage = htmlReply(site.pages.entry);
  const svcopsPage = htmlReply(site.pages.svcops);
  const toEntry = redirect('/');

  const routes = new Map<string, Route>([
    // Everybody
    ['GET /', { read: () => entryPage }],
    ...filesOf('everyone', '/', 'no-cache', (file) => file),
    ...ownersFiles(site.files.public, 'no-cache', (file) => file),
    ...styles(site.styles),
    [
      'POST /auth/login',
      {
        body: { admit: sameOrigin(auth.limited()), maxBytes: SMALL },
        check: auth.refuseUninvited(db),
        record: auth.login(db),
      },
    ],
    ['POST /auth/logout', { check: sameOrigin(auth.refuseLoggedOut(db)), record: auth.logout(db) }],

    // Visitors
    ['GET /auth/me', { read: visitor(auth.NO_SESSION, auth.me) }],
    ['HEAD /timeline', { read: visitor(toEntry, timeline.head(pages)) }],
    [
      'GET /timeline',
      { check: onlyVisitors(toEntry), record: visitor(toEntry, timeline.view(db, pages)) },
    ],
    [
      'POST /api/project-join',
      {
        check: sameOrigin(onlyVisitors(timeline.NO_SESSION)),
        record: visitor(timeline.NO_SESSION, timeline.join(db)),
      },
    ],
    ...filesOf('invitees', '/', 'private, no-cache', (file) => visitor(toEntry, file)),
    ...ownersFiles(site.files.gated, 'private, no-cache', (file) => visitor(toEntry, file)),

    // Administrators
    ['GET /svcops', { read: admin(() => svcopsPage) }],
    ...filesOf('svcops', '/svcops/', 'private, no-cache', admin),
    ['GET /api/svcops/stats', { read: adminApi(svcops.stats(db)) }],
    ['GET /api/svcops/invites', { read: adminApi(svcops.invites(db, publicOrigin)) }],
    ['GET /api/svcops/joins', { read: adminApi(svcops.joins(db)) }],
    ['GET /api/svcops/events', { read: adminApi(svcops.events(db)) }],
    [
      'POST /api/svcops/invites',
      {
        body: { admit: onlyAdmins, maxBytes: SMALL },
        check: onlyAdmins,
        record: adminApi(svcops.invite(db, publicOrigin)),
      },
    ],
    [
      'POST /api/svcops/invites/many',
      {
        body: { admit: onlyAdmins, maxBytes: LARGE },
        check: onlyAdmins,
        record: adminApi(svcops.inviteMany(db)),
      },
    ],
  ]);
  return { routes, notFound: { read: admin(() => NOT_FOUND) } };
}

type Entry = [name: string, route: Route];
type Guard = (handler: Handler) => Handler;

/** Our own files. The name of their folder is their audience. */
function filesOf(audience: string, url: string, cache: CacheControl, guard: Guard): Entry[] {
  const folder = path.join(root, 'pages/built', audience);
  const entries: Entry[] = [];
  for (const found of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!found.isFile()) continue;
    const file = path.join(found.parentPath, found.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    const handler = memoryFile(name, fs.readFileSync(file), cache);
    entries.push([`GET ${url}${name}`, { read: guard(handler) }]);
  }
  return entries;
}

/** The files of the owner's site, from disk. */
function ownersFiles(
  files: ReadonlyMap<string, string>,
  cache: CacheControl,
  guard: Guard,
): Entry[] {
  return Array.from(files, ([url, file]) => [`GET ${url}`, { read: guard(diskFile(file, cache)) }]);
}

/** Style sheets that are made of the site's theme. */
function styles(css: ReadonlyMap<string, string>): Entry[] {
  return Array.from(css, ([url, text]) => [
    `GET ${url}`,
    { read: memoryFile(url, Buffer.from(text), 'no-cache') },
  ]);
}
