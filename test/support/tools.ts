/** The tools in the process of the test, which must not serve the same store. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach } from 'node:test';
import { root } from '../../lib/config.ts';
import { type Row, storeAt } from './installation.ts';
import { within } from './limit.ts';
import type { Result } from './process.ts';
import { temporaryFolder } from './temporary.ts';

/** The store of a file, and the tools on it. @param from the root folder of the tools */
export function toolsOn(storeFile: string, from = root) {
  /** @param call split at spaces: `invite add`; `words` are as they are */
  async function run(
    input: string,
    call: string,
    words: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Result> {
    const [name, ...first] = call.split(' ');
    const { main }: typeof import('../../tools/invite.ts') = await import(
      path.join(from, 'tools', `${name}.js`)
    );
    const result = { stdout: '', stderr: '' };
    const shell = {
      storeFile,
      env,
      readInput: () => Buffer.from(input),
      write(text: string) {
        result.stdout += text;
      },
      warn(line: string) {
        result.stderr += `${line}\n`;
      },
    };
    const status = await within(`${call} to end`, main([...first, ...words], shell));
    return { status, ...result };
  }

  /** Runs a tool that must succeed without a warning. @returns what it prints */
  async function says(call: string, ...words: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await run('', call, words);
    assert.equal(`${status} ${stderr}`, '0 ');
    return stdout;
  }

  return {
    tool: (call: string, ...words: readonly string[]) => run('', call, words),
    withInput: (input: string, call: string, env?: NodeJS.ProcessEnv) => run(input, call, [], env),
    says,
    /** Runs a tool with `--json`, as `says` does. @returns the value that it prints */
    json: async <T = readonly Row[]>(call: string, ...words: readonly string[]): Promise<T> =>
      JSON.parse(await says(call, ...words, '--json')),
    ...storeAt(storeFile),
  };
}

/** Tools on a store that does not exist yet, and is removed before each test. */
export function toolsForEach() {
  const folder = path.join(temporaryFolder(), 'data');
  beforeEach(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'guestlist.db');
  return { ...toolsOn(file), folder, file };
}
