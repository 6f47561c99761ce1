/** A site with two invitees, and visitors in a real browser, each with a list of faults. */
import fs from 'node:fs';
import path from 'node:path';
import { after } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Installation, install, type Server } from '../support/installation.ts';
import { lockStore } from '../support/lock.ts';
import { sharedBrowser } from './chromium.ts';

export const ADA = 'ada@example.com';
/** Invited without a first name. */
export const NAMELESS = 'nameless@example.com';

export const SCHEMES = ['light', 'dark'] as const;
export const LAYOUTS = ['desktop', 'mobile'] as const;

export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, exceptions and requests to other origins, so far: `403 /auth/login`. */
  readonly troubles: readonly string[];
};

export type Site = {
  readonly origin: string;
  readonly installation: Installation;
  readonly server: Server;
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  /** A visitor with a session. */
  visitAs(email: string, options?: BrowserContextOptions): Promise<Visitor>;
  /** Ada's, on the timeline, which is complete with her name. */
  read(view: (typeof LAYOUTS)[number], options?: BrowserContextOptions): Promise<Visitor>;
  /** Locks the store for writing. @returns unlocks it */
  lockStore(): () => void;
};

/**
 * Starts a site for a file of tests. Do not call it in a hook.
 *
 * @param content makes the site's content, by the installation's folder, in place of the sample's
 */
export async function openSite(content?: (root: string) => object): Promise<Site> {
  const installation = install();
  if (content)
    fs.writeFileSync(
      path.join(installation.root, 'pages/sample/content.json'),
      JSON.stringify(content(installation.root)),
    );
  installation.write(({ invites }) => {
    const invitedAt = Date.now();
    invites.add({ email: ADA, firstName: 'Ada', invitedBy: 'cli', invitedAt });
    invites.add({ email: NAMELESS, firstName: null, invitedBy: 'cli', invitedAt });
  });
  const [server, browser] = await Promise.all([installation.start(), sharedBrowser()]);
  after(() => installation.remove());
  let visitors = 0;

  const visit = async (options: BrowserContextOptions = {}): Promise<Visitor> => {
    visitors += 1;
    const context = await browser.newContext({
      baseURL: server.origin,
      // Each visitor has an address and a login limit of their own.
      extraHTTPHeaders: { 'X-Forwarded-For': `192.0.2.${visitors}` },
      ...options,
    });
    const page = await context.newPage();
    return { page, context, troubles: watch(page, server.origin) };
  };

  const visitAs: Site['visitAs'] = async (email, options) => {
    const visitor = await visit(options);
    await visitor.context.request.post('/auth/login', { data: { email } });
    return visitor;
  };

  return {
    origin: server.origin,
    installation,
    server,
    visit,
    visitAs,
    async read(view, options) {
      const visitor = await visitAs(ADA, options);
      await visitor.page.goto(`/timeline?view=${view}`);
      await visitor.page.locator('#name', { hasText: 'Ada' }).waitFor();
      return visitor;
    },
    lockStore: () => lockStore(installation.store),
  };
}

/** Notes what goes wrong in a page from now on. */
export function watch(page: Page, origin: string): readonly string[] {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) troubles.push(`request to ${request.url()}`);
  });
  // A violation of the Content-Security-Policy is an error on the console too.
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const status = /^Failed to load resource: .* status of (\d+)/.exec(message.text())?.[1];
    const { pathname } = new URL(message.location().url || origin);
    troubles.push(status ? `${status} ${pathname}` : message.text());
  });
  return troubles;
}
