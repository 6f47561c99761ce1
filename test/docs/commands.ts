/** Reads the commands of a document, so that the test runs them exactly as written. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';

export type Block = {
  readonly document: string;
  /** The nearest heading above. */
  readonly heading: string;
  readonly commands: string;
};

/** All documents with commands for people. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...fs
    .readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const HEADING = /^#+ (.*)/;

/** The first line of a fence, which may belong to an item of a list, and its language. */
const FENCE = /^( *)```(\w*)$/;

/** A line of an indented block. */
const INDENTED = /^ {4}(.+)/;

/** How a command begins: `npm ci` or `version=3.0.0`, but not `server.ts` or `data/site`. */
const COMMAND = /^(?:[a-z][\w-]* |\w+=)/;

/** The fenced `sh` blocks and the indented blocks of commands of a Markdown file, in order. */
export function commandsOf(document: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  /** The language of the open fence. */
  let language: string | undefined;
  /** What stands before each line of the fence. */
  let margin = '';
  let isAfterBlank = true;
  let lines: string[] = [];

  function close() {
    const commands = lines.join('\n');
    if (COMMAND.test(commands)) blocks.push({ document, heading, commands });
    lines = [];
  }

  for (const line of fs.readFileSync(path.join(root, document), 'utf8').split('\n')) {
    const fence = FENCE.exec(line);
    const [, indented] = INDENTED.exec(line) ?? [];
    if (fence) {
      if (language === 'sh') close();
      language = language === undefined ? fence[2] : undefined;
      margin = fence[1] ?? '';
    } else if (language === 'sh') {
      lines.push(line.replace(margin, ''));
    } else if (language === undefined && indented && (isAfterBlank || lines.length > 0)) {
      lines.push(indented);
    } else if (language === undefined) {
      close();
      heading = HEADING.exec(line)?.[1] ?? heading;
    }
    isAfterBlank = line.trim() === '';
  }
  close();
  return blocks;
}
