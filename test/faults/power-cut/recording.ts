/** Records the server and the tools while they run, and what they said was done. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type Answer, anotherClient, type Options, send } from '../../support/client.ts';
import type { Installation } from '../../support/installation.ts';
import { type Folder, readDisk } from './disk.ts';
import { type Call, inTrace, readTrace, recordInto } from './trace.ts';

/** How much more or less there is of a thing, by its name; 0 where it is there as before. */
export type Effects = readonly (readonly [string, number])[];

/** Something that a program was asked to do, and said that it had done. */
export type Step = {
  /** The case that it belongs to. */
  readonly phase: string;
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
  /** The disk as it was before. */
  readonly before: Folder;
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
  /** Makes the store of before; none where this is absent. */
  readonly prepare?: (store: string) => void;
  readonly tell: (recorder: Recorder, site: Installation) => Promise<void>;
};

/** Records a story. */
export async function record(site: Installation, story: Story): Promise<Recording> {
  story.prepare?.(site.store);
  const before = readDisk(site.root);
  const { noted, ...rest } = recorder(site);
  await story.tell({ noted, ...rest }, site);
  const files = new Set(noted.map(({ trace }) => trace));
  const traces = new Map([...files].map((file) => [file, readTrace(file)]));
  const steps = noted.map((each) => ({ ...each, ...timesOf(each, traces.get(each.trace) ?? []) }));
  return { root: fs.realpathSync(site.root), before, traces: [...traces.values()], steps };
}

/** strace does not see what io_uring does. */
const WITHOUT_URING = { UV_USE_IO_URING: '0' };

function recorder(site: Installation) {
  const noted: Noted[] = [];
  let traces = 0;
  let phase = '';

  const newTrace = () => path.join(site.root, `trace-${traces++}`);
  const note = (step: Omit<Noted, 'phase'>) => noted.push({ phase, ...step });

  return {
    noted,
    /** Names the steps from here on. */
    begin(name: string): void {
      phase = name;
    },
    /** Runs a tool to its end. @returns what it prints */
    async tool(
      name: string,
      args: readonly string[],
      effects: Effects | ((printed: string) => Effects),
      erased?: string,
    ): Promise<string> {
      const trace = newTrace();
      const command = [process.execPath, path.join(site.root, 'tools', `${name}.js`), ...args];
      const printed = await run([...recordInto(trace), ...command]);
      const known = typeof effects === 'function' ? effects(printed) : effects;
      note({ what: [name, ...args].join(' '), effects: known, trace, erased });
      return printed;
    },
    /** Runs a program that says nothing. */
    async run(effects: Effects, ...command: readonly string[]): Promise<void> {
      const trace = newTrace();
      await run([...recordInto(trace), ...command]);
      note({ what: 'another program', effects, trace });
    },
    /** Starts the server. @param options more of strace */
    async start(...options: readonly string[]) {
      const trace = newTrace();
      const server = await site.start(WITHOUT_URING, [...recordInto(trace), ...options]);
      note({ what: 'start', effects: [], trace });
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
          note({ what: line, effects: effects(answer), trace, mark });
          return answer;
        },
        async stop(): Promise<void> {
          await server.stop();
          note({ what: 'stop', effects: [], trace, mark: '' });
        },
      };
    },
    /** What undoes the effects of all earlier steps on some things. */
    undo(of: (name: string) => boolean): Effects {
      const sums = new Map<string, number>();
      for (const [name, number] of noted.flatMap(({ effects }) => effects))
        if (of(name)) sums.set(name, (sums.get(name) ?? 0) - number);
      return [...sums].filter(([, number]) => number !== 0);
    },
  };
}

const run = (command: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = command;
    const env = { ...process.env, ...WITHOUT_URING };
    execFile(program, args, { env }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });

/** When a step can have begun, and when its reply left. */
function timesOf({ what, mark }: Noted, trace: readonly Call[]): Pick<Step, 'began' | 'done'> {
  const [first, last] = [trace[0], trace.at(-1)];
  assert.ok(first && last, `${what} is in no trace`);
  if (mark === '') return { began: last.began, done: last.began };
  const text = mark && inTrace(mark);
  const request = text
    ? trace.find(({ name, args }) => name === 'read' && args.includes(text))
    : first;
  assert.ok(request, `the request of ${what} is in the trace`);
  const reply = trace.find(
    ({ name, descriptor, target, began }) =>
      /^(write|send)/.test(name) &&
      (mark ? target === request.target : descriptor === 1) &&
      began > request.began,
  );
  return { began: request.began, done: (reply ?? last).began };
}
