/** The route table: every URL the service answers, who may use it, and its handler. */
import path from 'node:path';
import { root, type Settings } from './config.ts';
import { asset, readFiles, typeOf } from './http/files.ts';
import { media } from './http/media.ts';
import { empty, failure, page, type Reply, redirect } from './http/reply.ts';
import type { Context, Handler, Request } from './http/request.ts';
import { type Route, router } from './http/router.ts';
import { auth } from './routes/auth.ts';
import { catchErrors } from './routes/errors.ts';
import { guards, type Routes, withBody } from './routes/guards.ts';
import { withQuery } from './routes/lists/query.ts';
import { loginLimit } from './routes/login-limit.ts';
import { svcops } from './routes/svcops.ts';
import { join, timeline } from './routes/visits.ts';
import type { Site } from './site/site.ts';
import type { ServerStore } from './store/open.ts';

const pages = path.join(root, 'pages');

/** The whole service. `handle` never throws. It knows no URL until `use` gives it a site. */
export function createApp(store: ServerStore, settings: Settings) {
  const { everyone, visitors, administrators, unknown, recorded } = guards(store, settings);
  const limited = loginLimit(settings);
  const { login, logout, me } = auth(store, settings);
  const admin = svcops(store);
  const ours = {
    everyone: files(readFiles(path.join(pages, 'everyone'), '/'), shared),
    invitees: files(readFiles(path.join(pages, 'invitees'), '/'), gated),
    svcops: files(readFiles(path.join(pages, 'svcops'), '/svcops/'), gated),
  };

  const table = (site: Site): readonly Route[] => [
    ...everyone({
      ...files([['/', site.pages.entry]], shared),
      ...ours.everyone,
      ...files(site.files.public, shared),
      'POST /auth/login': limited(withBody(login)),
      'POST /auth/logout': withBody(logout),
    }),
    ...visitors(empty(401), {
      'GET /auth/me': me,
    }),
    ...visitors(redirect('/'), {
      'GET /timeline': recorded(timeline(site.pages)),
      ...ours.invitees,
      ...files(site.files.images, gated),
      ...files(site.files.media, media),
    }),
    ...visitors(failure(401, 'no_session'), {
      'POST /api/project-join': recorded(join),
    }),
    ...administrators({
      'GET /svcops': () => page(site.pages.svcops),
      ...ours.svcops,
      'GET /api/svcops/stats': withQuery(admin.stats),
      'GET /api/svcops/invites': withQuery(admin.listInvites),
      'POST /api/svcops/invites': withBody(admin.invite),
      'GET /api/svcops/joins': withQuery(admin.listJoins),
      'GET /api/svcops/events': withQuery(admin.listEvents),
      'GET /api/svcops/changes': withQuery(admin.listChanges),
      'GET /api/svcops/person': withQuery(admin.person),
    }),
  ];

  let answer = router([], unknown, catchErrors);
  return {
    handle: (request: Request): Reply | Promise<Reply> => answer(request),
    /** Exchanges the site whole. @returns the names of all routes, as `GET /timeline` */
    use(site: Site): readonly string[] {
      const routes = table(site);
      answer = router(routes, unknown, catchErrors);
      return routes.map(([name]) => name);
    },
  };
}

/** Routes that send files, by URL. The URL of a page has no ending. */
const files = <File>(
  found: Iterable<readonly [url: string, file: File]>,
  sender: (file: File, type: string) => Handler,
): Routes<Context> =>
  Object.fromEntries(
    Array.from(found, ([url, file]) => {
      const send = sender(file, typeOf(url) ?? 'text/html; charset=utf-8');
      return [`GET ${url}`, ({ request }: Context) => send(request)];
    }),
  );

const shared = asset('public');
const gated = asset('private');
