/** Commands that the program prints, for an operator to paste into a shell. */
import path from 'node:path';
import { root } from './config.ts';

/** `toolCommand('invite', 'add', 'ada@example.com')`; the tool has its absolute path. */
export function toolCommand(tool: string, ...args: readonly string[]): string {
  // `-anna-@example.com` is no option.
  const words = args.flatMap((arg) => (/^-.*@/.test(arg) ? ['--', arg] : [arg]));
  return shellCommand('node', path.join(root, 'tools', `${tool}.js`), ...words);
}

/** Joins the words of a command, each quoted where a shell would change it. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(quoteForShell).join(' ');
}

/** `o'hara@example.com` as `'o'\''hara@example.com'`; `ada@example.com` as it is. */
function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
