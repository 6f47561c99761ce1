/**
 * Compiles the server and the tools to `.js` beside `.ts`, and makes `pages/built`, whose folders
 * are what browsers get: a script and a style sheet for each page, and the files that need no
 * building.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const COMPILER = 'node_modules/typescript/bin/tsc';

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

// An installation without development packages keeps the build that it has.
if (fs.existsSync(COMPILER)) await build();
else if (!fs.existsSync('server.js'))
  fail('the development packages, which build Guestlist, are missing; run: npm ci --include=dev');

async function build() {
  fs.rmSync('pages/built', { recursive: true, force: true });
  for (const audience of ['everyone', 'invitees', 'svcops']) copyFiles(audience);
  await bundle();
  const { status } = spawnSync(process.execPath, [COMPILER], { stdio: 'inherit' });
  if (status !== 0) fail('the build failed');
}

function copyFiles(audience) {
  fs.cpSync(path.join('pages', audience), path.join('pages/built', audience), {
    recursive: true,
    filter: (file) => !/\.(ts|css|html)$/.test(file),
  });
}

async function bundle() {
  const esbuild = await import('esbuild');
  const options = {
    absWorkingDir: path.resolve('pages'),
    entryPoints: BUNDLES,
    outbase: '.',
    outdir: 'built',
    bundle: true,
    minify: true,
    format: 'esm',
    // The oldest browsers that guests may have.
    target: ['es2021', 'safari15', 'chrome94'],
    external: ['/fonts/*'],
  };
  // It prints its own messages.
  await esbuild.build(options).catch(() => fail('the build failed'));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
