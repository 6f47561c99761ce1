/** Records the server and the tools while they run, and what they said was done. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { anotherClient, send, sessionCookie, sessionId } from '../../support/client.ts';
import type { Installation } from '../../support/installation.ts';
import { startProcess } from '../../support/process.ts';
import { difference, examine } from './cut.ts';
import { type Call, inTrace, readTrace, recordInto } from './disk.ts';
import type { Story } from './stories.ts';

/** Something that a program was asked to do, and said that it had done. */
export type Step = {
  readonly what: string;
  /** How much more or less there is of a thing, by its name. */
  readonly effects: readonly (readonly [string, number])[];
  /** When it can have begun, and when the reply left, in ns. */
  readonly began: number;
  readonly done: number;
  /** The calls of its program. */
  readonly trace: readonly Call[];
};

/** A step whose trace is not read yet. `from` is the client of its request; a tool has none. */
type Asked = Omit<Step, 'began' | 'done' | 'trace'> & { readonly from?: string | undefined };

/** The requests of a visitor, and what each adds of things, or takes away. */
const VISIT = [
  ['POST /auth/login', 1, 'session', 'login'],
  ['GET /timeline', 1, 'timeline_view'],
  ['POST /api/project-join', 1, 'join'],
  ['POST /auth/logout', -1, 'session'],
] as const;

export type Recording = Awaited<ReturnType<typeof record>>;
export type Recorder = ReturnType<typeof recorder>;

/** Records a story in a new installation. What was there before is the first step. */
export async function record(site: Installation, { prepare, tell }: Story) {
  prepare(site);
  const before = copyOf(site);
  const effects = [...(await examine(copyOf(site)))];
  const steps: Step[] = [{ what: 'nothing', effects, began: 0, done: 0, trace: [] }];
  await tell(recorder(site, steps));
  return { root: fs.realpathSync(site.root), before, steps };
}

/** Copies `data/`, if there is one, into a new folder. */
function copyOf({ root, store }: Installation): string {
  const copy = fs.mkdtempSync(path.join(root, 'copy-'));
  const data = path.dirname(store);
  if (fs.existsSync(data)) fs.cpSync(data, path.join(copy, 'data'), { recursive: true });
  return copy;
}

function recorder(site: Installation, steps: Step[]) {
  /** Runs a program until it says that it is done, and notes what that has changed. */
  async function run<T>(what: string, begin: (under: readonly string[]) => Promise<T>) {
    const traced = fs.mkdtempSync(path.join(site.root, 'trace-'));
    const before = await examine(copyOf(site));
    const program = await begin(recordInto(traced));
    const asked: Asked[] = [{ what, effects: difference(before, await examine(copyOf(site))) }];
    /** Adds its steps, after its end. */
    const end = () => {
      const trace = readTrace(traced);
      for (const { from, ...step } of asked)
        steps.push({ ...step, trace, ...timesOf(from, trace) });
    };
    return { program, asked, end };
  }

  return {
    store: site.store,
    /** Runs a tool to its end. */
    async tool(name: string, ...args: readonly string[]) {
      const script = path.join(site.root, 'tools', `${name}.js`);
      const call = [process.execPath, script, ...args];
      const begin = (under: readonly string[]) => startProcess([...under, ...call]).exited;
      const { program: status, end } = await run(`${name} ${args[0]}`, begin);
      assert.equal(status, 0, name);
      end();
    },
    async start() {
      const { program: server, asked, end } = await run('start', (under) => site.start({}, under));
      return {
        /** A visitor's whole way. */
        async visit(email: string) {
          let cookie: string | undefined;
          for (const [what, number, ...things] of VISIT) {
            const headers = anotherClient();
            const json = what.startsWith('POST') ? { email } : undefined;
            const answer = await send(server.origin, what, { cookie, json, headers });
            assert.equal(answer.status, 200, what);
            cookie ??= sessionCookie(answer);
            const of = `${email} ${sessionId(cookie)}`;
            const effects = things.map((thing) => [`${thing} ${of}`, number] as const);
            asked.push({ what, effects, from: headers['X-Forwarded-For'] });
          }
        },
        async stop() {
          await server.stop();
          end();
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
  const isReply = ({ name, began, target, args }: Call) =>
    name.startsWith('write') &&
    began > request.began &&
    (text ? target === request.target : args.startsWith('1<'));
  return { began: request.began, done: (trace.find(isReply) ?? trace.at(-1) ?? request).began };
}
