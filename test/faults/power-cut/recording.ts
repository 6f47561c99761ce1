/** Records the server and the tools while they run, and what they said was done. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type Answer, anotherClient, type Options, send } from '../../support/client.ts';
import type { Installation } from '../../support/installation.ts';
import { type Call, inTrace, readTrace, recordInto } from './trace.ts';

/** How much more or less there is of a thing, by its name. */
export type Effects = readonly (readonly [string, number])[];

/** Something that a program was asked to do, and said that it had done. */
export type Step = {
  readonly what: string;
  readonly effects: Effects;
  /** An address of which no byte is left. */
  readonly erased?: string | undefined;
  /** When it can have begun, and when the reply left, in ns. */
  readonly began: number;
  readonly done: number;
};

export type Recording = {
  readonly root: string;
  /** A copy of `data/` as it was before. */
  readonly before: string;
  /** The calls of each program. */
  readonly traces: readonly (readonly Call[])[];
  readonly steps: readonly Step[];
};

type Noted = Omit<Step, 'began' | 'done'> & {
  readonly trace: string;
  /** A text in the request; a tool's reply is what it prints. */
  readonly mark?: string;
};

export type Recorder = ReturnType<typeof recorder>;

/** What is done with an installation. */
export type Story = {
  /** Makes the store of before. */
  readonly prepare: (store: string) => void;
  readonly tell: (recorder: Recorder, store: string) => Promise<void>;
};

/** Records a story. */
export async function record(site: Installation, story: Story): Promise<Recording> {
  story.prepare(site.store);
  const before = path.join(fs.mkdtempSync(path.join(site.root, 'before-')), 'data');
  const data = path.dirname(site.store);
  if (fs.existsSync(data)) fs.cpSync(data, before, { recursive: true });
  const recording = recorder(site);
  await story.tell(recording, site.store);
  const files = new Set(recording.noted.map(({ trace }) => trace));
  const traces = new Map([...files].map((file) => [file, readTrace(file)]));
  const steps = recording.noted.map((each) => ({
    ...each,
    ...timesOf(each, traces.get(each.trace) ?? []),
  }));
  return { root: fs.realpathSync(site.root), before, traces: [...traces.values()], steps };
}

/** strace does not see what io_uring does. */
const WITHOUT_URING = { UV_USE_IO_URING: '0' };

function recorder(site: Installation) {
  const noted: Noted[] = [];
  let traces = 0;
  const newTrace = () => path.join(site.root, `trace-${traces++}`);

  return {
    noted,
    /** Runs a tool with `--json` to its end. @param effects by what it prints */
    async tool<T>(
      [name, ...args]: readonly string[],
      effects: (printed: T) => Effects,
      erased?: string,
    ): Promise<T> {
      const trace = newTrace();
      const command = [path.join(site.root, 'tools', `${name}.js`), ...args, '--json'];
      const printed = JSON.parse(await run([...recordInto(trace), process.execPath, ...command]));
      noted.push({ what: `${name} ${args.join(' ')}`, effects: effects(printed), trace, erased });
      return printed;
    },
    async start() {
      const trace = newTrace();
      const server = await site.start(WITHOUT_URING, recordInto(trace));
      noted.push({ what: 'start', effects: [], trace });
      return {
        /** Sends a request, which must succeed. */
        async ask(
          line: string,
          options: Options,
          effects: (answer: Answer) => Effects,
        ): Promise<Answer> {
          const mark = `mark-${noted.length}-${Math.random()}-`;
          const headers = { ...anotherClient(), 'X-Mark': mark };
          const answer = await send(server.origin, line, { ...options, headers });
          assert.ok(answer.status < 300, `${line}: ${answer.status}`);
          noted.push({ what: line, effects: effects(answer), trace, mark });
          return answer;
        },
        stop: () => server.stop(),
      };
    },
    /** What undoes the effects of all earlier steps on some things. */
    undo(of: (name: string) => boolean): Effects {
      const effects = noted.flatMap((step) => step.effects).filter(([name]) => of(name));
      return effects.map(([name, number]) => [name, -number]);
    },
  };
}

const run = ([program = '', ...args]: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, ...WITHOUT_URING };
    execFile(program, args, { env }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });

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
