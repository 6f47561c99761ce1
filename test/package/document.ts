/** Reads the commands of a document, so that the test runs them exactly as written. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';

export type Block = {
  /** The nearest heading above. */
  readonly heading: string;
  readonly line: number;
  /** The commands, or the reason why they are not run. */
  readonly commands: string;
  readonly instead: string | undefined;
};

/**
 * The shell blocks of a Markdown file of this repository, in order. A comment
 * `<!-- instead: … -->` right above a block describes its replacement in the test.
 */
export function commandsOf(file: string): readonly Block[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let heading = '';
  let instead: string | undefined;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '');
    const comment = /^<!-- instead: (.*) -->$/.exec(line)?.[1];
    if (comment !== undefined) instead = comment;
    else if (line === '```sh') {
      const end = lines.indexOf('```', i + 1);
      blocks.push({
        heading,
        line: i + 2,
        commands: lines.slice(i + 1, end).join('\n'),
        instead,
      });
      instead = undefined;
      i = end;
    } else if (line !== '') instead = undefined;
  }
  return blocks;
}
