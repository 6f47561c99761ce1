/** The system calls of a program, as strace has recorded them. */
import fs from 'node:fs';
import path from 'node:path';

/** Calls that are not recorded: they change no file and give no further descriptor of one. */
const HARMLESS =
  '%signal,%clock,%creds,%process,%network,/^(f?access.*|.*stat.*|getdents.*|readlink.*|chdir|pread.*|' +
  'close|f?ch(mod|own)(at)?|umask|flock|fadvise64|munmap|mprotect|madvise|mremap|brk|futex|.*poll.*|p?select.*|' +
  'utimensat|eventfd2|pipe2?|ioctl|nanosleep|[gs]et.*|prlimit64|rseq|arch_.*|sched_.*|sysinfo|uname|pkey_.*)$';

/**
 * The command that records the command after it: whole writes in hexadecimal, times in ns, a file for
 * each thread. strace does not see what io_uring does.
 */
export const recordInto = (folder: string): readonly string[] => [
  ...['env', 'UV_USE_IO_URING=0', 'strace', '-D', '-ff', '--seccomp-bpf'],
  ...['-y', '-xx', '-s', '70000', '--syscall-times=ns'],
  ...['--absolute-timestamps=format:unix,precision:ns', '-e', `trace=!${HARMLESS}`],
  ...['-o', path.join(folder, 'thread')],
];

export type Call = {
  readonly name: string;
  /** The file behind the first argument, where that is a descriptor. */
  readonly target: string;
  /** All arguments, bytes as `\x..`. */
  readonly args: string;
  readonly result: number;
  /** In ns, on a clock that all traces of this process share. */
  readonly began: number;
  readonly returned: number;
};

/** Seconds of the epoch that are left out, so that a number holds each ns. */
const START = Math.floor(Date.now() / 1000) - 3600;

/** The calls of all threads that did not fail, in the order in which they began. */
export const readTrace = (folder: string): readonly Call[] =>
  fs
    .readdirSync(folder)
    .flatMap((name) => fs.readFileSync(path.join(folder, name), 'latin1').split('\n'))
    .flatMap((line) => parse(line) ?? [])
    .sort((one, other) => one.began - other.began);

/** @param line `<time> <name>(<arguments>) = <result> <duration>`; nothing of a call that failed */
function parse(line: string): Call | undefined {
  const equals = line.lastIndexOf(' = ');
  const [head, seconds, fraction, name = ''] = /^(\d+)\.(\d{9}) (\w+)\(/.exec(line) ?? [];
  const [, result, duration] = /^ = (\d+).* <([\d.]+)>$/.exec(line.slice(equals)) ?? [];
  if (head === undefined || result === undefined) return undefined;
  const began = (Number(seconds) - START) * 1e9 + Number(fraction);
  const args = line.slice(head.length, line.lastIndexOf(')', equals));
  const target = fromTrace(/^\d+<([^>]*)>/.exec(args.slice(0, 20_000))?.[1] ?? '');
  const returned = began + Number(duration) * 1e9;
  return { name, args, target, result: Number(result), began, returned };
}

/** The bytes that a call writes. */
export function bytesOf({ name, args, result }: Call): Buffer {
  if (args.includes('"...')) throw new Error(`the trace does not have all of a ${name}`);
  return fromHex(/"([^"]*)"/.exec(args)?.[1] ?? '').subarray(0, result);
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
const fromTrace = (hex: string) => fromHex(hex).toString();

/** A text as a trace shows it. */
export const inTrace = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
