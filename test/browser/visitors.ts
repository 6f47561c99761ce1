/** A service with two invitees, and visitors in a real browser, whose pages must have no faults. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, afterEach } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Writer } from '../../lib/store/tables.ts';
import { install } from '../support/installation.ts';
import { sharedBrowser } from './chromium.ts';

export const ADA = 'ada@example.com';
/** Invited without a first name. */
export const NAMELESS = 'nameless@example.com';

export const LAYOUTS = ['desktop', 'mobile'] as const;
export const TIMELINES = LAYOUTS.map((view) => `/timeline?view=${view}`);

export const WIDE = { viewport: { width: 1440, height: 900 } };

type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, exceptions and requests to other origins, so far: `403 /auth/login`. */
  readonly troubles: readonly string[];
};

export type VisitOptions = BrowserContextOptions & {
  /** Faults that the test provokes. */
  readonly expected?: RegExp;
};

type ServiceOptions = {
  /** Writes the site's content into the installation's folder. It replaces the sample. */
  readonly content?: ((root: string) => object) | undefined;
  /** Writes the first rows. They replace the two invitees. */
  readonly fill?: (writer: Writer) => void;
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * Requests that fail, what Chromium says of every page without https, and what it says of a page
 * whose style sheet or script takes 4 s. It gives up the transition to that page before a script of
 * the page can run, so the page cannot answer for it.
 */
const EXPECTED =
  /^(\d{3} |Failed to load resource|The Cross-Origin-Opener-Policy header|InvalidStateError: Transition was aborted because of invalid state\. (?:Page already revealed|ViewTransition opt-in disabled)$)/;

/** Invites Ada and another person. */
function inviteTwo({ invites }: Writer): void {
  const invite = { invitedBy: 'cli', invitedAt: Date.now() };
  invites.add({ ...invite, email: ADA, firstName: 'Ada' });
  invites.add({ ...invite, email: NAMELESS, firstName: null });
}

/** Starts a service for a file of tests. Do not call it in a hook. */
export async function openService({ content, fill = inviteTwo, env }: ServiceOptions = {}) {
  const browser = await sharedBrowser();
  const installation = install();
  if (content) {
    const file = path.join(installation.root, 'pages/sample/content.json');
    fs.writeFileSync(file, JSON.stringify(content(installation.root)));
  }
  installation.write(fill);
  const server = await installation.start(env);
  after(() => installation.remove());
  const visitors: (Visitor & { readonly expected: RegExp })[] = [];
  let number = 0;

  afterEach(async () => {
    const ended = visitors.splice(0);
    const faults = ended.flatMap(({ troubles, expected }) =>
      troubles.filter((trouble) => !EXPECTED.test(trouble) && !expected.test(trouble)),
    );
    for (const { context } of ended) await context.close();
    assert.deepEqual(faults, []);
  });

  /**
   * A visitor, until the end of the test. It fails if a page had a fault other than a failed
   * request: that is what tests are about.
   */
  async function visit(given: VisitOptions = {}): Promise<Visitor> {
    const { expected = /^$/, ...options } = given;
    number += 1;
    const { baseURL = server.origin } = options;
    const context = await browser.newContext({
      baseURL,
      // Without a language, the machine's language counts. There may be none.
      locale: 'en-GB',
      // Each visitor has an address and a login limit of their own.
      extraHTTPHeaders: { 'X-Forwarded-For': `192.0.2.${number}` },
      ...options,
    });
    const page = await context.newPage();
    const visitor = { page, context, troubles: watch(page, baseURL), expected };
    visitors.push(visitor);
    return visitor;
  }

  /** Makes a visitor with a session. */
  async function visitAs(email: string, options?: VisitOptions): Promise<Visitor> {
    const visitor = await visit(options);
    const response = await visitor.context.request.post('/auth/login', { data: { email } });
    assert.equal(response.status(), 200, email);
    return visitor;
  }

  return {
    origin: server.origin,
    installation,
    visit,
    visitAs,
    /** Ada's, on the timeline, which is complete with her name. */
    async read(view: (typeof LAYOUTS)[number], options?: VisitOptions): Promise<Visitor> {
      const visitor = await visitAs(ADA, options);
      await visitor.page.goto(`/timeline?view=${view}`);
      await visitor.page.locator('#name', { hasText: 'Ada' }).waitFor();
      return visitor;
    },
  };
}

/** Notes all faults of a page after this call. */
function watch(page: Page, origin: string): readonly string[] {
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
