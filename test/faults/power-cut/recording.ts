/** Records the server and the tools while they run, and what they said was done. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Answer, anotherClient, type Options, send } from '../../support/client.ts';
import type { Installation } from '../../support/installation.ts';
import { type Contents, difference, examine } from './examine.ts';
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
  /** A folder with a copy of `data/` as it was before, and what it holds. */
  readonly before: string;
  readonly known: Contents;
  readonly steps: readonly Step[];
};

type Noted = Pick<Step, 'what' | 'effects' | 'erased'> & {
  readonly traced: string;
  /** A text in the request; a tool's reply is what it prints. */
  readonly mark?: string;
};

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
  const [before, known] = [copyOf(site), await contentsOf(site)];
  const recording = recorder(site);
  await story.tell(recording);
  const traces = new Map(recording.noted.map(({ traced }) => [traced, [] as readonly Call[]]));
  for (const traced of traces.keys()) traces.set(traced, readTrace(traced));
  const steps = recording.noted.map((each): Step => {
    const trace = traces.get(each.traced) ?? [];
    return { ...each, trace, ...timesOf(each, trace) };
  });
  return { root: fs.realpathSync(site.root), before, known, steps };
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

function recorder(site: Installation) {
  const noted: Noted[] = [];
  const newTrace = () => path.join(site.root, `trace-${noted.length}`);

  /** Notes what is there after a program has said that it is done. */
  async function note<T>(step: Omit<Noted, 'effects'>, act: () => Promise<T>): Promise<T> {
    const before = await contentsOf(site);
    const result = await act();
    noted.push({ ...step, effects: difference(before, await contentsOf(site)) });
    return result;
  }

  return {
    noted,
    store: site.store,
    /** Runs a tool to its end. */
    tool: (name: string, ...args: readonly string[]) => {
      const traced = newTrace();
      const script = path.join(site.root, 'tools', `${name}.js`);
      const [program = '', ...words] = [...recordInto(traced), process.execPath, script, ...args];
      const erased = args[0] === 'forget' ? args[1] : undefined;
      const env = { ...process.env, ...WITHOUT_URING };
      return note({ what: `${name} ${args[0]}`, traced, erased }, () =>
        promisify(execFile)(program, words, { env }),
      );
    },
    async start() {
      const traced = newTrace();
      const start = () => site.start(WITHOUT_URING, recordInto(traced));
      const server = await note({ what: 'start', traced }, start);
      return {
        /** Sends a request, which must succeed. */
        async ask(line: string, options: Options, effects: (answer: Answer) => Step['effects']) {
          const mark = `mark-${noted.length}-${Math.random()}-`;
          const headers = { ...anotherClient(), 'X-Mark': mark };
          const answer = await send(server.origin, line, { ...options, headers });
          assert.ok(answer.status < 300, `${line}: ${answer.status}`);
          noted.push({ what: line, effects: effects(answer), traced, mark });
          return answer;
        },
        stop: () => server.stop(),
      };
    },
  };
}

/** When a step can have begun, and when its reply left. */
function timesOf({ what, mark }: Noted, trace: readonly Call[]): Pick<Step, 'began' | 'done'> {
  const text = mark && inTrace(mark);
  const request = text
    ? trace.find(({ name, args }) => name === 'read' && args.includes(text))
    : trace[0];
  assert.ok(request, `the request of ${what} is in the trace`);
  const reply = trace.find(
    ({ name, descriptor, target, began }) =>
      /^(write|send)/.test(name) &&
      (mark ? target === request.target : descriptor === 1) &&
      began > request.began,
  );
  return { began: request.began, done: (reply ?? trace.at(-1) ?? request).began };
}
