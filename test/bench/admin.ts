/**
 * Measures each route and subcommand of the administrator on stores of 10 thousand, 1 million and
 * 10 million events. Prints Markdown tables for docs/performance.md. The first run fills the
 * stores: four minutes, 6 GB in the temporary folder.
 *
 *     npm run build && node --import tsx test/bench/admin.ts
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { install } from '../support/installation.ts';
import { measureExports, measureTimeline } from './concurrency.ts';
import { ADMINISTRATOR, filledStore, type Size } from './filled-store.ts';
import { type Measurement, measureRoutes, ROUTES } from './routes.ts';

const SIZES: readonly Size[] = [
  { events: 10_000, people: 1000, clicks: 1000 },
  { events: 1_000_000, people: 10_000, clicks: 100_000 },
  { events: 10_000_000, people: 100_000, clicks: 1_000_000 },
];

const COMMANDS = [
  'joins list --limit 100',
  'joins summary',
  'joins for grace7@example.com',
  'joins stats',
  'events list --limit 100',
  'events list --type login --limit 100',
  'events summary',
  'events for grace7@example.com',
  'events stats',
  'invite list',
];

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [headings, headings.map(() => '---'), ...rows])
    console.log(`| ${row.join(' | ')} |`);
  console.log();
}

/** A built installation on the filled store itself: measuring adds a few views to it. */
function installOn(size: Size) {
  const site = install();
  fs.symlinkSync(filledStore(size), path.join(site.root, 'data'));
  return site;
}

async function compareRoutes(): Promise<void> {
  const measured: ReadonlyMap<string, Measurement>[] = [];
  for (const size of SIZES)
    measured.push(await measureRoutes(path.join(filledStore(size), 'guestlist.db'), ADMINISTRATOR));
  printTable(
    ['Route', '10 k, ms', '1 M, ms', '10 M, ms', 'ratio', 'rows at 10 k', 'rows at 10 M'],
    ROUTES.map((route) => {
      const [small, middle, large] = measured.map((each) => each.get(route));
      if (!small || !middle || !large) throw new Error(`${route} was not measured`);
      const times = [small, middle, large].map(({ times }) => median(times));
      const ratio = (times[2] ?? 0) / (times[0] ?? 1);
      return [
        `\`${route}\``,
        ...times.map(ms),
        ratio.toFixed(2),
        String(small.rows),
        String(large.rows),
      ];
    }),
  );
}

async function compareCommands(): Promise<void> {
  const columns: number[][] = [];
  for (const size of SIZES) {
    const site = installOn(size);
    const times = COMMANDS.map((command) => {
      const [tool, ...args] = command.split(' ');
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        const { status } = spawnSync(
          process.execPath,
          [path.join(site.root, 'tools', `${tool}.js`), ...args],
          { stdio: 'ignore' },
        );
        if (status !== 0) throw new Error(`${command}: exit status ${status}`);
        return performance.now() - start;
      });
      return median(times);
    });
    columns.push(times);
    await site.remove();
  }
  printTable(
    ['Subcommand', '10 k, ms', '1 M, ms', '10 M, ms'],
    COMMANDS.map((command, i) => [
      `\`${command}\``,
      ...columns.map((times) => ms(times[i] ?? Number.NaN)),
    ]),
  );
}

const large = SIZES.at(-1);
const chosen = process.argv[2] ?? 'routes commands timeline exports';
if (chosen.includes('routes')) await compareRoutes();
if (chosen.includes('commands')) await compareCommands();
if (large && chosen.includes('timeline'))
  printTable(
    ['GET /timeline while', 'requests', 'median, ms', '99 %, ms', 'longest, ms'],
    await measureTimeline(installOn(large), ADMINISTRATOR, ROUTES),
  );
if (large && chosen.includes('exports'))
  printTable(
    ['Export', 'rows', 's', 'MB', 'server grew by, MB', 'longest GET /timeline, ms'],
    await measureExports(installOn(large), ADMINISTRATOR),
  );
