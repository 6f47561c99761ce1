/** The system calls of a program, as strace has recorded them. */
import fs from 'node:fs';
import path from 'node:path';

/** Calls that are not recorded: they change no file and give no further descriptor of one. */
const HARMLESS =
  '/^(f?access.*|.*stat.*|getdents.*|readlink.*|getcwd|chdir|pread.*|close|fch(mod|own)|flock|fadvise64|' +
  'execve|munmap|mprotect|madvise|mremap|brk|futex|p?poll|p?select.*|epoll.*|eventfd2|pipe2?|ioctl|rt_sig.*|' +
  'clock_.*|nanosleep|get.*|capget|prlimit64|rseq|set_.*|setpriority|arch_.*|sched_.*|sysinfo|uname|clone3?|' +
  'exit.*|recv.*|socket|setsockopt|bind|listen|accept4)$';

/** The command that records the command after it into a file: whole writes in hexadecimal, times in ns. */
export const recordInto = (file: string): readonly string[] => [
  ...['strace', '-D', '-f', '--seccomp-bpf', '-y', '-xx', '-s', '70000'],
  ...['--absolute-timestamps=format:unix,precision:ns', '--syscall-times=ns'],
  ...['-e', `trace=!${HARMLESS}`, '-o', file],
];

export type Call = {
  readonly name: string;
  /** The first argument where that is a descriptor: its number, and the file behind it. */
  readonly descriptor: number;
  readonly target: string;
  /** All arguments, bytes as `\x..`. */
  readonly args: string;
  /** `NaN` where the program ended first. */
  readonly result: number;
  /** In ns, on a clock that all traces of this process share. */
  readonly began: number;
  /** `Infinity` where it did not return. */
  readonly returned: number;
};

/** Seconds of the epoch that are left out, so that a number holds each ns. */
const START = Math.floor(Date.now() / 1000) - 3600;

/** The calls of a trace in the order in which they began. */
export function readTrace(file: string): readonly Call[] {
  const calls: Call[] = [];
  const unfinished = new Map<string, { readonly text: string; readonly began: number }>();
  for (const line of fs.readFileSync(file, 'latin1').split('\n')) {
    const [head = '', thread = '', seconds, fraction] =
      /^(\d+) +(\d+)\.(\d{9}) /.exec(line.slice(0, 50)) ?? [];
    const text = line.slice(head.length);
    const time = (Number(seconds) - START) * 1e9 + Number(fraction);
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text.slice(0, 50))?.[0];
    const first = unfinished.get(thread);
    if (resumed && first) {
      unfinished.delete(thread);
      calls.push(parse(first.text + text.slice(resumed.length), first.began, time));
    } else if (text.endsWith(' <unfinished ...>')) {
      unfinished.set(thread, { text: text.slice(0, text.lastIndexOf(' <')), began: time });
    } else if (/^\w/.test(text)) {
      const took = / <(\d+\.\d+)>$/.exec(text.slice(-30))?.[1];
      calls.push(parse(text, time, took ? time + Number(took) * 1e9 : Number.POSITIVE_INFINITY));
    }
  }
  for (const { text, began } of unfinished.values())
    calls.push(parse(text, began, Number.POSITIVE_INFINITY));
  return calls.sort((one, other) => one.began - other.began);
}

function parse(text: string, began: number, returned: number): Call {
  const open = text.indexOf('(');
  const equals = text.lastIndexOf(' = ');
  const args = text.slice(open + 1, equals < 0 ? undefined : text.lastIndexOf(')', equals));
  const [, descriptor = '', target = ''] = /^(\d+)<([^>]*)>/.exec(args.slice(0, 2000)) ?? [];
  return {
    name: text.slice(0, open),
    descriptor: descriptor === '' ? -1 : Number(descriptor),
    target,
    args,
    result: equals < 0 ? Number.NaN : Number.parseInt(text.slice(equals + 3), 10),
    began,
    returned,
  };
}

/** The bytes that a call writes. */
export function bytesOf({ name, args, result }: Call): Buffer {
  if (args.includes('"...')) throw new Error(`the trace does not have all of a ${name}`);
  const parts = [...args.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => fromHex(hex));
  return Buffer.concat(parts).subarray(0, result);
}

/** The paths among a call's arguments, those of folders and descriptors too. */
export const pathsIn = ({ args }: Call): readonly string[] =>
  [...args.matchAll(/[<"](\\x2f[^>"]*)[>"]/g)].map(([, hex = '']) => fromTrace(hex));

/** The paths that a call names, in full. */
export const pathsOf = ({ args }: Call): readonly string[] =>
  [...args.matchAll(/(?:<([^>]*)>, )?"([^"]*)"/g)].map(([, folder = '', file = '']) =>
    path.resolve(fromTrace(folder), fromTrace(file)),
  );

const fromHex = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
const fromTrace = (hex: string) =>
  fromHex(hex)
    .toString()
    .replace(/ \(deleted\)$/, '');

/** A text as a trace shows it. */
export const inTrace = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
