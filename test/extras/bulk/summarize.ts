/** The result of reading a list, as lines: its people, and the sentences about it. */
import { readList } from '../../../lib/extras/bulk/read-list.ts';
import { describeReading } from '../../../lib/extras/bulk/reading.ts';

/** `2 ada@example.com Ada`, or `3 invalid_email: bo at example.com`; then the sentences. */
export function summarize(text: string): string {
  const list = readList(text);
  const lines: string[] = [];
  for (const { line, text, email, firstName, reason } of list.entries) {
    if (reason === null) lines.push(`${line} ${email} ${firstName ?? ''}`.trimEnd());
    else lines.push(`${line} ${reason}: ${text}`);
  }
  const reading = describeReading(list);
  if (reading !== '') lines.push(reading);
  if (list.ignored.length > 0) lines.push(`Ignored: ${list.ignored.join(', ')}.`);
  if (list.warning !== null) lines.push(list.warning);
  return lines.map((line) => `${line}\n`).join('');
}
