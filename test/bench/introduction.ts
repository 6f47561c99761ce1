/** The first lines of a report: date, machine and versions. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';
import { describeMachine, pinned, syncTime } from './machine.ts';
import { number } from './report.ts';

/** @param folder a folder on the disk that the stores will lie on */
export function introduction(folder: string): string {
  const wrk = execFileSync('sh', ['-c', 'wrk -v 2>&1 | head -1'], { encoding: 'utf8' });
  const sqlite = new Database(':memory:').prepare('select sqlite_version()').pluck().get();
  const cores = pinned
    ? 'server and load on a core each'
    : 'server and load on the same cores, so every figure is too low';
  const versions = [
    `Node ${process.version}`,
    `better-sqlite3 ${version('node_modules/better-sqlite3')} (SQLite ${sqlite})`,
    ...['fastify', '@fastify/cookie', 'express', 'cookie-parser', 'hono', '@hono/node-server'].map(
      (name) => `${name} ${version(`test/bench/node_modules/${name}`)}`,
    ),
    /wrk\S* \S+/.exec(wrk)?.[0] ?? 'wrk',
  ];
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${describeMachine()}, ${cores}.
Load average of the machine before: ${os.loadavg()[0]?.toFixed(2)}.
Writing 4 KiB and having this disk confirm it takes ${number(syncTime(folder))} µs.
${versions.join(', ')}.
`;
}

function version(folder: string): string {
  const file = path.join(root, folder, 'package.json');
  if (!fs.existsSync(file)) return 'not installed';
  return JSON.parse(fs.readFileSync(file, 'utf8')).version;
}
