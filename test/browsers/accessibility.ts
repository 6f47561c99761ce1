/**
 * Writes what assistive technology gets of each page and its states, as Chromium computes it, into
 * `accessibility.txt`, which a reviewer reads when it changes:
 *
 *     npm run --silent build && tsx test/browsers/accessibility.ts
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { root } from '../../lib/config.ts';
import { launchBrowser } from '../browser/chromium.ts';
import { holdGreeting, said } from '../browser/page.ts';
import { BROWSER, stoppedClock } from '../browser/screenshots.ts';
import { install } from '../support/installation.ts';
import { inviteGuests, TIME } from '../support/svcops-guests.ts';

const VISITOR = 'bo@example.com';
const ADMINISTRATOR = 'root@example.com';
const HOUR = 3_600_000;

export const FILE = path.join(root, 'test', 'browsers', 'accessibility.txt');

type Value = { readonly value?: unknown };
type Node = {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: Value;
  readonly name?: Value;
  readonly description?: Value;
  readonly value?: Value;
  readonly properties?: readonly { readonly name: string; readonly value: Value }[];
  readonly childIds?: readonly string[];
};

/** Without a meaning of their own. */
const PLAIN = ['none', 'generic', 'InlineTextBox', 'LineBreak', 'ListMarker'];
const STATES =
  /^(level|live|disabled|invalid|required|expanded|checked|pressed|modal|focused|valuemin|valuemax|valuetext)$/;

/** The accessibility tree of a page: a line for each node, indented below its parent. */
async function readTree(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = Object(await devtools.send('Accessibility.getFullAXTree'));
  const byId = new Map<string, Node>(Array.from(nodes, (node: Node) => [node.nodeId, node]));
  const read = (id: string, above: string): readonly string[] => {
    const node = byId.get(id);
    if (!node) return [];
    const name = String(node.name?.value ?? '');
    const role = String(node.role?.value);
    const text = role === 'StaticText';
    if (text && above.includes(name.trim())) return [];
    if (text) return [`text ${JSON.stringify(name)}`];
    const plain = node.ignored || PLAIN.includes(role);
    // What is inside a video is the browser's own.
    const childIds = (role !== 'Video' && node.childIds) || [];
    const children = childIds.flatMap((child) => read(child, plain ? above : name));
    if (plain) return children;
    const line = describe(node, role, name);
    const [only = ''] = children;
    if (children.length === 1 && only.startsWith('text ')) return [`${line}: ${only.slice(5)}`];
    return [line, ...children.map((child) => `  ${child}`)];
  };
  return read(String(nodes[0].nodeId), '').join('\n');
}

function describe(node: Node, role: string, name: string): string {
  const states = (node.properties ?? [])
    .filter(
      (each) => STATES.test(each.name) && ![false, 'false'].includes(Object(each.value).value),
    )
    .map((each) => (each.value.value === true ? each.name : `${each.name} ${each.value.value}`));
  return [
    role,
    ...(name ? [JSON.stringify(name)] : []),
    ...(node.value?.value ? [`value ${JSON.stringify(node.value.value)}`] : []),
    ...(states.length > 0 ? [`(${states.join(', ')})`] : []),
    ...(node.description?.value ? [`described as ${JSON.stringify(node.description.value)}`] : []),
  ].join(' ');
}

/** The trees of all pages and states, each below a title. */
export async function describePages(): Promise<string> {
  const site = install();
  const browser = await launchBrowser();
  const parts: string[] = [];
  const { now } = Date;
  try {
    // The time of the changes that the page lists.
    Date.now = () => TIME;
    site.write(inviteGuests);
    Date.now = now;
    const { origin } = await site.start(stoppedClock(TIME + HOUR));
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      userAgent: BROWSER,
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(TIME + HOUR);
    const add = async (title: string) => {
      const tree = (await readTree(page))
        .replaceAll(/[\w-]{22}/g, '<session>')
        .replaceAll(/cell ".*"(\s+cell "terminal")/g, 'cell "<system user>"$1');
      parts.push(`=== ${title}\n${tree}\n`);
    };
    const logIn = (email: string) => context.request.post('/auth/login', { data: { email } });

    await holdGreeting(page);
    await page.goto('/');
    await add('entry page');
    await page.fill('#email', 'bo');
    await page.press('#email', 'Enter');
    await said(page, 'That is not an email address.');
    await add('entry page, after a typing error');
    await page.fill('#email', VISITOR);
    await page.press('#email', 'Enter');
    await said(page, 'Welcome');
    await add('entry page, after a login');
    for (const view of ['desktop', 'mobile']) {
      await page.goto(`/timeline?view=${view}`);
      await page.locator('#join:enabled').waitFor();
      await page.locator('#name', { hasText: 'Bo' }).waitFor();
      await add(`timeline, ${view} layout`);
    }
    await page.locator('#join').press('Enter');
    await said(page, 'Thank you.');
    await context.request.post('/auth/logout');
    await page.evaluate("document.querySelector('video').src += '?again'");
    await said(page, 'Your session has ended');
    await add('timeline, after a press of the button and the end of the session');
    await logIn(ADMINISTRATOR);
    await page.goto('/svcops');
    await page.locator('#updated time').waitFor({ state: 'attached' });
    await page.fill('#invite-email', 'grace@example.com');
    await page.press('#invite-email', 'Enter');
    await said(page, 'grace@example.com is invited.');
    // Each part of the page is read by itself.
    for (const part of ['#people tbody', '#changes tbody'])
      await page.locator(part, { hasText: 'grace@example.com' }).waitFor();
    await page.locator('#totals .count').first().filter({ hasText: '6' }).waitFor();
    for (const box of await page.locator('.details').all()) await box.check();
    await add('administrator page, after an invite');
    await page.goto(`/svcops#person=${VISITOR}`);
    await page.locator('#person-known').waitFor();
    await page.locator('#person-activity li').first().waitFor();
    await add("administrator page, a person's panel");
  } finally {
    await browser.close();
    await site.remove();
  }
  return parts.join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  fs.writeFileSync(FILE, await describePages());
