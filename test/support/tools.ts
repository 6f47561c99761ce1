/** The tools in the process of the test, which must not serve the same store. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach } from 'node:test';
import { main as backup } from '../../tools/backup.ts';
import { main as doctor } from '../../tools/doctor.ts';
import { main as events } from '../../tools/events.ts';
import { main as invite } from '../../tools/invite.ts';
import { main as joins } from '../../tools/joins.ts';
import { main as person } from '../../tools/person.ts';
import { main as site } from '../../tools/site.ts';
import { type Result, type Row, storeAt } from './installation.ts';
import { temporaryFolder } from './site.ts';

const TOOLS = new Map(Object.entries({ backup, doctor, events, invite, joins, person, site }));

/** The store of a file, and the tools on it. */
export function toolsOn(storeFile: string) {
  /** @param call split at spaces: `invite add`; `words` are as they are */
  async function run(input: string, call: string, words: readonly string[]): Promise<Result> {
    const [name = '', ...first] = call.split(' ');
    const result = { stdout: '', stderr: '' };
    const shell = {
      storeFile,
      readInput: () => Buffer.from(input),
      write(text: string) {
        result.stdout += text;
      },
      warn(line: string) {
        result.stderr += `${line}\n`;
      },
      lowerPriority() {},
    };
    const main = TOOLS.get(name);
    assert.ok(main, name);
    return { status: await main([...first, ...words], shell), ...result };
  }

  /** What a tool prints that succeeds and warns of nothing. */
  async function says(call: string, ...words: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await run('', call, words);
    assert.equal(`${status} ${stderr}`, '0 ');
    return stdout;
  }

  return {
    tool: (call: string, ...words: readonly string[]) => run('', call, words),
    withInput: (input: string, call: string) => run(input, call, []),
    says,
    /** The same with `--json`, parsed. */
    json: async <T = readonly Row[]>(call: string, ...words: readonly string[]): Promise<T> =>
      JSON.parse(await says(call, ...words, '--json')),
    ...storeAt(storeFile),
  };
}

/** Tools on a store that does not exist yet, and is removed after each test. */
export function toolsForEach() {
  const folder = path.join(temporaryFolder(), 'data');
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'guestlist.db');
  return { ...toolsOn(file), folder, file };
}
