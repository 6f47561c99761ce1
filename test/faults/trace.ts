/** Reads a trace of strace: the bytes of each call, and when it began and returned. */
import fs from 'node:fs';

/** Options of strace: whole pages, bytes in hexadecimal, and the file of each descriptor. */
export const STRACE = ['strace', '-D', '-f', '-y', '-xx', '-s', '4200'];

/** A system call. Times are line numbers of the trace, which has one event at a time. */
export type Call = {
  readonly name: string;
  /** The descriptor and its file, as in the trace. */
  readonly target: string;
  /** Its arguments, bytes as `\x..`. */
  text: string;
  readonly began: number;
  /** `Infinity` if it never returned. */
  returned: number;
};

/** The calls of a trace in the order in which they began. */
export function readTrace(file: string): readonly Call[] {
  const calls: Call[] = [];
  const pending = new Map<string, Call>();
  fs.readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, moment) => {
      const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
      const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
      if (resumed) {
        const call = pending.get(thread);
        if (!call) return;
        call.returned = moment;
        call.text += rest.slice(resumed[0].length);
        pending.delete(thread);
        return;
      }
      const [, name, target] = /^(\w+)\((\d+<[^>]*>)/.exec(rest) ?? [];
      if (!name || !target) return;
      const unfinished = rest.endsWith('<unfinished ...>');
      const returned = unfinished ? Number.POSITIVE_INFINITY : moment;
      const call = { name, target, text: rest, began: moment, returned };
      calls.push(call);
      if (unfinished) pending.set(thread, call);
    });
  return calls;
}

/** A text as in the trace. */
export const inTrace = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** The bytes of the first string among a call's arguments. */
export const bytesOf = ({ text }: Call): Buffer =>
  Buffer.from((/"([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('\\x', ''), 'hex');
