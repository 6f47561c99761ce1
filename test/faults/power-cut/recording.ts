/** Records the server and the tools while they run, and what they said was done. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type Answer, anotherClient, type Options, send } from '../../support/client.ts';
import type { Installation } from '../../support/installation.ts';
import { startProcess } from '../../support/process.ts';
import { difference, examine } from './examine.ts';
import { type Call, inTrace, readTrace, recordInto } from './trace.ts';

/** Something that a program was asked to do, and said that it had done. */
export type Step = {
  readonly what: string;
  /** How much more or less there is of a thing, by its name. */
  readonly effects: readonly (readonly [string, number])[];
  /** An address of which no byte is left. */
  readonly erased?: string | undefined;
  /** When it can have begun, and when the reply left, in ns. */
  readonly began: number;
  readonly done: number;
  /** The calls of its program. */
  readonly trace: readonly Call[];
};

export type Recording = {
  readonly root: string;
  /** A folder with a copy of `data/` as it was before, which is the first step. */
  readonly before: string;
  readonly steps: readonly Step[];
};

/** A step whose trace is not read yet. `from` is in its request; a tool has none. */
type Asked = Omit<Step, 'began' | 'done' | 'trace'> & { readonly from?: string | undefined };

export type Recorder = ReturnType<typeof recorder>;

/** What is done with an installation. */
export type Story = {
  /** Makes the store of before. */
  readonly prepare: (store: string) => void;
  readonly tell: (recorder: Recorder) => Promise<void>;
};

/** Records a story in a new installation. */
export async function record(site: Installation, story: Story): Promise<Recording> {
  story.prepare(site.store);
  const before = copyOf(site);
  const effects = [...(await contentsOf(site))];
  const long = { began: Number.NEGATIVE_INFINITY, done: Number.NEGATIVE_INFINITY };
  const recording = recorder(site, [{ what: 'nothing', effects, trace: [], ...long }]);
  await story.tell(recording);
  return { root: fs.realpathSync(site.root), before, steps: recording.steps };
}

/** Copies `data/`, if there is one, into a new folder. */
function copyOf({ root, store }: Installation): string {
  const copy = fs.mkdtempSync(path.join(root, 'copy-'));
  const data = path.dirname(store);
  if (fs.existsSync(data)) fs.cpSync(data, path.join(copy, 'data'), { recursive: true });
  return copy;
}

/** What is there, read in a copy. */
const contentsOf = (site: Installation) => examine(copyOf(site));

/** strace does not see what io_uring does. */
const WITHOUT_URING = { UV_USE_IO_URING: '0' };

function recorder(site: Installation, steps: Step[]) {
  const newTrace = () => fs.mkdtempSync(path.join(site.root, 'trace-'));

  /** Does something, and reads what that has changed. */
  async function effectsOf<T>(act: () => Promise<T>) {
    const before = await contentsOf(site);
    const result = await act();
    return { result, effects: difference(before, await contentsOf(site)) };
  }

  /** Adds the steps of a program that has ended. */
  function add(traced: string, asked: readonly Asked[]): void {
    const trace = readTrace(traced);
    for (const { from, ...step } of asked) steps.push({ ...step, trace, ...timesOf(from, trace) });
  }

  return {
    steps,
    store: site.store,
    /** Runs a tool to its end. */
    async tool(name: string, ...args: readonly string[]) {
      const traced = newTrace();
      const script = path.join(site.root, 'tools', `${name}.js`);
      const env = { ...process.env, ...WITHOUT_URING };
      const command = [...recordInto(traced), process.execPath, script, ...args];
      const { result, effects } = await effectsOf(() => startProcess(command, { env }).exited);
      assert.equal(result, 0, name);
      const erased = args[0] === 'forget' ? args[1] : undefined;
      add(traced, [{ what: `${name} ${args[0]}`, effects, erased }]);
    },
    async start() {
      const traced = newTrace();
      const start = () => site.start(WITHOUT_URING, recordInto(traced));
      const { result: server, effects } = await effectsOf(start);
      const asked: Asked[] = [{ what: 'start', effects }];
      return {
        /** Sends a request, which must succeed. */
        async ask(line: string, options: Options, effects: (answer: Answer) => Step['effects']) {
          const headers = anotherClient();
          const answer = await send(server.origin, line, { ...options, headers });
          assert.ok(answer.status < 300, `${line}: ${answer.status}`);
          asked.push({ what: line, effects: effects(answer), from: Object.values(headers).at(0) });
          return answer;
        },
        async stop() {
          await server.stop();
          add(traced, asked);
        },
      };
    },
  };
}

/** When a step can have begun, and when its reply left: to a client, or the first output. */
function timesOf(client: string | undefined, trace: readonly Call[]) {
  const text = client && inTrace(`: ${client}\r\n`);
  const request = trace.find(({ name, args }) => !text || (name === 'read' && args.includes(text)));
  assert.ok(request, 'the request is in the trace');
  const isReply = ({ name, began, target, descriptor }: Call) =>
    /^(write|send)/.test(name) &&
    began > request.began &&
    (text ? target === request.target : descriptor === 1);
  return { began: request.began, done: (trace.find(isReply) ?? trace.at(-1) ?? request).began };
}
