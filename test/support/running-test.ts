/** Notes which test of a file runs, in case that it never ends. scripts/suites.mjs loads it first. */
import fs from 'node:fs';
import path from 'node:path';
import { NOTES, noteOfTest } from './limit.ts';

// The runner of the files loads it as well.
if (NOTES && process.env.NODE_TEST_CONTEXT) {
  const { beforeEach } = await import('node:test');
  const note = noteOfTest(NOTES);
  const file = path.relative('', process.argv[1] ?? '').replace(/js$/, 'ts');
  fs.writeFileSync(note, `${file}, before its first test`);
  beforeEach((context) => fs.writeFileSync(note, `${file}: ${context.name}`));
  process.on('exit', () => fs.rmSync(note, { force: true }));
}
