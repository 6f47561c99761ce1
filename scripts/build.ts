/**
 * Compiles in place: a `.js` beside each `.ts` of the service, its tools and its pages. Removes
 * compiled files without a source. Copies the chart library into pages/svcops/, because production
 * has no development dependencies, and the modules of lib/ that the page imports. `scripts/` has
 * programs for developers only: an installation runs none of them.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/config.ts';
import { COMPILED_FOLDERS } from './parts.ts';

const begun = Date.now();
const built = path.join(root, '.built');
// An interrupted build may leave half a file.
fs.rmSync(built, { force: true });

/** Files of the chart library, and their names in pages/svcops/. */
const CHART = [
  ['uPlot.esm.js', 'uplot.js'],
  ['uPlot.min.css', 'uplot.css'],
] as const;

const page = path.join(root, 'pages', 'svcops');
/** Modules of lib/ that the page imports. Each has a declaration in pages/svcops/. */
const SHARED = ['address.js', 'csv.js'];

const copies = [...CHART.map(([, name]) => name), ...SHARED].map((name) => path.join(page, name));

const sources = ['server.ts'];
for (const folder of COMPILED_FOLDERS) {
  const options = { recursive: true, encoding: 'utf8' } as const;
  for (const name of fs.readdirSync(path.join(root, folder), options)) {
    const file = path.join(root, folder, name);
    const orphan = name.endsWith('.js') && !fs.existsSync(file.replace(/js$/, 'ts'));
    if (orphan && !copies.includes(file)) fs.rmSync(file, { force: true });
    if (name.endsWith('.ts')) sources.push(path.join(folder, name));
  }
}

const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
for (const project of ['tsconfig.build.json', 'pages/tsconfig.json']) {
  const { status } = spawnSync(tsc, ['-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const chart = path.join(root, 'node_modules', 'uplot');
const licence = fs.readFileSync(path.join(chart, 'LICENSE'), 'utf8').trim();
const read = (file: string): string => fs.readFileSync(file, 'utf8');
for (const [from, to] of CHART)
  copy(`/*\n${licence}\n*/\n${read(path.join(chart, 'dist', from))}`, to);
for (const name of SHARED) copy(read(path.join(root, 'lib', name)), name);

/** `npm run dev` builds again after a write, so an unchanged file is not written. */
function copy(text: string, name: string): void {
  const file = path.join(page, name);
  if (!fs.existsSync(file) || read(file) !== text) fs.writeFileSync(file, text);
}

// For scripts/build-if-changed, unless a source was saved during the build.
const isOld = (file: string) => fs.statSync(path.join(root, file)).ctimeMs < begun;
if (sources.every(isOld)) fs.writeFileSync(built, '');
