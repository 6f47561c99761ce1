/**
 * Notes which test of a file runs, in case that it never ends. scripts/suites.mjs loads it first.
 */
import path from 'node:path';
import { deleteNote, NOTES, noteRunningTest } from './limit.ts';

// The runner of the files loads it as well.
const notes = NOTES;
if (notes && process.env.NODE_TEST_CONTEXT) {
  const { beforeEach } = await import('node:test');
  const file = path.relative('', process.argv[1] ?? '').replace(/\.js$/, '.ts');
  noteRunningTest(notes, `${file}, before its first test`);
  beforeEach((context) => noteRunningTest(notes, `${file}: ${context.name}`));
  process.on('exit', () => deleteNote(notes));
}
