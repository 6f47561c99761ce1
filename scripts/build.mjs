/**
 * Compiles `.ts` to `.js` beside it, and makes `pages/built`, whose folders are what browsers get:
 * a script and a style sheet for each page, and the files of `pages` that need no building.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** The folders of pages, by who may have their files. */
const AUDIENCES = ['everyone', 'invitees', 'svcops'];

/** One bundle each. They import the other scripts and style sheets. */
const BUNDLES = [
  'everyone/entry.ts',
  'everyone/entry.css',
  'invitees/timeline.ts',
  'invitees/timeline-desktop.css',
  'invitees/timeline-mobile.css',
  'svcops/page.ts',
  'svcops/page.css',
];

const needsNoBuilding = (file) => !/\.(ts|css|html)$/.test(file);

async function build({ buildSync }) {
  const compiled = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc'], { stdio: 'inherit' });
  if (compiled.status !== 0) return process.exit(1);
  fs.rmSync('pages/built', { recursive: true, force: true });
  for (const audience of AUDIENCES)
    fs.cpSync(path.join('pages', audience), path.join('pages/built', audience), {
      recursive: true,
      filter: needsNoBuilding,
    });
  buildSync({
    absWorkingDir: path.resolve('pages'),
    entryPoints: BUNDLES,
    outbase: '.',
    outdir: 'built',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['/fonts/*'],
    logLevel: 'warning',
  });
}

/** An installation without development dependencies keeps its build. */
const esbuild = await import('esbuild').catch(() => undefined);
if (esbuild) await build(esbuild);
else if (!fs.existsSync('server.js')) {
  console.error('nothing is built here, and the tools to build are missing; run: npm ci --include=dev');
  process.exit(1);
}
