/**
 * Compiles in place: a `.js` beside each `.ts` of the service, its tools and its pages. Removes
 * compiled files without a source. Copies the chart library into pages/svcops/, because production
 * has no development dependencies.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { COMPILED, root } from '../lib/config.ts';

const begun = Date.now();
const built = path.join(root, '.built');
// A build that is interrupted may leave half a file.
fs.rmSync(built, { force: true });

/** Files of the chart library, and their names in pages/svcops/. */
const CHART = [
  ['uPlot.esm.js', 'uplot.js'],
  ['uPlot.min.css', 'uplot.css'],
] as const;

const page = path.join(root, 'pages', 'svcops');
const copies = CHART.map(([, name]) => path.join(page, name));

const sources = ['server.ts'];
for (const folder of COMPILED) {
  for (const name of fs.readdirSync(path.join(root, folder), {
    recursive: true,
    encoding: 'utf8',
  })) {
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
for (const [from, to] of CHART) {
  const file = path.join(page, to);
  const text = `/*\n${licence}\n*/\n${fs.readFileSync(path.join(chart, 'dist', from), 'utf8')}`;
  // `npm run dev` builds again after a write, so an unchanged file is not written.
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) fs.writeFileSync(file, text);
}

// For scripts/build-if-changed, unless a source was saved while it was compiled.
const isOld = (file: string) => fs.statSync(path.join(root, file)).ctimeMs < begun;
if (sources.every(isOld)) fs.writeFileSync(built, '');
