/** The text of a list of people: read from a file, and what of it is left. */
import type { InviteLine } from '../../lib/replies.ts';

/** More than the service takes, so that a list that is too long is found to be so. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Reads UTF-8, UTF-16 with a byte order mark, or Windows-1252, which Excel writes. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, MAX_BYTES).arrayBuffer());
  const mark = bytes.slice(0, 2).join();
  if (mark === '255,254') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === '254,255') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

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
  }
  return text
    .split(/\r\n|\n|\r/)
    .flatMap((line, i) => left.get(i + 1) ?? line)
    .filter((line) => line.trim() !== '')
    .join('\n');
}
