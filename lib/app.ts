/** The route table: every URL the service answers, and what guards it. */
import type { Settings } from './config.ts';
import { asset } from './http/asset.ts';
import { withJson } from './http/json-body.ts';
import { empty, failure, NOT_FOUND, page, redirect } from './http/reply.ts';
import type { Handler } from './http/request.ts';
import { type Routes, router } from './http/router.ts';
import { sameOrigin } from './http/same-origin.ts';
import { auth } from './routes/auth.ts';
import { answeringFaults } from './routes/faults.ts';
import { gates } from './routes/guards.ts';
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

/** What the administrator page loads. */
const SVCOPS_FILES = [
  'svcops.css',
  'svcops.js',
  'svcops-api.js',
  'svcops-chart.js',
  'svcops-elements.js',
  'svcops-filters.js',
  'svcops-invitation.js',
  'svcops-list.js',
  'svcops-live.js',
  'svcops-overview.css',
  'svcops-overview.js',
  'svcops-person.css',
  'svcops-person.js',
  'svcops-readable.js',
  'svcops-story.js',
  'svcops-tables.css',
  'svcops-tables.js',
  'svcops-uplot.css',
  'svcops-uplot.js',
];

/** The whole service as one handler, which never throws. */
export function app(parts: Parts): Handler {
  const { adminOnly } = gates(parts.store);
  // An unknown URL stands behind the gate of the hidden page: neither a clock nor a fault of the
  // store tells one from the other.
  return router(
    routes(parts),
    adminOnly(() => NOT_FOUND),
    answeringFaults,
  );
}

/** The route table: each handler with its guards, by method and path. */
export function routes({ settings, store, pages }: Parts): Routes {
  const { limited, login, logout, me } = auth(store, settings);
  const { visitorOnly, adminOnly, recorded } = gates(store);
  const ownPages = sameOrigin(settings.publicOrigin);
  const admin = svcops(store);

  const toEntry = redirect('/');
  const noSession = failure(401, 'no_session');
  const file = (name: string, visibility: 'public' | 'private') => {
    const { body, type } = pages.file(name);
    return asset(body, type, visibility);
  };
  const open = (name: string) => file(name, 'public');
  const gated = (name: string) => visitorOnly(toEntry, file(name, 'private'));
  const hidden = (name: string) => adminOnly(file(name, 'private'));
  const images = pages.images.map(
    (name) => [`GET /images/${encodeURIComponent(name)}`, gated(`images/${name}`)] as const,
  );
  const hiddenFiles = SVCOPS_FILES.map((name) => [`GET /${name}`, hidden(name)] as const);

  return {
    'GET /': asset(pages.entry, 'text/html; charset=utf-8', 'public'),
    'GET /base.css': open('base.css'),
    'GET /entry.css': open('entry.css'),
    'GET /entry.js': open('entry.js'),
    'GET /post.js': open('post.js'),
    'GET /card.png': open('card.png'),
    'GET /favicon.svg': open('favicon.svg'),
    'GET /fonts/newsreader.woff2': open('fonts/newsreader.woff2'),
    'GET /robots.txt': open('robots.txt'),

    'POST /auth/login': limited(ownPages(withJson(login))),
    'POST /auth/logout': ownPages(withJson(logout)),
    'GET /auth/me': visitorOnly(empty(401), me),

    'GET /timeline': recorded(toEntry, timeline(store, pages)),
    'GET /timeline.css': gated('timeline.css'),
    'GET /timeline.js': gated('timeline.js'),
    'GET /timeline-desktop.css': gated('timeline-desktop.css'),
    'GET /timeline-desktop.js': gated('timeline-desktop.js'),
    'GET /timeline-mobile.css': gated('timeline-mobile.css'),
    ...Object.fromEntries(images),
    'POST /api/project-join': ownPages(recorded(noSession, join(store))),

    'GET /svcops': adminOnly(() => page(pages.svcops)),
    ...Object.fromEntries(hiddenFiles),
    'GET /api/svcops/stats': adminOnly(admin.stats),
    'GET /api/svcops/invites': adminOnly(admin.listInvites),
    'POST /api/svcops/invites': adminOnly(ownPages(withJson(admin.invite))),
    'GET /api/svcops/joins': adminOnly(admin.listJoins),
    'GET /api/svcops/events': adminOnly(admin.listEvents),
    'GET /api/svcops/person': adminOnly(admin.person),
  };
}
