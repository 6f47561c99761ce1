/** Distributes a CPU profile of the server over the parts of the house. */
import { pathToFileURL } from 'node:url';

/** What V8 writes. Times in µs. */
export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  /** The node of each sample, and the time since the sample before. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

const HTTP = 'router and HTTP';
const NODE = 'Node itself: sockets, parser, event loop';
const GARBAGE = 'garbage collection';
const SYNC = 'handing the sync to a thread';

/** Parts by file and function (`lib/app.js app`); the first that matches. */
const PARTS: readonly (readonly [part: string, pattern: RegExp])[] = [
  ['session and its proof', /^lib\/(store\/rows\/sessions|routes\/guards|http\/cookies)\./],
  ['record and commit', /^lib\/store\//],
  ['device, layout, page', /^lib\/(routes|site)\//],
  [HTTP, /^/],
];

type Cost = {
  readonly name: string;
  readonly part: string;
  /** Its share in the time that the main thread was busy. */
  readonly share: number;
};

/**
 * The functions by their own time, without that of what they call; the longest first. What lib/
 * calls of Node, of a library or of SQLite belongs to the part that calls it. What lib/http/ calls,
 * and what has no caller, is Node's own work for a request.
 *
 * @param root the folder of the server
 * @param window begin and end of the samples that count, in µs of the profile's clock
 */
export function functionCosts(
  { nodes, samples, timeDeltas, startTime }: CpuProfile,
  root: string,
  [begin, end]: readonly [number, number],
): readonly Cost[] {
  const times = new Map<number, number>();
  let clock = startTime;
  for (const [i, id] of samples.entries()) {
    const length = timeDeltas[i] ?? 0;
    clock += length;
    if (clock >= begin && clock <= end) times.set(id, (times.get(id) ?? 0) + length);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const home = pathToFileURL(root).href;
  const found = new Map<string, { name: string; part: string; time: number }>();
  let busy = 0;

  const visit = (id: number, caller: { name: string; part: string } | undefined): void => {
    const node = byId.get(id);
    if (!node) return;
    const { functionName, url, lineNumber } = node.callFrame;
    const file = url.startsWith(home) ? url.slice(home.length + 1) : undefined;
    const own = file !== undefined && {
      name: `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`,
      part: partOf(`${file} ${functionName}`),
    };
    const time = times.get(id) ?? 0;
    if (time > 0 && functionName !== '(idle)') {
      const cost = own || borrowed(functionName, url, caller);
      const key = `${cost.name} ${cost.part}`;
      found.set(key, { ...cost, time: (found.get(key)?.time ?? 0) + time });
      busy += time;
    }
    for (const child of node.children ?? []) visit(child, own || caller);
  };
  const [top] = nodes;
  if (top) visit(top.id, undefined);
  return [...found.values()]
    .map(({ name, part, time }) => ({ name, part, share: time / busy }))
    .sort((a, b) => b.share - a.share);
}

const partOf = (place: string): string =>
  PARTS.find(([, pattern]) => pattern.test(place))?.[0] ?? HTTP;

function borrowed(name: string, url: string, caller: { name: string; part: string } | undefined) {
  if (name === '(garbage collector)') return { name, part: GARBAGE };
  if (name === 'fdatasync') return { name, part: SYNC };
  const from = url.replace(/^.*\/node_modules\//, '');
  if (!caller || caller.part === HTTP)
    return { name: `${name || '(anonymous)'} ${from}`.trim(), part: NODE };
  return { name: `${name || '(anonymous)'} ${from}, for ${caller.name}`, part: caller.part };
}

/** The share of each part, the largest first. */
export function partCosts(costs: readonly Cost[]): readonly (readonly [string, number])[] {
  const parts = new Map<string, number>();
  for (const { part, share } of costs) parts.set(part, (parts.get(part) ?? 0) + share);
  return [...parts].sort(([, a], [, b]) => b - a);
}
