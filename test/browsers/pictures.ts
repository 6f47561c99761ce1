/**
 * Takes pictures of every page in every installed browser, narrow and wide, light and dark, for
 * comparison by eye:
 *
 *     npm run --silent build && tsx test/browsers/pictures.ts <folder>
 */
import fs from 'node:fs';
import path from 'node:path';
import { ADMINISTRATOR, VISITOR } from '../../scripts/demo-data.ts';
import { installDemo } from '../support/demo-site.ts';
import { lacks } from '../support/lacks.ts';
import { openChromium } from './chromium.ts';
import { type Driver, until } from './driver.ts';
import { openFirefox } from './firefox.ts';
import { findMiniBrowser, openWebKit } from './webkit.ts';

/** Widths of windows, and heights that have room for most of a page. */
const SIZES = [
  [390, 4200],
  [1440, 3200],
] as const;

const LIST = [
  'Name,E-Mail',
  'Grace,grace@example.com',
  'Ida,ida@example.com',
  'Ida,ida@example.com',
  'Bo,bo at example.com',
  `,${VISITOR}`,
];

const BROWSERS = [
  openChromium,
  ...(lacks('firefox-esr') ? [] : [openFirefox]),
  ...(findMiniBrowser() && !lacks('Xvfb') ? [openWebKit] : []),
];

/** Scrolls to an element, and waits until pictures and fonts are there and nothing moves. */
const settle = (driver: Driver, selector: string): Promise<void> =>
  driver.evaluate<void>(
    `document.querySelector('${selector}').scrollIntoView({ behavior: 'instant', block: 'center' });
    await document.fonts.ready;
    await new Promise((resolve) => setTimeout(resolve, 2500));`,
  );

async function takePictures(
  driver: Driver,
  origin: string,
  file: (page: string, width: number) => string,
): Promise<void> {
  const logIn = async (email: string) => {
    await driver.forget();
    await driver.open(`${origin}/`);
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const options = JSON.stringify({ ...post, body: JSON.stringify({ email }) });
    await driver.evaluate(`await fetch('/auth/login', ${options})`);
  };
  for (const [width, height] of SIZES) {
    await driver.resize(width, height / 4);
    const save = async (name: string, selector: string) => {
      await settle(driver, selector);
      fs.writeFileSync(file(name, width), await driver.screenshot());
    };
    await driver.forget();
    await driver.open(`${origin}/?left`);
    await save('entry', 'main');
    await logIn(VISITOR);
    await driver.resize(width, height);
    await driver.open(`${origin}/timeline?view=${width < 500 ? 'mobile' : 'desktop'}`);
    await save('timeline', 'h1');
    await logIn(ADMINISTRATOR);
    await driver.open(`${origin}/svcops?days=30`);
    await until(driver, "document.querySelector('#updated time')");
    await driver.evaluate(
      `document.querySelector('#many').open = true;
      const field = document.querySelector('#many-list');
      field.value = ${JSON.stringify(LIST.join('\n'))};
      field.dispatchEvent(new Event('input'));`,
    );
    await until(driver, "!document.querySelector('#many-preview').hidden");
    await save('svcops', 'h1');
  }
}

const folder = path.resolve(process.argv[2] ?? '.');
fs.mkdirSync(folder, { recursive: true });
const site = await installDemo();
const { origin } = await site.start();
for (const open of BROWSERS)
  for (const dark of [false, true]) {
    const driver = await open(dark);
    const [name = ''] = driver.name.split(' ');
    await takePictures(driver, origin, (page, width) =>
      path.join(folder, `${page}-${name.toLowerCase()}-${width}-${dark ? 'dark' : 'light'}.png`),
    );
    await driver.close();
  }
await site.remove();
