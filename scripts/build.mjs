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

/** The folders of pages, by who may have their files. */
const AUDIENCES = ['everyone', 'invitees', 'svcops'];

/** One bundle each. They import the other scripts and style sheets. */
const GUESTS_BUNDLES = [
  'everyone/entry.ts',
  'everyone/entry.css',
  'invitees/timeline.ts',
  'invitees/timeline-desktop.css',
  'invitees/timeline-mobile.css',
];
const SVCOPS_BUNDLES = ['svcops/page.ts', 'svcops/page.css'];

// An installation without development packages keeps the build that it has.
if (fs.existsSync(COMPILER)) await build();
else if (!fs.existsSync('server.js'))
  fail('the development packages, which build Guestlist, are missing; run: npm ci --include=dev');

async function build() {
  fs.rmSync('pages/built', { recursive: true, force: true });
  for (const audience of AUDIENCES) copyFiles(audience);
  await bundle(GUESTS_BUNDLES, ['safari15', 'chrome94']);
  await bundle(SVCOPS_BUNDLES, ['safari17.5']);
  const { status } = spawnSync(process.execPath, [COMPILER], { stdio: 'inherit' });
  if (status !== 0) fail('the build failed');
}

function copyFiles(audience) {
  fs.cpSync(path.join('pages', audience), path.join('pages/built', audience), {
    recursive: true,
    filter: (file) => !/\.(ts|css|html)$/.test(file),
  });
}

/** @param browsers the oldest that can run them */
async function bundle(entryPoints, browsers) {
  const esbuild = await import('esbuild');
  const options = {
    absWorkingDir: path.resolve('pages'),
    entryPoints,
    outbase: '.',
    outdir: 'built',
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2021', ...browsers],
    external: ['/fonts/*'],
  };
  // It prints its own messages.
  await esbuild.build(options).catch(() => fail('the build failed'));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
