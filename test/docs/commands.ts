/** Reads the commands of a document, so that the test runs them exactly as written. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';

export type Block = {
  /** The nearest heading above. */
  readonly heading: string;
  readonly commands: string;
  /** The reason why they are not run. */
  readonly instead: string | undefined;
};

const PARTS = /^#+ (.*)|^(?:<!-- instead: (.*) -->\n+)?```sh\n([\s\S]*?)\n```$|((?:^ {4}.+\n)+)/gm;

/**
 * The fenced `sh` blocks and the indented blocks of a Markdown file of this repository, in order. A
 * comment `<!-- instead: … -->` right above a fenced one describes its replacement in the test.
 */
export function commandsOf(file: string): readonly Block[] {
  let heading = '';
  const parts = fs.readFileSync(path.join(root, file), 'utf8').matchAll(PARTS);
  return [...parts].flatMap(([, title, instead, fenced, indented]) => {
    heading = title ?? heading;
    const commands = fenced ?? indented?.trimEnd().replace(/^ {4}/gm, '');
    return commands === undefined ? [] : { heading, commands, instead };
  });
}
