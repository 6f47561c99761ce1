/**
 * Marks: a line that exists for an extra ends with a comment `extra: bulk`, or stands between this
 * comment and `end: bulk`. Deletes extras, as the table of CONTRIBUTING.md says.
 */
import fs from 'node:fs';
import path from 'node:path';

/** The comment of a mark in TypeScript, CSS, HTML, Markdown and shell: `// extra: bulk`. */
const MARK = /(?:\/\/|\/\*|<!--|#) (extra|end): ([a-z-]+)(?: \*\/| -->)?$/;

export type Extra = {
  readonly name: string;
  /** The folders and tools to delete: `lib/extras/bulk`. */
  readonly deleted: readonly string[];
  /** The files with marked lines, without tests. */
  readonly marked: readonly string[];
};

const pathsIn = (cell: string): readonly string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

/** The table of extras in CONTRIBUTING.md. */
export function readTable(document: string): readonly Extra[] {
  const [, table = ''] = document.split('| Extra ');
  const extras: Extra[] = [];
  for (const row of table.split('\n').filter((line) => line.startsWith('| `'))) {
    const [, name = '', , , deleted = '', marked = ''] = row.split('|');
    const [only = ''] = pathsIn(name);
    extras.push({ name: only, deleted: pathsIn(deleted), marked: pathsIn(marked) });
  }
  return extras;
}

/** The extras with marks in a text. @throws if a mark is not closed, or closes another one */
export function marksIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  withoutMarked(text, (name) => {
    names.add(name);
    return false;
  });
  return names;
}

/** A text without the lines of some extras. Blocks may contain others. */
export function withoutMarked(text: string, isDeleted: (name: string) => boolean): string {
  const open: string[] = [];
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const [mark, word, name = ''] = MARK.exec(line.trimEnd()) ?? [];
    const isAlone = mark !== undefined && line.trim() === mark;
    if (word === 'end' && open.pop() !== name) throw new Error(`${line} ends another block`);
    if (word === 'extra' && isAlone) open.push(name);
    const names = word === undefined ? open : [...open, name];
    if (!names.map(isDeleted).includes(true)) kept.push(line);
  }
  if (open.length > 0) throw new Error(`extra: ${open.at(-1)} has no end`);
  return kept.join('\n');
}

/** Deletes extras from a copy of the repository: their folders, tools and marked lines. */
export function deleteExtras(folder: string, files: readonly string[], extras: readonly Extra[]) {
  const names = extras.map(({ name }) => name);
  for (const each of extras.flatMap(({ deleted }) => deleted))
    fs.rmSync(path.join(folder, each), { recursive: true });
  for (const name of files) {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) continue;
    const text = fs.readFileSync(file, 'utf8');
    const kept = withoutMarked(text, (name) => names.includes(name));
    if (kept === text) continue;
    // A file may belong to two extras.
    if (kept.trim() === '') fs.rmSync(file);
    else fs.writeFileSync(file, kept);
  }
}

/** Files that may have marks. In other files, `#` and `//` may begin something else. */
export const MAY_HAVE_MARKS =
  /^(guestlist|README\.md|(lib|pages|test|tools|scripts)\/.*\.(ts|css|html|txt)|server\.ts)$/;
