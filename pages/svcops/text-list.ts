/** What is left of the text of a list of people. */
import type { InviteLine } from '../../lib/replies.ts';

/**
 * A list without what is done. Of a line of several people, the others are left, each in a line.
 * Headings are left, unless nothing else is.
 */
export function linesLeft<Line extends Pick<InviteLine, 'line' | 'text'>>(
  text: string,
  lines: readonly Line[],
  isDone: (line: Line) => boolean,
): string {
  if (lines.every(isDone)) return '';
  const left = new Map<number, string[]>();
  for (const each of lines) {
    const ofLine = left.get(each.line) ?? [];
    left.set(each.line, isDone(each) ? ofLine : [...ofLine, each.text]);
    // Other lines of a row, which are in its text.
    for (let i = each.text.split('\n').length - 1; i > 0; i -= 1) left.set(each.line + i, []);
  }
  return text
    .split(/\r\n|\n|\r/)
    .flatMap((line, i) => left.get(i + 1) ?? line)
    .filter((line) => line.trim() !== '')
    .join('\n');
}
